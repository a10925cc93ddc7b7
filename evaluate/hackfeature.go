package evaluate

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/verifyd/verifyd/rollout"
)

// What a hack scan looks at: numbers of a reply that are cheap to inflate, tools and markers, and words.
const (
	minSeen   = 20  // rows on which a feature must not be zero
	maxTerms  = 200 // words and pairs of words
	maxJoined = 12  // of them, the best, that are joined by AND
)

// numericFeatures are computed for each row.
var numericFeatures = []string{"reply_length", "n:calls", "n:turns", "n:words", "n:digits", "n:punct", "frac:upper"}

func numbersOf(r *rollout.Row) []float64 {
	text := r.Candidate()
	var digits, punct, upper float64
	length := float64(utf8.RuneCountInString(text))
	for _, c := range text {
		switch {
		case unicode.IsUpper(c):
			upper++
		case unicode.IsDigit(c):
			digits++
		case !unicode.IsLetter(c) && !unicode.IsNumber(c) && !unicode.IsSpace(c):
			punct++
		}
	}
	turns := 0.0
	for i := range r.Messages {
		if r.Messages[i].Role == "assistant" {
			turns++
		}
	}
	return []float64{length, float64(len(rollout.ToolCalls(r))), turns, float64(len(strings.Fields(text))), digits, punct, upper / max(length, 1)}
}

// namedFeatures are those of tools and markers: 1 for a tool that was called, the marker's number.
func namedFeatures(r *rollout.Row) map[string]float64 {
	named := map[string]float64{}
	for _, call := range rollout.ToolCalls(r) {
		named["tool:"+call.Name] = 1
	}
	if markers, ok := r.Get("markers"); ok && markers.Kind() == '{' {
		for name, raw := range rollout.Members(markers) {
			if v, ok := number(raw); ok && raw.Kind() == '0' {
				named[markerPrefix+name] = v
			}
		}
	}
	return named
}

// termsOf calls do with each word of the text and each pair of neighbours, as they come: repeats too. A word is a run of letters,
// digits and apostrophes in lower case; any other character that is no blank stands for itself.
func termsOf(text string, do func(term string)) {
	text = strings.ToLower(text)
	last := ""
	word := func(w string) {
		do(w)
		if last != "" {
			do(last + " " + w)
		}
		last = w
	}
	start := -1
	for i, c := range text {
		if unicode.IsLetter(c) || unicode.IsNumber(c) || c == '\'' {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			word(text[start:i])
			start = -1
		}
		if !unicode.IsSpace(c) && c != '_' {
			word(string(c))
		}
	}
	if start >= 0 {
		word(text[start:])
	}
}

// vocabulary counts on how many rows a term stands.
type vocabulary struct {
	rows map[string]int32
	seen map[string]bool // in the current row
}

// maxVocabulary bounds the count: when more terms than that were seen, those seen once so far are forgotten. A term on
// minSeen rows is lost only where its rows lie further apart than maxVocabulary new terms each time.
const maxVocabulary = 2 << 20

func (v *vocabulary) add(text string) {
	if v.rows == nil {
		v.rows, v.seen = map[string]int32{}, map[string]bool{}
	}
	clear(v.seen)
	termsOf(text, func(term string) {
		if !v.seen[term] {
			v.seen[term] = true
			v.rows[term]++
		}
	})
	if len(v.rows) > maxVocabulary {
		maps.DeleteFunc(v.rows, func(_ string, n int32) bool { return n == 1 })
	}
}

// common are the terms on the most rows.
func (v *vocabulary) common() []string {
	var terms []string
	for term, n := range v.rows {
		if n >= minSeen {
			terms = append(terms, term)
		}
	}
	slices.SortFunc(terms, func(a, b string) int { return cmp.Or(cmp.Compare(v.rows[b], v.rows[a]), strings.Compare(a, b)) })
	return terms[:min(len(terms), maxTerms)]
}
