package report

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestNumbersAreWrittenForPeople(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Count(0), "0"}, {Count(999), "999"}, {Count(1000), "1,000"}, {Count(1234567), "1,234,567"}, {Count(-1234), "-1,234"},
		{Percent(0.123), "12.3 %"}, {Seconds(0.0123), "0.012 s"}, {Seconds(1.234), "1.23 s"}, {Seconds(123.4), "123 s"},
		{Bytes(512), "512 B"}, {Bytes(1536), "1.5 KiB"}, {Bytes(64 << 20), "64 MiB"}, {Bytes(5 << 40), "5 TiB"},
		{Short("abc", 3), "abc"}, {Short("abcd", 3), "ab…"}, {Short("a\nb\tc", 9), "a b c"}, {Short("äöüß", 3), "äö…"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestTableAlignsPaintedCells(t *testing.T) {
	var b strings.Builder
	p := New(&b, true)
	p.Table(Table{Head: []string{"name", "n"}, Right: []bool{false, true}, Rows: [][]string{{p.Red("é"), "1"}, {"longer", p.Green("23")}, {"a", "b", "beyond"}}})
	want := "\x1b[2mname\x1b[0m     \x1b[2mn\x1b[0m\n\x1b[31mé\x1b[0m        1\nlonger  \x1b[32m23\x1b[0m\na        b\n"
	if b.String() != want || p.Err() != nil {
		t.Errorf("got\n%q, want\n%q", b.String(), want)
	}
}

func TestPrinterWithoutColourPaintsNothing(t *testing.T) {
	p := New(&strings.Builder{}, false)
	for _, got := range []string{p.Bold("x"), p.Dim("x"), p.Red("x"), p.Green("x"), p.Yellow("x")} {
		if got != "x" {
			t.Errorf("got %q", got)
		}
	}
}

func TestWrapBreaksAtBlanks(t *testing.T) {
	if got, want := Wrap("one two  three enormously", 8), []string{"one two", "three", "enormously"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if n := Width("\x1b[1mab\x1b[0mc\x1b["); n != 3 {
		t.Errorf("width %d, want 3", n)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestPrinterKeepsTheFirstError(t *testing.T) {
	p := New(full{}, false)
	p.Line("x")
	p.Line("y")
	if p.Err() == nil {
		t.Error("no error")
	}
}

func TestWrappedBreaksBehindTheLabel(t *testing.T) {
	for _, tt := range []struct {
		name, label, text string
		width             int
		want              string
	}{
		{"no width", "a ", "one  two three", 0, "a one  two three\n"},
		{"it fits", "a ", "one  two", 10, "a one  two\n"},
		{"two lines", "label ", "one two three four five six", 30, "label one two three four five\n    six\n"},
		{"a long label", "a label that is long ", "one two three four five", 30, "a label that is long\n    one two three four five\n"},
		{"a word that is longer", "a ", "abcdefghijklmnopqrstuvwxyz 1", 24, "a abcdefghijklmnopqrstuvwxyz\n    1\n"},
		{"letters of several bytes", "ä ", "éé üü öö éé üü öö éé üü öö", 24, "ä éé üü öö éé üü öö éé\n    üü öö\n"},
		{"no text", "a ", "", 1, "a\n"},
	} {
		var b strings.Builder
		New(&b, false).Wrapped(tt.label, "    ", tt.text, tt.width)
		if b.String() != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, b.String(), tt.want)
		}
	}
}
