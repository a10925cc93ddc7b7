package wasm

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// quick are the modules of CPython's own tests that run by default: the types and modules that answers are made of, seconds in all.
var quick = strings.Fields("base64 bisect bool dataclasses dict fractions fstring functools heapq json list re string struct textwrap tuple")

// runTests is the driver inside: it runs one module and prints what did not pass. The C library's limits are tested by sys.maxsize,
// which programs see as that of a 64-bit machine.
const runTests = `
import json, sys, unittest
sys.path.insert(0, "/work")
sys.maxsize = 2**31 - 1
tests = unittest.defaultTestLoader.loadTestsFromName("test.test_" + sys.argv[1])
r = unittest.TextTestRunner(stream=sys.stderr, verbosity=0).run(tests)
bad = {t.id(): x.strip().splitlines()[-1] for t, x in r.failures + r.errors}
print(json.dumps({"ran": r.testsRun, "skipped": len(r.skipped), "bad": bad}))
`

// TestCPythonsOwnTests guards the build and every upgrade of wazero. VERIFYD_WASM_TESTS=all runs all modules that are packed (`make test-wasm`).
func TestCPythonsOwnTests(t *testing.T) {
	files, modules := packedTests(t)
	if os.Getenv("VERIFYD_WASM_TESTS") != "all" {
		modules = quick
	}
	known := knownFailures(t)
	for _, module := range modules {
		t.Run(module, func(t *testing.T) {
			r := python(t, runTests, func(s *sandbox.Spec) {
				s.Args = append(s.Args, module)
				s.Files = append(s.Files, files...)
				s.Limits = sandbox.Limits{Wall: 5 * time.Minute, CPU: 5 * time.Minute, Memory: 1 << 30, Disk: 64 << 20, Inodes: 2000}
			})
			var got struct {
				Ran, Skipped int
				Bad          map[string]string
			}
			lines := bytes.Split(bytes.TrimSpace(r.Stdout.Data), []byte("\n")) // tests print, too
			if err := json.Unmarshal(lines[len(lines)-1], &got); err != nil {
				t.Fatalf("%v, exit %d: %s", r.Status, r.ExitCode, lastPart(r.Stderr.Data))
			}
			if got.Ran == 0 {
				t.Errorf("no test ran: %s", lastPart(r.Stderr.Data))
			}
			t.Logf("%d tests, %d skipped, %d known failures, %v", got.Ran, got.Skipped, len(got.Bad), r.Usage.CPU.Round(time.Millisecond))
			for id, why := range got.Bad {
				if _, ok := known[id]; !ok {
					t.Errorf("%s: %s", id, why)
				}
			}
			for id := range known {
				if strings.HasPrefix(id, "test.test_"+module+".") && got.Bad[id] == "" {
					t.Errorf("%s passes: take it off known.txt", id)
				}
			}
		})
	}
}

func lastPart(b []byte) string { return string(b[max(0, len(b)-1500):]) }

// packedTests gives the packed files, and the names of the test modules among them.
func packedTests(t *testing.T) (files []sandbox.File, modules []string) {
	t.Helper()
	data, err := os.ReadFile("../../testdata/corpus/cpython/tests.zip")
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, sandbox.File{Name: f.Name, Data: text})
		name, isTest := strings.CutPrefix(f.Name, "test/test_")
		name, isFile := strings.CutSuffix(strings.TrimSuffix(name, "/__init__.py"), ".py")
		if isTest && (isFile || strings.HasSuffix(f.Name, "/__init__.py")) && !strings.Contains(name, "/") {
			modules = append(modules, name)
		}
	}
	slices.Sort(modules)
	return files, slices.Compact(modules)
}

func knownFailures(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../testdata/corpus/cpython/known.txt")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]string{}
	for line := range strings.Lines(string(text)) {
		id, reason, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || reason == "" {
			t.Fatal(fmt.Errorf("known.txt: %q gives no reason", line))
		}
		known[id] = reason
	}
	return known
}
