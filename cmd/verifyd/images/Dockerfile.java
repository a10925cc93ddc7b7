# What programs in Java need, for jobs in containers: `verifyd image build java`.
ARG BASE=debian:bookworm-slim
FROM ${BASE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends default-jdk-headless \
 && rm -rf /var/lib/apt/lists/*
LABEL dev.verifyd.language=java
USER 65534:65534
