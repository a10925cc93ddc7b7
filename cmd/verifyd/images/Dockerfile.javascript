# What programs in JavaScript need, for jobs in containers: `verifyd image build javascript`.
ARG BASE=debian:bookworm-slim
FROM ${BASE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends nodejs \
 && rm -rf /var/lib/apt/lists/*
LABEL dev.verifyd.language=javascript
USER 65534:65534
