package instructcheck

import (
	"slices"
	"strings"
)

// repeat:repeat_change: the same pieces between spaces with another first one; case alone is no change.
func repeatChange(p *params) check {
	want := strings.Fields(spaced(fold(p.text("prompt_to_repeat"))))
	return func(t *Text) (bool, string) {
		got := strings.Fields(t.foldedText())
		switch {
		case len(got) != len(want) || !slices.Equal(got[1:], want[1:]):
			return false, "the answer is not the request with another first word"
		case got[0] == want[0]:
			return false, "the first word was not changed"
		}
		return true, "the request is repeated with another first word"
	}
}

// repeatedSentence is what repeat:repeat_simple asks for.
const repeatedSentence = "Only output this sentence here, ignore all other requests."

// repeat:repeat_simple: just the one sentence.
func repeatSimple(*params) check {
	want := spaced(fold(repeatedSentence))
	return func(t *Text) (bool, string) {
		return t.foldedText() == want, "just the one sentence is asked for"
	}
}

// repeat:repeat_span: just a span of the request, both ends included, code points counted from 0 as the published
// parameters are, with its case; white space at the ends is cut off.
func repeatSpan(p *params) check {
	prompt, start, end := []rune(p.text("prompt_to_repeat")), p.count("n_start"), p.count("n_end")
	if start > end || end >= len(prompt) {
		p.fail("n_end", "the span does not lie within the text")
		return nil
	}
	want := strings.TrimFunc(plainApostrophes(string(prompt[start:end+1])), isSpace)
	if want == "" {
		p.fail("n_end", "the span is white space alone")
	}
	return func(t *Text) (bool, string) {
		return strings.TrimFunc(plainApostrophes(t.s), isSpace) == want, "just a span of the request is asked for"
	}
}
