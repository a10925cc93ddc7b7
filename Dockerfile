# verifyd in a small image, with Python for grading programs.
#
#   docker build -t verifyd .
#   docker run --rm -i verifyd grade - --verifier math_equal -o - < rows.jsonl
#
# Grading programs needs the walls that a default container is refused: see "In a container" in README.md.

FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
# No cgo: the binary then needs nothing of the image it is copied to.
RUN CGO_ENABLED=0 GOFLAGS=-buildvcs=false go build -o /out/verifyd ./cmd/verifyd

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home --uid 10001 verifyd
COPY --from=build /out/verifyd /usr/local/bin/verifyd
COPY --from=build /src/LICENSE /src/NOTICE /usr/share/doc/verifyd/
USER verifyd
WORKDIR /home/verifyd
ENTRYPOINT ["verifyd"]
CMD ["doctor"]
