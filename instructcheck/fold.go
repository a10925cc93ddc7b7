package instructcheck

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// normalized is a text as it is judged: NFC, line ends as LF, what is not UTF-8 replaced.
func normalized(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	if strings.ContainsRune(s, '\r') {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	return norm.NFC.String(s)
}

// fold is full case folding, then NFC; the typographic apostrophe is the plain one.
func fold(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return foldUnicode(s)
		}
		if 'A' <= s[i] && s[i] <= 'Z' {
			return foldFrom(s, i)
		}
	}
	return s
}

// foldFrom folds a text whose first i bytes are folded, as long as it is ASCII.
func foldFrom(s string, i int) string {
	b := []byte(s)
	for ; i < len(b); i++ {
		switch c := b[i]; {
		case c >= utf8.RuneSelf:
			return foldUnicode(s)
		case 'A' <= c && c <= 'Z':
			b[i] = c | 0x20
		}
	}
	return string(b)
}

func foldUnicode(s string) string {
	return plainApostrophes(norm.NFC.String(cases.Fold().String(s)))
}

func plainApostrophes(s string) string { return strings.ReplaceAll(s, "’", "'") }

// spaced is a text with each run of white space as one space, and none at the ends.
func spaced(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	for _, r := range s {
		if isSpace(r) {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// unaccented maps the Latin letters that carry their accent inside, which no decomposition takes off.
var unaccented = map[rune]string{'ø': "o", 'ł': "l", 'đ': "d", 'ħ': "h", 'ŧ': "t", 'ı': "i", 'æ': "ae", 'œ': "oe", 'ð': "d", 'þ': "th"}

// withoutAccents folds a text and takes the accents off its letters.
func withoutAccents(s string) string {
	s = fold(s)
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		if unicode.Is(unicode.Mn, r) {
			continue
		}
		if plain, ok := unaccented[r]; ok {
			b.WriteString(plain)
			continue
		}
		b.WriteRune(r)
	}
	return norm.NFC.String(b.String())
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// firstLetter is the first letter or digit of a word, folded.
func firstLetter(word string) rune {
	r, _ := runeAt(fold(word), 0)
	return r
}
