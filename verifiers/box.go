package verifiers

import "strings"

// lastBox is what stands in the last \boxed{…} or \fbox{…} of a text, and whether there is one. Braces are matched, \{ and
// \} are none; a box that is never closed holds the rest of the text; without braces a box holds the next word.
func lastBox(s string) (content string, ok bool) {
	at, size := lastBoxCommand(s)
	if at < 0 {
		return "", false
	}
	rest := strings.TrimLeft(s[at+size:], " \t")
	if strings.HasPrefix(rest, "{") {
		return inBraces(rest), true
	}
	if end := strings.IndexAny(rest, " \t\r\n$"); end >= 0 {
		rest = rest[:end]
	}
	return rest, true
}

// lastBoxCommand is where the last box begins, and how long its command is; at is -1 where there is none.
func lastBoxCommand(s string) (at, size int) {
	for at = strings.LastIndexByte(s, '\\'); at >= 0; at = strings.LastIndexByte(s[:at], '\\') {
		for _, command := range [...]string{`\boxed`, `\fbox`} {
			if strings.HasPrefix(s[at:], command) {
				return at, len(command)
			}
		}
	}
	return -1, 0
}

// inBraces is what stands between the brace that s begins with and its partner, else the rest of s.
func inBraces(s string) string {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return s[1:i]
			}
		}
	}
	return s[1:]
}
