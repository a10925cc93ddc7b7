package jsoncheck

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// ErrLimit is wrapped by every answer that was refused because of its cost: nesting, size of a number, steps.
var ErrLimit = errors.New("over the check's limit")

// A SyntaxError says where and why a text is not RFC 8259 JSON.
type SyntaxError struct {
	Offset       int    // bytes before the fault
	Line, Column int    // both from 1; the column counts code points
	Msg          string // lower case, quotes at most one character of the text
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("jsoncheck: line %d, column %d: %s", e.Line, e.Column, e.Msg)
}

// syntaxError builds the error for a fault at a byte offset of text.
func syntaxError(text string, offset int, msg string) *SyntaxError {
	offset = min(offset, len(text))
	head := text[:offset]
	return &SyntaxError{
		Offset: offset,
		Line:   strings.Count(head, "\n") + 1,
		Column: utf8.RuneCountInString(head[strings.LastIndexByte(head, '\n')+1:]) + 1,
		Msg:    msg,
	}
}
