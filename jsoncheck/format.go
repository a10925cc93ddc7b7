package jsoncheck

import (
	"errors"
	"net/netip"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// ownFormats replace the library's checks that are laxer than the RFC they name. Any format checks texts alone: other
// values pass.
var ownFormats = []*jsonschema.Format{
	format("uri", func(s string) bool { return isURI(s, true, false) }),
	format("uri-reference", func(s string) bool { return isURI(s, false, false) }),
	format("iri", func(s string) bool { return isURI(s, true, true) }),
	format("iri-reference", func(s string) bool { return isURI(s, false, true) }),
	format("uri-template", isURITemplate),
	format("ipv4", isIPv4),
	format("hostname", isHostname),
	format("email", func(s string) bool { return isEmail(s, false) }),
	format("idn-email", func(s string) bool { return isEmail(s, true) }),
}

var errFormat = errors.New("has another format")

func format(name string, check func(string) bool) *jsonschema.Format {
	return &jsonschema.Format{Name: name, Validate: func(v any) error {
		if s, ok := v.(string); ok && !check(s) {
			return errFormat
		}
		return nil
	}}
}

// isIPv4 takes four decimal octets without signs or leading zeros (RFC 2673 section 3.2).
func isIPv4(s string) bool {
	addr, err := netip.ParseAddr(s)
	return err == nil && addr.Is4()
}

func isIPv6(s string) bool {
	addr, err := netip.ParseAddr(s)
	return err == nil && addr.Is6() && addr.Zone() == ""
}

// isHostname takes labels of letters, digits and inner hyphens (RFC 1123 section 2.1), without the root's point.
func isHostname(s string) bool {
	return len(s) <= 253 && labels(s, func(r rune) bool { return r < utf8.RuneSelf && isAlnum(byte(r)) })
}

func labels(s string, inner func(rune) bool) bool {
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, r := range label {
			if r != '-' && !inner(r) {
				return false
			}
		}
	}
	return true
}

func isAlnum(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// isEmail takes a Mailbox of RFC 5321 section 4.1.2, with idn of RFC 6531: letters beyond ASCII on both sides.
func isEmail(s string, idn bool) bool {
	at := strings.LastIndexByte(s, '@')
	if at < 1 || at > 64 || len(s) > 254 {
		return false
	}
	local, domain := s[:at], s[at+1:]
	return isLocalPart(local, idn) && isMailDomain(domain, idn)
}

func isLocalPart(s string, idn bool) bool {
	if inner, ok := strings.CutPrefix(s, `"`); ok {
		inner, ok = strings.CutSuffix(inner, `"`)
		return ok && isQuoted(inner, idn)
	}
	for atom := range strings.SplitSeq(s, ".") {
		if atom == "" {
			return false
		}
		for _, r := range atom {
			ascii := r < utf8.RuneSelf && (isAlnum(byte(r)) || strings.ContainsRune("!#$%&'*+-/=?^_`{|}~", r))
			if !ascii && !(idn && r >= utf8.RuneSelf) {
				return false
			}
		}
	}
	return true
}

// isQuoted checks the inside of a quoted local part: printable characters, quote and backslash escaped.
func isQuoted(s string, idn bool) bool {
	escaped := false
	for _, r := range s {
		switch {
		case r < ' ' || r == 0x7f || r >= utf8.RuneSelf && !idn:
			return false
		case escaped:
			escaped = false
		case r == '\\':
			escaped = true
		case r == '"':
			return false
		}
	}
	return !escaped
}

func isMailDomain(s string, idn bool) bool {
	if inner, ok := strings.CutPrefix(s, "["); ok {
		inner, ok = strings.CutSuffix(inner, "]")
		if six, v6 := strings.CutPrefix(inner, "IPv6:"); v6 {
			return ok && isIPv6(six)
		}
		return ok && isIPv4(inner)
	}
	return isHostname(s) || idn && labels(s, func(r rune) bool {
		return r < utf8.RuneSelf && isAlnum(byte(r)) || r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r))
	})
}

// isURITemplate checks RFC 6570 section 2.
func isURITemplate(s string) bool {
	for s != "" {
		if s[0] == '{' {
			inside, rest, ok := strings.Cut(s[1:], "}")
			if !ok || !isTemplateExpression(inside) {
				return false
			}
			s = rest
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == '%':
			if n = 3; !isPercent(s) {
				return false
			}
		case r <= ' ' || r == 0x7f || strings.ContainsRune("\"<>\\^`|}", r):
			return false
		}
		s = s[n:]
	}
	return true
}

func isTemplateExpression(s string) bool {
	if s != "" && strings.IndexByte("+#./;?&=,!@|", s[0]) >= 0 {
		s = s[1:]
	}
	for spec := range strings.SplitSeq(s, ",") {
		if name, length, ok := strings.Cut(spec, ":"); ok {
			n, err := strconv.Atoi(length)
			if err != nil || n < 1 || n > 9999 || length[0] == '+' || length[0] == '0' {
				return false
			}
			spec = name
		} else {
			spec = strings.TrimSuffix(spec, "*")
		}
		if !isTemplateName(spec) {
			return false
		}
	}
	return true
}

func isTemplateName(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if part == "" {
			return false
		}
		for part != "" {
			switch {
			case isAlnum(part[0]) || part[0] == '_':
				part = part[1:]
			case isPercent(part):
				part = part[3:]
			default:
				return false
			}
		}
	}
	return true
}

// isPercent reports whether s begins with a percent-encoded byte.
func isPercent(s string) bool {
	if len(s) < 3 || s[0] != '%' {
		return false
	}
	_, err := strconv.ParseUint(s[1:3], 16, 8)
	return err == nil && s[1] != '+'
}
