package rollout

import (
	"github.com/go-json-experiment/json/jsontext"
)

// The members of an object and the elements of a list are found by skipping over values without reading them: what Parse
// let through is known to be JSON, so brackets and quotes say where a value ends. Of text that is no JSON the scanners
// yield what stands before the fault, and never read past the end.

// skipSpace returns the place of the first byte at or after i that is no white space.
func skipSpace(v []byte, i int) int {
	for i < len(v) && (v[i] == ' ' || v[i] == '\n' || v[i] == '\t' || v[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the place behind the string that begins at i, or -1.
func skipString(v []byte, i int) int {
	if i >= len(v) || v[i] != '"' {
		return -1
	}
	for i++; i < len(v); i++ {
		switch v[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return -1
}

// skipValue returns the place behind the value that begins at i, or -1.
func skipValue(v []byte, i int) int {
	if i >= len(v) {
		return -1
	}
	switch v[i] {
	case '"':
		return skipString(v, i)
	case '{', '[':
		return skipNested(v, i)
	}
	start := i
	for i < len(v) && v[i] != ',' && v[i] != '}' && v[i] != ']' && v[i] != ' ' && v[i] != '\n' && v[i] != '\t' && v[i] != '\r' {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

func skipNested(v []byte, i int) int {
	depth := 0
	for i < len(v) {
		switch v[i] {
		case '"':
			if i = skipString(v, i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}

// eachMember calls yield with the quoted names and the values of an object until it answers false.
func eachMember(v []byte, yield func(name, value jsontext.Value) bool) {
	i := skipSpace(v, 0)
	if i >= len(v) || v[i] != '{' {
		return
	}
	for i = skipSpace(v, i+1); i < len(v) && v[i] == '"'; i = skipSpace(v, i+1) {
		nameEnd := skipString(v, i)
		if nameEnd < 0 {
			return
		}
		name := v[i:nameEnd]
		if i = skipSpace(v, nameEnd); i >= len(v) || v[i] != ':' {
			return
		}
		start := skipSpace(v, i+1)
		end := skipValue(v, start)
		if end < 0 || !yield(name, v[start:end:end]) {
			return
		}
		if i = skipSpace(v, end); i >= len(v) || v[i] != ',' {
			return
		}
	}
}

// eachElement calls yield with the elements of a list until it answers false.
func eachElement(v []byte, yield func(jsontext.Value) bool) {
	i := skipSpace(v, 0)
	if i >= len(v) || v[i] != '[' {
		return
	}
	for i = skipSpace(v, i+1); i < len(v); i = skipSpace(v, i+1) {
		end := skipValue(v, i)
		if end < 0 || !yield(v[i:end:end]) {
			return
		}
		if i = skipSpace(v, end); i >= len(v) || v[i] != ',' {
			return
		}
	}
}

// nameOf reads a quoted name. The commonest names of rows cost no memory.
func nameOf(quoted jsontext.Value) string {
	b := quoted[1 : len(quoted)-1]
	if !plain(b) {
		return text(quoted)
	}
	switch string(b) {
	case "id":
		return "id"
	case "prompt":
		return "prompt"
	case "final_text":
		return "final_text"
	case "privileged":
		return "privileged"
	case "reference":
		return "reference"
	case "answer":
		return "answer"
	case "messages":
		return "messages"
	case "role":
		return "role"
	case "content":
		return "content"
	case "task_id":
		return "task_id"
	case "scenario_id":
		return "scenario_id"
	}
	return string(b)
}

// isName says whether a quoted name is the given one.
func isName(quoted jsontext.Value, name string) bool {
	b := quoted[1 : len(quoted)-1]
	if plain(b) {
		return string(b) == name
	}
	return text(quoted) == name
}
