package codecheck_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/verifyd/verifyd/codecheck"
	"github.com/verifyd/verifyd/sandbox/sandboxtest"
)

var bars = flag.Bool("bars", false, "measure the bars of languages (make bench-langs)")

// maxCaseCPU is what a stdin case of a compiled program may cost above the bare program, in milliseconds of processor time.
const maxCaseCPU = 3

// TestLanguageBars measures compiled programs by slope: what twenty more cases cost, beside twenty starts of the bare program. In each
// turn all are run once, so that load on the machine meets them alike; the least of the turns counts.
func TestLanguageBars(t *testing.T) {
	if !*bars {
		t.Skip("make bench-langs measures them")
	}
	usage, r := sandboxtest.Account(t), runner(t)
	for _, name := range []string{"cpp", "c", "rust", "go"} {
		t.Run(name, func(t *testing.T) {
			chain, err := r.Toolchain(name)
			if err != nil {
				t.Skip(err)
			}
			lang, _ := codecheck.FindLanguage(codecheck.Languages(), name)
			bare := filepath.Join(t.TempDir(), "bare")
			compileBare(t, lang, chain, bare)
			task := func(n int) codecheck.Task {
				list := func(s string) string { return "[" + strings.TrimSuffix(strings.Repeat(s+",", n), ",") + "]" }
				return codecheck.Task{Language: name, Answer: lang.Hello, Tests: parse(t, `{"format": "stdin_stdout", "inputs": `+list(`"41"`)+`, "outputs": `+list(`"ok 42"`)+`}`)}
			}
			cost := func(run func()) float64 { start := usage(); run(); return usage() - start }
			first := cost(func() { check(t, task(1)) })
			var one, many, plain []float64
			for range 15 {
				one = append(one, cost(func() { check(t, task(1)) }))
				many = append(many, cost(func() {
					if rep := check(t, task(21)); rep.Status != codecheck.Passed {
						t.Fatalf("%s: %s", rep.Status, rep.Reason)
					}
				}))
				plain = append(plain, cost(func() {
					for range 20 {
						cmd := exec.Command(bare)
						cmd.Stdin = strings.NewReader("41\n")
						if err := cmd.Run(); err != nil {
							t.Fatal(err)
						}
					}
				}))
			}
			above := (least(many) - least(one) - least(plain)) / 20
			t.Logf("%s: first %.1f ms with its compilation, again %.1f ms; a case %.2f ms, the bare program %.2f ms, above it %.2f ms", name, first, least(one), (least(many)-least(one))/20, least(plain)/20, above)
			if above > maxCaseCPU && len(lang.Sources) > 0 { // C and C++; Go's and Rust's programs are megabytes that each case gets anew
				t.Errorf("a case costs %.2f ms above the bare program, want at most %d", above, maxCaseCPU)
			}
			if least(one) > first/2 {
				t.Errorf("the second candidate with the same source costs %.1f ms, the first %.1f: it was compiled again", least(one), first)
			}
		})
	}
}

// TestLanguagesUnderOverload runs rows of all languages beside four spinning processes a processor: the same verdicts.
func TestLanguagesUnderOverload(t *testing.T) {
	if !*bars {
		t.Skip("make bench-langs measures them")
	}
	r := runner(t)
	for range 4 * runtime.NumCPU() {
		spin := exec.Command("/bin/sh", "-c", "while :; do :; done")
		if err := spin.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = spin.Process.Kill(); _ = spin.Wait() }) // it was killed
	}
	for _, l := range codecheck.Languages() {
		if _, err := r.Toolchain(l.Name); err != nil {
			continue
		}
		for _, row := range few(multilangRows(t, l.Name), 4) {
			if rep := check(t, row.task(t, l.Name)); rep.Reward != row.Expected.Reward || !rep.Status.Judged() {
				t.Errorf("%s: reward %v (%s: %s), want %v", row.ID, rep.Reward, rep.Status, rep.Reason, row.Expected.Reward)
			}
		}
	}
}

func least(list []float64) float64 {
	m := list[0]
	for _, x := range list {
		m = min(m, x)
	}
	return m
}

// compileBare compiles the language's known program outside of all sandboxes.
func compileBare(t *testing.T, lang codecheck.Language, chain codecheck.Toolchain, bin string) {
	t.Helper()
	src := filepath.Join(filepath.Dir(bin), lang.File)
	if err := os.WriteFile(src, []byte(lang.Hello), 0o600); err != nil {
		t.Fatal(err)
	}
	line := make([]string, len(lang.Compile))
	for i, a := range lang.Compile {
		line[i] = strings.NewReplacer("{exe}", chain.Exe, "{bin}", bin, "{src}", src).Replace(a)
	}
	if out, err := exec.Command(line[0], line[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %v: %.500s", line, err, out)
	}
}
