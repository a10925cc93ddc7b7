package regexcheck

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"strconv"
	"strings"
	"sync"
)

// namesFile lists the names and aliases of Unicode 14.0.0, one a line after its code point in hexadecimal; without one it is that
// of the line before and one. Names that are made by rule are left out. Source: Unicode Character Database, Unicode-3.0 licence.
//
//go:embed names.gz
var namesFile []byte

var names = sync.OnceValue(func() map[string]rune {
	m := map[string]rune{}
	z, err := gzip.NewReader(bytes.NewReader(namesFile))
	if err != nil {
		return m // the tests open the file
	}
	all, err := io.ReadAll(z)
	if err != nil {
		return m
	}
	var at rune
	for line := range strings.Lines(string(all)) {
		code, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if code == "" {
			at++
		} else {
			at = number([]rune(code), 16)
		}
		m[name] = at
	}
	return m
})

// ideographs are the characters named CJK UNIFIED IDEOGRAPH- and their number.
var ideographs = []span{
	{0x3400, 0x4dbf}, {0x4e00, 0x9fff}, {0x20000, 0x2a6df}, {0x2a700, 0x2b738}, {0x2b740, 0x2b81d}, {0x2b820, 0x2cea1},
	{0x2ceb0, 0x2ebe0}, {0x30000, 0x3134a},
}

// The parts of the names of Korean syllables, in the order of the syllables (The Unicode Standard, section 3.12).
var (
	hangulLeads  = strings.Split("G,GG,N,D,DD,R,M,B,BB,S,SS,,J,JJ,C,K,T,P,H", ",")
	hangulVowels = strings.Split("A,AE,YA,YAE,EO,E,YEO,YE,O,WA,WAE,OE,YO,U,WEO,WE,WI,YU,EU,YI,I", ",")
	hangulTails  = strings.Split(",G,GG,GS,N,NJ,NH,D,L,LG,LM,LB,LS,LT,LP,LH,M,B,BS,S,SS,NG,J,C,K,T,P,H", ",")
)

// runeNamed finds a character by its name, as Python's unicodedata does: in any case, save that names made by rule are upper-case.
func runeNamed(name string) (rune, bool) {
	if rest, ok := strings.CutPrefix(name, "HANGUL SYLLABLE "); ok {
		l, rest := longestPart(hangulLeads, rest)
		v, rest := longestPart(hangulVowels, rest)
		t, rest := longestPart(hangulTails, rest)
		return rune(0xac00 + (l*len(hangulVowels)+v)*len(hangulTails) + t), l >= 0 && v >= 0 && rest == ""
	}
	if rest, ok := strings.CutPrefix(name, "CJK UNIFIED IDEOGRAPH-"); ok {
		n, err := strconv.ParseUint(rest, 16, 21)
		ok = err == nil && (len(rest) == 4 || len(rest) == 5) && rest == strings.ToUpper(rest)
		return rune(n), ok && inSpans(ideographs, rune(n))
	}
	r, ok := names()[upperASCII(name)]
	return r, ok
}

func upperASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, s)
}

// longestPart returns which of the parts s begins with, the longest of them, and the rest of s.
func longestPart(parts []string, s string) (int, string) {
	best := -1
	for i, p := range parts {
		if strings.HasPrefix(s, p) && (best < 0 || len(p) > len(parts[best])) {
			best = i
		}
	}
	if best < 0 {
		return best, s
	}
	return best, s[len(parts[best]):]
}
