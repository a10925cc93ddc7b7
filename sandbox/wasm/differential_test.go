package wasm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// TestProgramsDoAsTheyDoNatively runs programs of models and people on both interpreters: the same output, the same exit status and the
// same exception. VERIFYD_WASM_TESTS=all takes all of them, otherwise every third. It needs a native Python of the same minor version; hashes of strings are fixed, as they are in wasm.
func TestProgramsDoAsTheyDoNatively(t *testing.T) {
	native, err := exec.LookPath("/usr/bin/python3.11")
	if err != nil {
		if native, err = exec.LookPath("python3.11"); err != nil {
			t.Skip("python3.11 is not installed: nothing to compare with")
		}
	}
	programs := corpus(t)
	var wg sync.WaitGroup
	next := make(chan program)
	for range 2 {
		wg.Go(func() {
			for p := range next {
				compare(t, native, p)
			}
		})
	}
	step := 3
	if os.Getenv("VERIFYD_WASM_TESTS") == "all" {
		step = 1
	}
	for i := 0; i < len(programs); i += step {
		next <- programs[i]
	}
	close(next)
	wg.Wait()
	t.Logf("%d of %d programs", (len(programs)+step-1)/step, len(programs))
}

type program struct{ id, source, input string }

func compare(t *testing.T, native string, p program) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, native, "-S", "-B", "-X", "utf8", "-c", p.source)
	cmd.Dir, cmd.Env, cmd.Stdin = t.TempDir(), []string{"PYTHONHASHSEED=0"}, strings.NewReader(p.input)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // how it ended stands in its state
	if cmd.ProcessState.UserTime() > time.Second {
		return // a search that takes long here takes long there: it tells nothing of right and wrong
	}
	r, err := backend(t).Run(t.Context(), sandbox.Spec{
		Args: []string{"python3", "-B", "-X", "utf8", "-c", p.source}, Stdin: []byte(p.input),
		Limits: sandbox.Limits{Wall: time.Minute, CPU: time.Minute, Memory: 512 << 20},
	})
	if err != nil {
		t.Errorf("%s: %v", p.id, err)
		return
	}
	want := fmt.Sprintf("exit %d\n%s%s", cmd.ProcessState.ExitCode(), out.Bytes(), lastLine(errs.Bytes()))
	got := fmt.Sprintf("exit %d\n%s%s", r.ExitCode, r.Stdout.Data, lastLine(r.Stderr.Data))
	if got != want {
		t.Errorf("%s: on wasm %s\nnatively %s", p.id, got, want)
	}
}

var address = regexp.MustCompile(`0x[0-9a-f]+`)

func lastLine(stderr []byte) string {
	lines := strings.Split(strings.TrimSpace(string(stderr)), "\n")
	return address.ReplaceAllString(lines[len(lines)-1], "0x")
}

// corpus makes programs out of graded rows: the row's program with its tests behind it, printing what it answers.
func corpus(t *testing.T) (list []program) {
	t.Helper()
	f, err := os.Open("../../testdata/corpus/code/python-rows.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var row struct {
			ID, Prompt, Code string
			FinalText        string `json:"final_text"`
			Expected         struct{ Status string }
			Privileged       struct{ Tests tests }
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if row.Expected.Status == "timeout" {
			continue
		}
		code := row.Code
		if row.Privileged.Tests.Assemble == "prompt_plus_completion" {
			if code == "" {
				code = row.FinalText
			}
			code = row.Prompt + code
		}
		list = append(list, row.Privileged.Tests.programs(row.ID, code)...)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

type tests struct {
	Format, Assemble, Prelude, Code, Check, Class string
	EntryPoint                                    string `json:"entry_point"`
	FnName                                        string `json:"fn_name"`
	Inputs                                        json.RawMessage
}

func (x tests) programs(id, code string) (list []program) {
	code = x.Prelude + "\n" + code + "\n"
	switch x.Format {
	case "asserts":
		return []program{{id: id, source: code + x.Code}}
	case "check_fn":
		return []program{{id: id, source: code + x.Check + "\ncheck(" + x.EntryPoint + ")"}}
	case "fn_call":
		call := x.FnName
		if x.Class != "" {
			call = x.Class + "()." + x.FnName
		}
		return []program{{id: id, input: string(x.Inputs), source: code + `
import json, sys
for case in json.load(sys.stdin):
    try: print(repr(` + call + `(*case)))
    except Exception as e: print(repr(e))`}}
	case "stdin_stdout":
		var inputs []string
		if json.Unmarshal(x.Inputs, &inputs) != nil {
			return nil
		}
		for i, in := range inputs[:min(2, len(inputs))] {
			list = append(list, program{id: fmt.Sprintf("%s[%d]", id, i), source: code, input: in})
		}
	}
	return list
}
