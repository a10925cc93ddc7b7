package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkGrade grades trivial rows from a file: what a row costs apart from its check.
func BenchmarkGrade(b *testing.B) {
	dir := b.TempDir()
	rows := filepath.Join(dir, "rows.jsonl")
	var text bytes.Buffer
	for i := range b.N {
		fmt.Fprintf(&text, `{"id": "r%d", "prompt": "say %d", "final_text": "It is\n%d", "privileged": {"reference": "%d"}}`+"\n", i, i/8, i%8, i%16)
	}
	if err := os.WriteFile(rows, text.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len() / b.N))
	b.ReportAllocs()
	b.ResetTimer()
	args := []string{"grade", rows, "--verifier", "exact_match", "-o", filepath.Join(dir, "out.jsonl")}
	if code := run(args, bytes.NewReader(nil), io.Discard, os.Stderr); code != 0 {
		b.Fatalf("exit status %d", code)
	}
}
