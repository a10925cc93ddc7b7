# What programs in Bash need, for jobs in containers: `verifyd image build bash`.
ARG BASE=debian:bookworm-slim
FROM ${BASE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends bash coreutils grep sed gawk findutils bc \
 && rm -rf /var/lib/apt/lists/*
LABEL dev.verifyd.language=bash
USER 65534:65534
