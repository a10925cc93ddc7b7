package regexcheck

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type corpusRow struct {
	ID, Pattern, Op string
	Flags           []string
	FinalText       string `json:"final_text"`
	Text            struct {
		Prefix, Pump, Suffix string
		N                    int
	}
	Expected struct {
		Status string
		Span   []int
		Groups []*string
		Group0 string
	}
}

func corpus(t testing.TB, name string) []corpusRow {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", "corpus", "regex", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows []corpusRow
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<24)
	for in.Scan() {
		var r corpusRow
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

func ask(p *Pattern, op, text string) (Match, error) {
	switch op {
	case "match":
		return p.Match(text)
	case "fullmatch":
		return p.FullMatch(text)
	}
	return p.Search(text)
}

// TestCorpusSemantics compares status, span and groups with what CPython 3.11 answered.
func TestCorpusSemantics(t *testing.T) {
	for _, r := range corpus(t, "semantics.jsonl") {
		f, err := ParseFlags(strings.Join(r.Flags, ""))
		if err != nil {
			t.Fatal(err)
		}
		p, err := Compile(r.Pattern, f)
		if (err != nil) != (r.Expected.Status == "bad_pattern") {
			t.Errorf("%s: Compile(%q) = %v, want %s", r.ID, r.Pattern, err, r.Expected.Status)
		}
		if err != nil {
			continue
		}
		m, err := ask(p, r.Op, r.FinalText)
		if err != nil || m.Found != (r.Expected.Status == "match") {
			t.Errorf("%s: %s of %q in %q = %v, %v, want %s", r.ID, r.Op, r.Pattern, r.FinalText, m.Found, err, r.Expected.Status)
			continue
		}
		if !m.Found {
			continue
		}
		if s, e := m.Span(); s != r.Expected.Span[0] || e != r.Expected.Span[1] || m.Groups[0].Text != r.Expected.Group0 {
			t.Errorf("%s: span %d, %d %q, want %v %q", r.ID, s, e, m.Groups[0].Text, r.Expected.Span, r.Expected.Group0)
		}
		if len(r.Expected.Groups) != p.NumGroups() {
			t.Errorf("%s: %d groups, want %d", r.ID, p.NumGroups(), len(r.Expected.Groups))
			continue
		}
		for i, want := range r.Expected.Groups {
			got := m.Groups[i+1]
			if got.Took != (want != nil) || want != nil && got.Text != *want {
				t.Errorf("%s: group %d = %+v, want %v", r.ID, i+1, got, want)
			}
		}
	}
}

// maxRedosSteps is the dearest a pattern of the corpus may be; a step is a few nanoseconds.
const maxRedosSteps = 20_000_000

// TestCorpusRedos asks the patterns that are slow elsewhere.
func TestCorpusRedos(t *testing.T) {
	for _, r := range corpus(t, "redos.jsonl") {
		f, err := ParseFlags(strings.Join(r.Flags, ""))
		if err != nil {
			t.Fatal(err)
		}
		p, err := Compile(r.Pattern, f)
		if err != nil {
			t.Errorf("%s: %v", r.ID, err)
			continue
		}
		m, err := ask(p, r.Op, r.Text.Prefix+strings.Repeat(r.Text.Pump, r.Text.N)+r.Text.Suffix)
		if err != nil || m.Found != (r.Expected.Status == "match") {
			t.Errorf("%s: %v, %v, want %s (%d steps)", r.ID, m.Found, err, r.Expected.Status, m.Steps)
		}
		if m.Steps > maxRedosSteps {
			t.Errorf("%s: %d steps, want at most %d", r.ID, m.Steps, maxRedosSteps)
		}
	}
}

func BenchmarkRedos(b *testing.B) {
	for _, r := range corpus(b, "redos.jsonl") {
		f, _ := ParseFlags(strings.Join(r.Flags, ""))
		p, err := Compile(r.Pattern, f)
		if err != nil {
			b.Fatal(err)
		}
		text := r.Text.Prefix + strings.Repeat(r.Text.Pump, r.Text.N) + r.Text.Suffix
		b.Run(r.ID, func(b *testing.B) {
			for b.Loop() {
				m, _ := ask(p, r.Op, text)
				b.ReportMetric(float64(m.Steps), "steps")
			}
		})
	}
}
