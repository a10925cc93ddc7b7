package jsoncheck

import (
	"errors"
	"strings"
)

// How says where in an answer its JSON stood.
type How uint8

// The places, in the order in which they are tried.
const (
	Whole How = iota // the whole text
	Fence            // the last fence tagged json, or untagged
	Span             // from the first { or [ to the last matching bracket
)

// String returns "whole", "fence" or "span".
func (h How) String() string { return [...]string{"whole", "fence", "span"}[h] }

// Extract finds the JSON of an answer: the whole text, else the content of the last fence that is tagged json or
// untagged, else the span from the first { or [ to the last } or ] that matches it. A place counts when what stands
// there is strict JSON. With whole only the first place is tried. Cost is linear in the text.
//
// The error is that of the whole text, or wraps ErrLimit when a place was too deep to read.
func Extract(text string, whole bool) (*Document, error) {
	doc, err := Parse(text)
	if err == nil || whole {
		return doc, err
	}
	limit := errors.Is(err, ErrLimit)
	if body, ok := lastFence(text); ok {
		if doc, ferr := Parse(body); ferr == nil {
			doc.How = Fence
			return doc, nil
		} else if errors.Is(ferr, ErrLimit) && !limit {
			err, limit = ferr, true
		}
	}
	if span, ok := bracketSpan(text); ok {
		if doc, serr := Parse(span); serr == nil {
			doc.How = Span
			return doc, nil
		} else if errors.Is(serr, ErrLimit) && !limit {
			err = serr
		}
	}
	return nil, err
}

func bracketSpan(text string) (string, bool) {
	start := strings.IndexAny(text, "{[")
	if start < 0 {
		return "", false
	}
	closing := byte('}')
	if text[start] == '[' {
		closing = ']'
	}
	end := strings.LastIndexByte(text, closing)
	if end < start {
		return "", false
	}
	return text[start : end+1], true
}

// lastFence returns the content of the last Markdown fence whose tag is json or missing. A fence opens at a line of
// three or more backticks or tildes after white space, and closes at a line of at least as many of the same; one
// that never closes runs to the end.
func lastFence(text string) (body string, ok bool) {
	var open string // the run that opened the fence, "" outside
	var keep bool
	var start int
	for pos := 0; pos < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[pos:], '\n'); i >= 0 {
			end = pos + i + 1
		}
		run, info := fenceLine(text[pos:end])
		switch {
		case run == "", open == "" && strings.Contains(info, "`"): // no fence, or an inline span of code
		case open == "":
			open, start = run, end
			tag, _, _ := strings.Cut(info, " ")
			keep = tag == "" || strings.EqualFold(tag, "json")
		case info == "" && strings.HasPrefix(run, open):
			if keep {
				body, ok = text[start:pos], true
			}
			open = ""
		}
		pos = end
	}
	if open != "" && keep {
		return text[start:], true
	}
	return body, ok
}

// fenceLine splits a line into its run of fence characters, "" if it has none, and what follows, trimmed.
func fenceLine(line string) (run, info string) {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "```") && !strings.HasPrefix(line, "~~~") {
		return "", ""
	}
	n := len(line) - len(strings.TrimLeft(line, line[:1]))
	return line[:n], strings.TrimSpace(line[n:])
}
