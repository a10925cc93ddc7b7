package rollout

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

const threeRows = "{\"id\":1}\n\n{broken\r\n{\"id\":3}"

func packed(t *testing.T, how string) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch how {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "zstd":
		z, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		w = z
	default:
		return []byte(threeRows)
	}
	if _, err := io.WriteString(w, threeRows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestReaderGoesOnBehindABrokenLine(t *testing.T) {
	for _, how := range []string{"plain", "gzip", "zstd"} {
		t.Run(how, func(t *testing.T) {
			r, err := NewReader(bytes.NewReader(packed(t, how)), 0)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if row, err := r.Read(); err != nil || row.ID != "1" {
				t.Fatalf("first row: %v, %v", row, err)
			}
			_, err = r.Read()
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Line != 3 || syntax.Column != 2 {
				t.Fatalf("second row: %v, want a SyntaxError at line 3, column 2", err)
			}
			if row, err := r.Read(); err != nil || row.ID != "3" || r.Line() != 4 {
				t.Fatalf("third row: %v, %v at line %d", row, err, r.Line())
			}
			if _, err := r.Read(); !errors.Is(err, io.EOF) {
				t.Fatalf("end: %v, want io.EOF", err)
			}
			if r.Offset() != int64(len(threeRows)) {
				t.Errorf("Offset() = %d, want %d", r.Offset(), len(threeRows))
			}
		})
	}
}

func TestReaderPassesOverALineBeyondTheLimit(t *testing.T) {
	long := `{"id":"` + strings.Repeat("x", 1<<20) + `"}`
	r, err := NewReader(strings.NewReader(long+"\n{\"id\":2}\n"), 1000)
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Read()
	var syntax *SyntaxError
	if !errors.As(err, &syntax) || syntax.Line != 1 || !strings.Contains(err.Error(), "over the limit of 1000") {
		t.Fatalf("long line: %v", err)
	}
	if row, err := r.Read(); err != nil || row.ID != "2" {
		t.Fatalf("next row: %v, %v", row, err)
	}
}

func TestReaderReportsABrokenArchive(t *testing.T) {
	if _, err := NewReader(strings.NewReader("\x1f\x8bxx"), 0); err == nil {
		t.Error("a broken gzip header was taken")
	}
	whole := packed(t, "gzip")
	r, err := NewReader(bytes.NewReader(whole[:len(whole)-6]), 0)
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err = r.Read(); err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) {
				break
			}
		}
	}
	if errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a cut archive ended with %v", err)
	}
}

func TestReaderPassesOverAByteOrderMark(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"before a row", "\ufeff{\"id\":1}\n{\"id\":2}\n", "1:{\"id\":1} 2:{\"id\":2} "},
		{"before a blank line", "\ufeff\n{\"id\":2}\n", "2:{\"id\":2} "},
		{"alone", "\ufeff", ""},
		{"only once, and only in front", "\ufeff\ufeff1\n\ufeff2", "1:\ufeff1 2:\ufeff2 "},
	} {
		r, err := NewReader(strings.NewReader(tt.text), 0)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for {
			line, err := r.AppendNext([]byte("kept"))
			if err != nil {
				break
			}
			got += fmt.Sprintf("%d:%s ", r.Line(), strings.TrimPrefix(string(line), "kept"))
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
		r.Close()
	}
}
