# What programs in C++ need, for jobs in containers: `verifyd image build cpp`.
ARG BASE=debian:bookworm-slim
FROM ${BASE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends g++ libc6-dev \
 && rm -rf /var/lib/apt/lists/*
LABEL dev.verifyd.language=cpp
USER 65534:65534
