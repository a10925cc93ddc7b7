# One set of build flags for build, test and CI: another set would compile everything a second time. Version stamping is
# off because a clone that belongs to somebody else (a container, a CI) makes it fail; `verifyd version` reads the module.
export GOFLAGS := -buildvcs=false

# Binaries need no C library, so that one can be the first process of a container of any image.
export CGO_ENABLED := 0

FUZZTIME   ?= 10s
BENCH      ?= .
BENCHTIME  ?= 1s
COUNT      ?= 10
PKG        ?= ./...
BASE       ?=
LOAD       ?= 4
COVER_MIN  ?= 85
TIMEOUT    ?= 15m

# The rooms whose coverage is held, and those whose code runs on many goroutines.
CORE       := judge rollout verifiers engine
CONCURRENT := judge rollout verifiers engine

.DELETE_ON_ERROR:
.PHONY: bench-wasm help build install demo test test-deps test-go test-rootless check lint format race seeds arch api fuzz bench bench-verifiers \
        wasm wasm-write test-wasm bench-code bench-langs test-langs stable bench-sandbox load-test bench-math math-verify cover fmt clean need-go modules

help: ## what can be made
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

build: need-go ## bin/verifyd
	@go build -o bin/ ./cmd/verifyd

install: need-go ## verifyd into the Go binary folder
	go install ./cmd/verifyd

demo: build ## grade the bundled real rollouts
	@bin/verifyd demo

test: need-go test-deps modules test-go test-rootless ## install what the tests need, run them all

test-go:
	scripts/with-docker go test -timeout $(TIMEOUT) ./...

test-deps:
	@scripts/test-deps

test-rootless: need-go ## the sandbox tests again as an ordinary user, when run as root
	@scripts/test-rootless

# Everything that check needs is in the module cache after `make test` or `make modules`; from there it works offline.
check: export GOPROXY := off
check: need-go lint arch seeds race ## what a change must pass; offline

lint: format
	go vet ./...
	go tool staticcheck ./...

format:
	@scripts/format

arch:
	go test ./internal/archtest

seeds:
	go test -run '^Fuzz' ./...

race:
	@scripts/race $(CONCURRENT)

api: need-go ## rewrite the record of the public API
	go test ./internal/archtest -run API -update

fuzz: need-go ## every fuzz target for FUZZTIME (10s)
	@scripts/fuzz $(FUZZTIME)

bench: need-go ## benchmarks by benchstat; BENCH=regexp, PKG=./rollout, COUNT=10, BASE=an earlier bench/new.txt
	@mkdir -p bench
	go test -run '^$$' -bench '$(BENCH)' -benchmem -benchtime $(BENCHTIME) -count $(COUNT) $(PKG) > bench/new.txt || { cat bench/new.txt; exit 1; }
	@go tool benchstat $(BASE) bench/new.txt

bench-code: need-go ## processor time of code verdicts beside the plain interpreter, by `make bench-code COUNT=3`
	@uptime
	go test -run '^$$' -bench 'Jobs' -benchtime 100x -count $(COUNT) ./codecheck
	@uptime

stable: need-go ## the corpus of programs three times, then beside LOAD (4) endless spinners a processor: the same verdicts
	@uptime
	go test -count 1 -timeout 30m -run '^TestVerdictsAreStable$$' -v ./codecheck -load=$(LOAD)
	@uptime

test-langs: need-go test-deps ## every program of testdata/corpus/multilang, nine languages
	VERIFYD_LANGS=all go test -count 1 -timeout 60m -run '^TestMultilang$$' -v ./codecheck

bench-langs: need-go ## processor time of compiled, Java and Node programs beside the bare ones; fails where a bar is missed
	go test -count 1 -timeout 30m -run '^Test(Language(Bars|sUnderOverload)|WarmNodeBar)$$' -v ./codecheck -args -bars

bench-sandbox: need-go ## what a job costs beside the plain program, in turns; fails where a bar is missed
	go test -run '^$$' -bench '^BenchmarkBars$$' -benchtime 1x ./sandbox/namespace
	go test -run '^$$' -bench '^BenchmarkBars$$' -benchtime 1x ./sandbox/oci
	go test -run '^$$' -bench '^BenchmarkBars$$' -benchtime 1x ./sandbox/docker

bench-wasm: need-go ## what a job in WebAssembly costs, how limits hold, fuel, start, endurance (SOAK=100000 jobs); fails where a bar is missed
	go test ./sandbox/wasm -run Figure -figures -soak $(or $(SOAK),20000) -v -timeout 30m

load-test: need-go ## verdicts of the sandbox beside LOAD (4) endless spinners a processor: the same as idle, hostile ones in time
	@uptime
	go test -count 1 -timeout 20m -run '^(TestUnderLoad|TestSuite|TestAttacks)$$' ./sandbox/namespace -load=$(LOAD)
	@uptime

math-verify: need-go ## every pair on which Math-Verify and mathcheck disagree, in a venv of its own
	@python=$$(scripts/math-verify) && MATH_VERIFY_PYTHON=$$python go test -count 1 -timeout 60m -run '^TestDifferential$$' -v ./mathcheck

bench-math: need-go ## accuracy and processor time beside Math-Verify, written into docs/MATH.md
	@python=$$(scripts/math-verify) && MATH_VERIFY_PYTHON=$$python MATH_TABLE=../docs/MATH.md go test -count 1 -timeout 60m -run '^TestBesideMathVerify$$' -v ./mathcheck

bench-verifiers: need-go ## the native checks beside their bounds, on one core; fails where one is missed
	VERIFYD_BOUNDS=1 go test -run '^$$' -bench '^BenchmarkBound' -cpu 1 -benchtime 200ms ./verifiers
	VERIFYD_BOUNDS=1 go test -run '^$$' -bench '^BenchmarkBound' -cpu 1 -benchtime 1x -v ./regexcheck

wasm: ## build the embedded interpreters again from pinned sources and compare; needs clang 19 (scripts/wasm)
	@scripts/wasm

wasm-write: ## the same, and put them in place of the old ones
	@scripts/wasm --write

test-wasm: need-go ## all packed tests of CPython, and all programs, on the embedded interpreter
	VERIFYD_WASM_TESTS=all go test -count 1 -timeout 60m -run 'CPython|ProgramsDo' -v ./sandbox/wasm

cover: need-go ## coverage of the core rooms; fails below COVER_MIN (85) %
	@scripts/cover $(COVER_MIN) $(CORE)

fmt: ## gofmt everything
	gofmt -w $$(git ls-files --cached --others --exclude-standard '*.go')

modules: need-go
	@go mod download

clean: ## what was built here
	rm -rf bin bench dist

need-go:
	@scripts/need-go
