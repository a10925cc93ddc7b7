package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Printer writes lines and tables, and keeps the first error. Not safe for concurrent use.
type Printer struct {
	w      io.Writer
	colour bool
	err    error
}

// New makes a printer. With colour, text carries the escape sequences of ECMA-48 for bold, dim, red, green and yellow.
func New(w io.Writer, colour bool) *Printer { return &Printer{w: w, colour: colour} }

// Err is the first error of writing.
func (p *Printer) Err() error { return p.err }

// Line writes a line.
func (p *Printer) Line(text string) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, strings.TrimRight(text, " "))
	}
}

func (p *Printer) paint(code, text string) string {
	if !p.colour || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Bold and the others return the text in that manner where the printer has colours.
func (p *Printer) Bold(text string) string { return p.paint("1", text) }

// Dim is for what may be passed over.
func (p *Printer) Dim(text string) string { return p.paint("2", text) }

// Red is for what failed.
func (p *Printer) Red(text string) string { return p.paint("31", text) }

// Green is for what passed.
func (p *Printer) Green(text string) string { return p.paint("32", text) }

// Yellow is for what could not be decided.
func (p *Printer) Yellow(text string) string { return p.paint("33", text) }

// Table is rows of cells under a head. Cells may be painted.
type Table struct {
	Head  []string
	Right []bool // columns set to the right, as numbers are; missing ones are set to the left
	Rows  [][]string
}

// columnGap stands between two columns.
const columnGap = "  "

// Table writes a table with its columns aligned.
func (p *Printer) Table(t Table) {
	widths := make([]int, len(t.Head))
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		for i, cell := range row {
			if i < len(widths) {
				widths[i] = max(widths[i], Width(cell))
			}
		}
	}
	head := make([]string, len(t.Head))
	for i, h := range t.Head {
		head[i] = p.Dim(h)
	}
	p.Line(t.row(head, widths))
	for _, row := range t.Rows {
		p.Line(t.row(row, widths))
	}
}

func (t Table) row(cells []string, widths []int) string {
	var b strings.Builder
	for i, cell := range cells {
		if i >= len(widths) {
			break
		}
		pad := strings.Repeat(" ", widths[i]-Width(cell))
		if i > 0 {
			b.WriteString(columnGap)
		}
		if i < len(t.Right) && t.Right[i] {
			b.WriteString(pad + cell)
		} else {
			b.WriteString(cell + pad)
		}
	}
	return b.String()
}

// Width is the number of characters that are seen: escape sequences are none. Every character counts as one cell.
func Width(s string) int {
	n := 0
	for {
		i := strings.Index(s, "\x1b[")
		if i < 0 {
			return n + utf8.RuneCountInString(s)
		}
		n += utf8.RuneCountInString(s[:i])
		end := strings.IndexByte(s[i:], 'm')
		if end < 0 {
			return n
		}
		s = s[i+end+1:]
	}
}

// leastWidth is the narrowest column that Wrapped sets text in.
const leastWidth = 20

// Wrapped writes text behind a label, broken at width seen characters into lines that begin with indent. Blanks in the text
// are kept where it fits on the line, and with a width of 0, which is without end.
func (p *Printer) Wrapped(label, indent, text string, width int) {
	if width <= 0 || Width(label)+Width(text) <= width {
		p.Line(label + text)
		return
	}
	room := width - Width(label)
	if room < leastWidth { // a long label has a line of its own
		p.Line(label)
		label, room = indent, width-Width(indent)
	}
	for rest := text; rest != ""; label, room = indent, width-Width(indent) {
		line := Wrap(rest, max(room, leastWidth))[0]
		rest = strings.Join(strings.Fields(rest), " ")[len(line):]
		rest = strings.TrimSpace(rest)
		p.Line(label + line)
	}
}

// Wrap breaks text at blanks into lines of at most n seen characters; a longer word has a line of its own.
func Wrap(text string, n int) []string {
	lines := []string{""}
	for _, word := range strings.Fields(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case Width(*last)+1+Width(word) <= n:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}
