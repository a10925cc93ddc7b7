package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// A run that was killed, wherever, and resumed leaves the file of an undisturbed run.
func TestGradeSurvivesKill9(t *testing.T) {
	const rows = 120_000
	dir := t.TempDir()
	input, whole, out := filepath.Join(dir, "rows.jsonl"), filepath.Join(dir, "whole.jsonl"), filepath.Join(dir, "out.jsonl")
	var text bytes.Buffer
	for i := range rows {
		if i%997 == 5 {
			text.WriteString("{broken\n")
			continue
		}
		fmt.Fprintf(&text, `{"id":%d,"final_text":"%d","answer":"%d"}`+"\n", i, i%8, i%16)
	}
	if err := os.WriteFile(input, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	grade := func(out string, more ...string) int {
		return run(append([]string{"grade", input, "--verifier", "exact_match", "-o", out}, more...), bytes.NewReader(nil), io.Discard, os.Stderr)
	}
	if code := grade(whole); code != exitOK {
		t.Fatalf("the undisturbed run: exit status %d", code)
	}
	want, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, share := range []float64{0.1, 0.4, 0.8} {
		_ = os.Remove(out)
		killed := killAt(t, out, int64(share*float64(len(want))), "grade", input, "--verifier", "exact_match", "-o", out)
		if code := grade(out, "--resume"); code != exitOK {
			t.Fatalf("resumed at %d of %d bytes: exit status %d", killed, len(want), code)
		}
		got, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("killed at %d of %d bytes and resumed, the file differs from that of an undisturbed run", killed, len(want))
		}
		if _, err := os.Stat(out + ".resume"); err == nil {
			t.Error("the record of the run is left")
		}
	}
}

// killAt runs verifyd and kills it when the file has the size; it returns the size that is left.
func killAt(t *testing.T, file string, size int64, args ...string) int64 {
	t.Helper()
	c := exec.CommandContext(t.Context(), "verifyd", args...) // on the path by testscript.Main
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	waitForSize(t, file, size)
	_ = c.Process.Kill() // it may have ended
	_ = c.Wait()         // reports the kill
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// waitForSize polls the file of another process, since there is nothing to wait on.
func waitForSize(t *testing.T, file string, size int64) {
	t.Helper()
	for t.Context().Err() == nil {
		if info, err := os.Stat(file); err == nil && info.Size() >= size {
			return
		}
		time.Sleep(time.Millisecond)
	}
}
