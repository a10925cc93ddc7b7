//go:build unix

package remote

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

func row(t *testing.T, text string) *rollout.Row {
	t.Helper()
	r, err := rollout.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func module(t *testing.T, source string) string {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("needs python3")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine.py"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func pythonJudge(t *testing.T, source, name string, c PythonConfig) *Exec {
	t.Helper()
	c.Dir, c.Call, c.Workers = module(t, source), "mine:"+name, orElse(c.Workers, 1)
	e, err := NewPython(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

func commandJudge(t *testing.T, source string, timeout time.Duration) *Exec {
	t.Helper()
	e, err := NewExec(ExecConfig{Args: []string{"python3", "-u", "mine.py"}, Dir: module(t, source), Workers: 1, Timeout: timeout})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// echo answers with what stands in the row under says.
const echo = `
import json, sys
for line in sys.stdin:
    q = json.loads(line)
    print(json.dumps({"id": q["id"], "verdict": q["row"]["says"]}))
`

// said makes the Python value of a golden case.
const said = `
def value(x):
    if isinstance(x, dict):
        if "$float" in x: return float(x["$float"])
        if "$bigint" in x: return 10**400
        if "$tuple" in x: return tuple(value(v) for v in x["$tuple"])
        if "$set" in x: return set(x["$set"])
        if "$bytes" in x: return x["$bytes"].encode()
        return {k: value(v) for k, v in x.items()}
    return [value(v) for v in x] if isinstance(x, list) else x

def says(row): return value(row["says"])
`

func TestGoldenContract(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Row struct{ Says json.RawMessage }
		}
		_ = json.NewDecoder(r.Body).Decode(&q) // what is no question has no answer
		_, _ = w.Write(q.Row.Says)
	}))
	defer server.Close()
	f, err := os.Open("../testdata/corpus/golden/judge_contract.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	plain := commandJudge(t, echo, 0)
	python := pythonJudge(t, said, "says", PythonConfig{})
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var c struct {
			ID, System string
			Input      struct {
				Returns json.RawMessage `json:"judge_returns"`
				Scale   []float64
			}
			Expected struct {
				Reward *float64
				Status judge.Status `json:"judge_status"`
				Raises string
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		if c.System != "judge.normalize" || c.Expected.Raises != "" {
			continue
		}
		n++
		scale := judge.Scale{}
		if c.Input.Scale != nil {
			scale = judge.Scale{Lo: c.Input.Scale[0], Hi: c.Input.Scale[1]}
		}
		web, err := NewHTTP(HTTPConfig{URL: server.URL, Scale: scale})
		if err != nil {
			t.Fatal(err)
		}
		plain.config.Scale, python.config.Scale = scale, scale
		judges := map[string]judge.Judge{"python": python}
		if !strings.Contains(string(c.Input.Returns), `"$`) {
			judges["http"], judges["exec"] = web, plain
		}
		for name, j := range judges {
			got := judge.Call(t.Context(), j, row(t, fmt.Sprintf(`{"says": %s}`, c.Input.Returns)), time.Minute)
			if !reflect.DeepEqual(got.Reward, c.Expected.Reward) || got.Status != c.Expected.Status {
				t.Errorf("%s by %s: got %+v, want %v %q", c.ID, name, got, c.Expected.Reward, c.Expected.Status)
			}
		}
	}
	if n < 40 {
		t.Errorf("only %d cases were read", n)
	}
}

func TestPythonJudgesThatMisbehaveCostTheirOwnRow(t *testing.T) {
	e := pythonJudge(t, `
import os, subprocess, sys, time
def f(row):
    do = row["do"]
    print("noise")
    if do == "raise": raise KeyError("k")
    if do == "hang": time.sleep(60)
    if do == "die": os._exit(3)
    if do == "flood": return "x" * (2 << 20)
    if do == "fork":
        subprocess.Popen(["sleep", "61.25"], start_new_session=True); os._exit(0)
    if do == "bytes": return b"1"
    return 1
async def later(row): return 1
`, "f", PythonConfig{Timeout: 5 * time.Second})
	for _, tt := range []struct {
		do   string
		want judge.Status
	}{
		{"raise", judge.Error}, {"hang", judge.Timeout}, {"die", judge.Error}, {"flood", judge.InvalidResult}, {"fork", judge.Error}, {"bytes", judge.InvalidResult},
	} {
		got := judge.Call(t.Context(), e, row(t, `{"do": "`+tt.do+`"}`), 0)
		if got.Status != tt.want || got.Reward != nil {
			t.Errorf("%s: got %+v, want %s", tt.do, got, tt.want)
		}
		if next := judge.Call(t.Context(), e, row(t, `{"do": "well"}`), 0); next.Status != judge.OK {
			t.Errorf("the row after %s: %+v", tt.do, next)
		}
	}
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is good
	for _, name := range files {
		if text, _ := os.ReadFile(name); strings.Contains(string(text), "61.25") {
			t.Errorf("%s is left running", name)
		}
	}
}

func TestPythonVerifier(t *testing.T) {
	e := pythonJudge(t, `
def verifier(f):
    f.__verifyd_verifier__ = True
    return f
@verifier
def same(candidate, reference, row): return candidate == reference, "compared with " + reference
async def later(row): return 1
`, "same", PythonConfig{})
	got := judge.Call(t.Context(), e, row(t, `{"final_text": "canary77", "privileged": {"reference": "canary77"}}`), 0)
	if got.Reward == nil || *got.Reward != 1 || strings.Contains(got.Reason, "canary") {
		t.Errorf("got %+v", got)
	}
	later := pythonJudge(t, "async def later(row): return 1", "later", PythonConfig{})
	if got := judge.Call(t.Context(), later, row(t, `{}`), 0); got.Status != judge.InvalidResult || got.Meta["returned_type"] != "coroutine" {
		t.Errorf("a coroutine: %+v", got)
	}
}

func TestCommandsThatBreakTheProtocol(t *testing.T) {
	for _, tt := range []struct {
		name, source string
		want         judge.Status
	}{
		{"an answer without the id", "import sys\nfor l in sys.stdin: print('{\"reward\": 1}')", judge.InvalidResult},
		{"two answers at once", "import sys, json\nfor l in sys.stdin:\n  s = json.dumps({'id': json.loads(l)['id'], 'reward': 1})\n  sys.stdout.write(s + '\\n' + s + '\\n')", judge.InvalidResult},
		{"its own error", "import sys, json\nfor l in sys.stdin: print(json.dumps({'id': json.loads(l)['id'], 'error': 'no model'}))", judge.Error},
		{"the end at once", "pass", judge.Error},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := judge.Call(t.Context(), commandJudge(t, tt.source, 10*time.Second), row(t, `{}`), 0)
			if got.Status != tt.want {
				t.Errorf("got %+v, want %s", got, tt.want)
			}
		})
	}
}

func TestCanaryIsNowhere(t *testing.T) {
	source := "def f(row):\n  k = row['privileged']['reference']\n  if row.get('raise'): raise ValueError(k)\n  return {'reward': 0, 'reason': k, k: 1, 'failure_class': k, 'x': [{'y': k}], 'markers': {k: 1}}"
	e := pythonJudge(t, source, "f", PythonConfig{})
	for _, extra := range []string{"", `"raise": 1, `} {
		got := judge.Call(t.Context(), e, row(t, `{`+extra+`"privileged": {"reference": "canary-4711"}}`), 0)
		if text := fmt.Sprintf("%+v %v", got, got.Err()); strings.Contains(text, "canary") {
			t.Errorf("seen: %s", text)
		}
	}
}

func TestMemoryIsFlat(t *testing.T) {
	e := commandJudge(t, echo, 0)
	r := row(t, `{"says": 1}`)
	var before, after runtime.MemStats
	for i := range 10000 {
		if i == 1000 {
			runtime.GC()
			runtime.ReadMemStats(&before)
		}
		if got := judge.Call(t.Context(), e, r, 0); got.Status != judge.OK {
			t.Fatalf("call %d: %+v", i, got)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if after.HeapAlloc > before.HeapAlloc+1<<20 {
		t.Errorf("heap from %d to %d", before.HeapAlloc, after.HeapAlloc)
	}
}

func TestHTTPStatuses(t *testing.T) {
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := calls.Add(1)
		switch r.URL.Path {
		case "/busy":
			if n == 1 {
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			fmt.Fprint(w, "1")
		case "/moved":
			http.Redirect(w, r, "/busy", http.StatusFound)
		case "/gone":
			w.WriteHeader(http.StatusNotFound)
		case "/text":
			fmt.Fprint(w, "one")
		case "/flood":
			_, _ = w.Write(make([]byte, 2<<20))
		case "/cut":
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, "1")
		case "/hang":
			_, _ = io.Copy(io.Discard, r.Body) // only then the server sees that the caller left
			<-r.Context().Done()
		}
	}))
	defer server.Close()
	for _, tt := range []struct {
		path  string
		want  judge.Status
		calls int32
	}{
		{"/busy", judge.OK, 2}, {"/moved", judge.Error, 1}, {"/gone", judge.Error, 1}, {"/text", judge.InvalidResult, 1},
		{"/flood", judge.InvalidResult, 1}, {"/cut", judge.Error, 2}, {"/hang", judge.Timeout, 2},
	} {
		calls.Store(0)
		h, err := NewHTTP(HTTPConfig{URL: server.URL + tt.path + "?token=canary", Key: "canary-key", Attempts: 2, Timeout: 300 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		got := judge.Call(t.Context(), h, row(t, `{"final_text": "x"}`), 0)
		if got.Status != tt.want || calls.Load() != tt.calls || strings.Contains(fmt.Sprintf("%+v", got), "canary") {
			t.Errorf("%s: %+v after %d calls, want %s after %d", tt.path, got, calls.Load(), tt.want, tt.calls)
		}
	}
	h, err := NewHTTP(HTTPConfig{URL: server.URL, Public: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Judge(context.Background(), row(t, `{}`)); err == nil || !strings.Contains(err.Error(), "not public") {
		t.Errorf("a private address: %v", err)
	}
}

func TestHTTPWithholdsThePrivilegedPart(t *testing.T) {
	r := row(t, `{"final_text": "a", "privileged": {"reference": "canary"}}`)
	if q := string(appendQuestion(nil, r, "", false)); strings.Contains(q, "canary") {
		t.Errorf("sent: %s", q)
	}
	if q := string(appendQuestion(nil, r, "", true)); strings.Count(q, "canary") != 2 {
		t.Errorf("not sent: %s", q)
	}
}

func TestPublicAddresses(t *testing.T) {
	for text, want := range map[string]bool{
		"8.8.8.8": true, "2606:4700::1111": true, "127.0.0.1": false, "10.1.2.3": false, "169.254.169.254": false,
		"100.64.0.1": false, "::1": false, "fd00::1": false, "::ffff:127.0.0.1": false, "64:ff9b::7f00:1": false, "0.0.0.0": false,
	} {
		if got := public(netip.MustParseAddr(text).Unmap()); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// TestBridgeIsTheOneOfThePackage: the embedded bridge and that of the Python package are one file.
func TestBridgeIsTheOneOfThePackage(t *testing.T) {
	text, err := os.ReadFile("../python/verifyd/_bridge.py")
	if err != nil || string(text) != bridge {
		t.Errorf("python/verifyd/_bridge.py differs from bridge.py: %v", err)
	}
}
