package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/zstd"
)

const trivial = `{"verifier":{"kind":"exact_match"},"row":{"id":%d,"final_text":"4","answer":"4"}}` + "\n"

// A program that sends one line and waits for its answer gets it, however short the line is.
func TestVerifyAnswersEachLineAtOnce(t *testing.T) {
	ask, in := io.Pipe()
	answers, out := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- run([]string{"verify", "--json", "-"}, ask, out, io.Discard)
		_ = out.Close() // never fails
	}()
	lines := bufio.NewScanner(answers)
	for i, line := range []string{"{}\n", fmt.Sprintf(trivial, 1), "x\n", fmt.Sprintf(trivial, 2)} {
		if _, err := io.WriteString(in, line); err != nil {
			t.Fatal(err)
		}
		if !lines.Scan() || !strings.Contains(lines.Text(), `"judge_status":`) {
			t.Fatalf("line %d: answer %q", i, lines.Text())
		}
	}
	_ = in.Close() // never fails
	if code := <-ended; code != exitOK {
		t.Errorf("exit status %d", code)
	}
}

// A slow line holds back no answer before it.
func TestVerifyDoesNotWaitForASlowLine(t *testing.T) {
	if ok, _ := condition("sandbox"); !ok {
		t.Skip("no sandbox for Python here")
	}
	slow := `{"verifier":{"kind":"code_exec"},"row":{"final_text":"import time\ntime.sleep(60)","privileged":{"tests":"assert True"}}}` + "\n"
	c := exec.CommandContext(t.Context(), "verifyd", "verify", "--json", "-")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(trivial, 1) + fmt.Sprintf(trivial, 2) + slow + fmt.Sprintf(trivial, 3)
	if _, err := io.WriteString(in, text); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for i := range 2 { // while the third is being judged, which takes ten seconds
		if !lines.Scan() || !strings.Contains(lines.Text(), `"reward":1`) {
			t.Fatalf("answer %d: %q", i, lines.Text())
		}
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); c.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("ended with %v, want exit status %d", err, exitInterrupted)
	}
}

// The rows graded before an interrupt are whole, and the exit status says what happened.
func TestGradeEndsWholeOnInterrupt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.jsonl")
	c := exec.CommandContext(t.Context(), "verifyd", "grade", "-", "--verifier", "exact_match", "-o", file)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	c.Stderr = &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, `{"final_text":"4","answer":"4"}`+"\n"+`{"final_text":"5","ans`); err != nil {
		t.Fatal(err)
	}
	waitForSize(t, file, 1)
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err = c.Wait()
	got, readErr := os.ReadFile(file)
	if readErr != nil {
		t.Fatal(readErr)
	}
	if c.ProcessState.ExitCode() != exitInterrupted || strings.Count(string(got), "\n") != 1 || !strings.HasSuffix(string(got), "}\n") {
		t.Errorf("ended with %v and %q, want exit status %d and one whole line", err, got, exitInterrupted)
	}
	if !strings.Contains(said.String(), "1 rows are graded and whole; go on with --resume") {
		t.Errorf("it said %q", said.String())
	}
}

func TestGradeReadsPackedRows(t *testing.T) {
	dir := t.TempDir()
	text := []byte(`{"final_text":"4","answer":"4"}` + "\n" + `{"final_text":"5","answer":"4"}` + "\n")
	var packed, denser bytes.Buffer
	g := gzip.NewWriter(&packed)
	z, err := zstd.NewWriter(&denser)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []io.WriteCloser{g, z} {
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	grade := func(name string, content []byte) (string, int) {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		code := run([]string{"grade", file, "--verifier", "exact_match", "-o", "-"}, nil, &out, io.Discard)
		return out.String(), code
	}
	want, _ := grade("rows.jsonl", text)
	for name, content := range map[string][]byte{"rows.jsonl.gz": packed.Bytes(), "rows.jsonl.zst": denser.Bytes()} {
		if got, code := grade(name, content); code != exitOK || got != want {
			t.Errorf("%s: exit status %d and %q, want %q", name, code, got, want)
		}
	}
}

// A packed file that was cut off says so with its name, and how the rows that were graded are gone on with.
func TestGradeNamesAPackedFileThatWasCutOff(t *testing.T) {
	dir := t.TempDir()
	var text, packed, denser bytes.Buffer
	for i := range 50_000 {
		fmt.Fprintf(&text, `{"id":%d,"final_text":"4","answer":"%x"}`+"\n", i, i*i*7919)
	}
	g := gzip.NewWriter(&packed)
	z, err := zstd.NewWriter(&denser)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []io.WriteCloser{g, z} {
		if _, err := w.Write(text.Bytes()); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range map[string][]byte{"cut.jsonl.gz": packed.Bytes(), "cut.jsonl.zst": denser.Bytes()} {
		in, out, want := filepath.Join(dir, name), filepath.Join(dir, name+".graded"), filepath.Join(dir, name+".want")
		if err := os.WriteFile(in, content[:len(content)/2], 0o600); err != nil {
			t.Fatal(err)
		}
		var said bytes.Buffer
		code := run([]string{"grade", in, "--verifier", "exact_match", "-o", out}, nil, io.Discard, &said)
		for _, part := range []string{in + ": after line ", "the compressed data end too early, the file is cut off", out + " holds the ", out + ".resume", "--resume goes on"} {
			if code != exitUsage || !strings.Contains(said.String(), part) {
				t.Errorf("%s: exit status %d, said %q without %q", name, code, said.String(), part)
			}
		}
		if err := os.WriteFile(in, content, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"-o", out, "--resume"}, {"-o", want}} {
			if code := run(append([]string{"grade", in, "--verifier", "exact_match"}, args...), nil, io.Discard, os.Stderr); code != exitOK {
				t.Errorf("%s: the whole file with %q: exit status %d", name, args, code)
			}
		}
		a, errA := os.ReadFile(out)
		b, errB := os.ReadFile(want)
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s: resumed with the whole file, the output differs (%v, %v)", name, errA, errB)
		}
	}
}
