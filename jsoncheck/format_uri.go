package jsoncheck

import (
	"strings"
	"unicode/utf8"
)

// isURI checks RFC 3986 appendix A, with international characters RFC 3987 section 2.2: scheme ":" ["//" authority]
// path ["?" query] ["#" fragment]; the scheme may be missing where absolute is not asked.
func isURI(s string, absolute, international bool) bool {
	s, fragment, _ := strings.Cut(s, "#")
	s, query, _ := strings.Cut(s, "?")
	if !uriChars(fragment, ":@/?", international) || !uriChars(query, ":@/?", international) {
		return false
	}
	scheme, rest, ok := strings.Cut(s, ":")
	switch {
	case ok && !strings.Contains(scheme, "/"):
		if !isScheme(scheme) { // nor may the first segment of a relative path hold a colon
			return false
		}
		s = rest
	case absolute:
		return false
	}
	if after, ok := strings.CutPrefix(s, "//"); ok {
		authority := after
		if i := strings.IndexByte(after, '/'); i >= 0 {
			authority = after[:i]
		}
		if !isAuthority(authority, international) {
			return false
		}
		s = after[len(authority):]
	}
	return uriChars(s, ":@/", international)
}

func isScheme(s string) bool {
	if s == "" || !('a' <= s[0]|0x20 && s[0]|0x20 <= 'z') {
		return false
	}
	for i := range len(s) {
		if !isAlnum(s[i]) && strings.IndexByte("+-.", s[i]) < 0 {
			return false
		}
	}
	return true
}

func isAuthority(s string, international bool) bool {
	if user, host, ok := strings.Cut(s, "@"); ok {
		if !uriChars(user, ":", international) {
			return false
		}
		s = host
	}
	if inner, ok := strings.CutPrefix(s, "["); ok {
		literal, port, ok := strings.Cut(inner, "]")
		return ok && isIPLiteral(literal) && (port == "" || port[0] == ':' && allDigits(port[1:]))
	}
	host, port, _ := strings.Cut(s, ":")
	return uriChars(host, "", international) && allDigits(port)
}

// isIPLiteral checks what stands in brackets: an IPv6 address, or a future one: "v" hex "." characters.
func isIPLiteral(s string) bool {
	if s == "" || s[0]|0x20 != 'v' {
		return isIPv6(s)
	}
	version, address, ok := strings.Cut(s[1:], ".")
	return ok && version != "" && address != "" && strings.Trim(version, "0123456789abcdefABCDEF") == "" &&
		!strings.Contains(address, "%") && uriChars(address, ":", false)
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// uriChars reports whether s is made of unreserved characters, sub-delims, percent-encoded bytes and those of more.
func uriChars(s, more string, international bool) bool {
	for s != "" {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == '%':
			if n = 3; !isPercent(s) {
				return false
			}
		case r >= utf8.RuneSelf:
			// ucschar leaves out the controls, surrogates and the last two of each plane; iprivate is not told apart
			if !international || r < 0xa0 || r == utf8.RuneError || r&0xfffe == 0xfffe || 0xfdd0 <= r && r <= 0xfdef {
				return false
			}
		case !isAlnum(byte(r)) && !strings.ContainsRune("-._~!$&'()*+,;=", r) && !strings.ContainsRune(more, r):
			return false
		}
		s = s[n:]
	}
	return true
}
