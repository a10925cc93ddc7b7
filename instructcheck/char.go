package instructcheck

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/rangetable"
)

// isWordRune: what words are made of, a letter, mark or digit (Unicode's L, M, N).
func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N)
}

// isAlnum: a letter or digit; a mark alone makes no word.
func isAlnum(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9'
	}
	return unicode.In(r, unicode.L, unicode.N)
}

// isSpace: Unicode's white space and the four separators of ASCII.
func isSpace(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ' ' || '\t' <= r && r <= '\r' || 0x1c <= r && r <= 0x1f
	}
	return unicode.IsSpace(r)
}

func isHan(r rune) bool { return r >= 0x2e80 && unicode.Is(unicode.Han, r) }

// isKana: Hiragana and Katakana with the marks that both share, such as the long vowel.
func isKana(r rune) bool {
	if r < 0x3040 || !isWordRune(r) {
		return false
	}
	return unicode.In(r, unicode.Hiragana, unicode.Katakana) || r == 'ー' || r == 'ｰ' || r == 0xff9e || r == 0xff9f
}

// isIdeograph: a character that is a word of its own.
func isIdeograph(r rune) bool {
	return r >= 0x2e80 && (isHan(r) || isKana(r)) && !unicode.Is(unicode.M, r)
}

var unspaced = rangetable.Merge(unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)

// needsNoBoundary: a script that is written without spaces, so that a keyword may stand in the midst of a run.
func needsNoBoundary(r rune) bool {
	return r >= 0xe00 && (isHan(r) || isKana(r) || unicode.Is(unspaced, r))
}

// bindsKeyword: beside such a character a keyword that ends in one does not stand alone.
func bindsKeyword(r rune) bool { return r == '_' || isWordRune(r) }

// isQuote: a quotation mark of any kind, opening or closing.
func isQuote(r rune) bool {
	switch r {
	case '"', '\'', '“', '”', '„', '‟', '‘', '’', '‚', '‛', '«', '»', '‹', '›', '「', '」', '『', '』', '＂', '＇':
		return true
	}
	return false
}

func isOpening(r rune) bool {
	switch r {
	case '(', '[', '{', '（', '【', '《', '〈', '［', '｛', '¿', '¡':
		return true
	}
	return false
}

func isClosing(r rune) bool {
	switch r {
	case ')', ']', '}', '）', '】', '》', '〉', '］', '｝':
		return true
	}
	return false
}

// isMarkup: the marks of emphasis and inline code in markdown.
func isMarkup(r rune) bool { return r == '*' || r == '_' || r == '~' || r == '`' }

// runeAt decodes the character of s at i; size is 0 at the end.
func runeAt(s string, i int) (rune, int) {
	if i >= len(s) {
		return 0, 0
	}
	if c := s[i]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(s[i:])
}

// runeBefore decodes the character of s that ends at i; size is 0 at the start.
func runeBefore(s string, i int) (rune, int) {
	if i <= 0 {
		return 0, 0
	}
	if c := s[i-1]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeLastRuneInString(s[:i])
}
