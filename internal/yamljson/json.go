package yamljson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// checkJSON finds a key that stands twice in a valid JSON text.
func checkJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var open []map[string]bool // keys of the open objects, nil for a list
	key := false               // the next text is a key
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return &Error{Msg: err.Error()}
		}
		switch t := token.(type) {
		case json.Delim:
			switch t {
			case '{':
				open = append(open, map[string]bool{})
			case '[':
				open = append(open, nil)
			default:
				open = open[:len(open)-1]
			}
			key = len(open) > 0 && open[len(open)-1] != nil
			continue
		case string:
			if key {
				top := open[len(open)-1]
				if top[t] {
					line, column := position(text, int(d.InputOffset()))
					return &Error{line, column, fmt.Sprintf("key %s stands twice", quote(t))}
				}
				top[t] = true
				key = false
				continue
			}
		}
		key = len(open) > 0 && open[len(open)-1] != nil
	}
}

// position returns line and column of the string token that ends at offset.
func position(text []byte, offset int) (line, column int) {
	start := offset - 1
	for start > 0 && !(text[start-1] == '"' && !escapedQuote(text, start-1)) {
		start--
	}
	start = max(start-1, 0)
	head := text[:start]
	return bytes.Count(head, []byte("\n")) + 1, utf8.RuneCount(head[bytes.LastIndexByte(head, '\n')+1:]) + 1
}

// escapedQuote reports whether an odd number of backslashes stands before i.
func escapedQuote(text []byte, i int) bool {
	n := 0
	for i-n > 0 && text[i-n-1] == '\\' {
		n++
	}
	return n%2 == 1
}
