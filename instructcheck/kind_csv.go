package instructcheck

import (
	"fmt"
	"strings"
)

// A table of separated values by RFC 4180: fields between separators, records between line ends, a field plain or in
// double quotes, where "" stands for one quote. A plain field holds no quote.
type csvField struct {
	text   string
	quoted bool
}

// readCSV reads a table; ok is false where it breaks the rules. One pass.
func readCSV(s string, sep byte) (records [][]csvField, ok bool) {
	record := []csvField{}
	for i := 0; ; {
		field, n, ok := readCSVField(s[i:], sep)
		if !ok {
			return nil, false
		}
		record = append(record, field)
		i += n
		if i == len(s) {
			return append(records, record), true
		}
		if s[i] == '\n' {
			records, record = append(records, record), nil
		}
		i++
	}
}

// readCSVField reads the field that s begins with, up to a separator, a line end or the end.
func readCSVField(s string, sep byte) (f csvField, n int, ok bool) {
	if s == "" || s[0] != '"' {
		for n < len(s) && s[n] != sep && s[n] != '\n' {
			if s[n] == '"' {
				return f, n, false
			}
			n++
		}
		return csvField{text: s[:n]}, n, true
	}
	var b strings.Builder
	for n = 1; n < len(s); n++ {
		if s[n] != '"' {
			b.WriteByte(s[n])
			continue
		}
		n++
		if n == len(s) || s[n] == sep || s[n] == '\n' {
			return csvField{b.String(), true}, n, true
		}
		if s[n] != '"' {
			return f, n, false
		}
		b.WriteByte('"')
	}
	return f, n, false
}

// csvTask is what one of the three kinds asks for.
type csvTask struct {
	header  []string
	rows    int
	sep     byte
	special bool // a quoted field with a character that is no letter, digit or space
	quoted  bool // each field is quoted
}

func customCSVCity(*params) check {
	return csvTask{header: []string{"ID", "Country", "City", "Year", "Count"}, rows: 7, sep: ','}.check
}

func customCSVSpecial(*params) check {
	return csvTask{header: []string{"ProductID", "Category", "Brand", "Price", "Stock"}, rows: 14, sep: ',', special: true}.check
}

func customCSVQuotes(*params) check {
	return csvTask{header: []string{"StudentID", "Subject", "Grade", "Semester", "Score"}, rows: 3, sep: '\t', quoted: true}.check
}

// check reads all of the text, or the one fence around all of it, as the table.
func (c csvTask) check(t *Text) (bool, string) {
	s := t.s
	if content, _, ok := soleFence(s); ok {
		s = content
	}
	records, ok := readCSV(strings.Trim(s, "\n "), c.sep)
	if !ok {
		return false, "the answer is no table of separated values"
	}
	if len(records) != c.rows+1 {
		return false, fmt.Sprintf("%d rows below the header, exactly %d asked for", len(records)-1, c.rows)
	}
	special := false
	for i, record := range records {
		if len(record) != len(c.header) {
			return false, fmt.Sprintf("row %d has %d fields, exactly %d asked for", i, len(record), len(c.header))
		}
		for k, f := range record {
			if c.quoted && !f.quoted {
				return false, fmt.Sprintf("field %d of row %d is not quoted", k+1, i)
			}
			if i == 0 && f.text != c.header[k] {
				return false, fmt.Sprintf("column %d of the header must be %s", k+1, c.header[k])
			}
			special = special || i > 0 && f.quoted && strings.ContainsFunc(f.text, isSpecial)
		}
	}
	if c.special && !special {
		return false, "no quoted field has a special character"
	}
	return true, "the table is as asked for"
}

func isSpecial(r rune) bool { return !isWordRune(r) && r != ' ' }
