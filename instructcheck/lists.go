package instructcheck

import (
	_ "embed"
	"encoding/json"
	"sync"
)

// The word lists behind the rules: made for this purpose, CC0-1.0.
//
//go:embed lists.json
var listsJSON []byte

type wordLists struct {
	stopWords, pronouns, conjunctions, minorWords map[string]bool
	abbreviations, abbreviationsAtEnd             map[string]bool // the second end a sentence before a capital
	verbs                                         map[string]bool // with their -ing forms
	personNames                                   []keyword
	europeanCapitals                              []string            // without accents, in the order asked for
	africanCountries                              map[string]int      // by each name, without accents: the number of the country
	countries                                     int                 // how many there are
	languages                                     map[string]string   // by ISO 639-1 code: its script
	functionWords                                 map[string][]string // by code
}

var lists = sync.OnceValue(func() *wordLists {
	var raw struct {
		StopWords     []string            `json:"stop_words"`
		Pronouns      []string            `json:"pronouns"`
		Conjunctions  []string            `json:"conjunctions"`
		MinorWords    []string            `json:"minor_words"`
		Abbreviations []string            `json:"abbreviations"`
		AtEnd         []string            `json:"abbreviations_before_capital_end"`
		PersonNames   []string            `json:"person_names"`
		Verbs         []string            `json:"verbs"`
		Capitals      []string            `json:"european_capitals"`
		Countries     [][]string          `json:"african_countries"`
		Languages     map[string]string   `json:"languages"`
		FunctionWords map[string][]string `json:"function_words"`
	}
	if err := json.Unmarshal(listsJSON, &raw); err != nil {
		panic("instructcheck: lists.json: " + err.Error())
	}
	l := &wordLists{
		stopWords: setOf(raw.StopWords), pronouns: setOf(raw.Pronouns), conjunctions: setOf(raw.Conjunctions),
		minorWords: setOf(raw.MinorWords), abbreviations: setOf(raw.Abbreviations), abbreviationsAtEnd: setOf(raw.AtEnd),
		verbs: map[string]bool{}, africanCountries: map[string]int{}, countries: len(raw.Countries),
		languages: raw.Languages, functionWords: raw.FunctionWords,
	}
	for _, v := range raw.Verbs {
		l.verbs[v] = true
		for _, form := range ingForms(v) {
			l.verbs[form] = true
		}
	}
	for _, n := range raw.PersonNames {
		l.personNames = append(l.personNames, newCasedKeyword(n))
	}
	for _, c := range raw.Capitals {
		l.europeanCapitals = append(l.europeanCapitals, withoutAccents(c))
	}
	for i, names := range raw.Countries {
		for _, n := range names {
			l.africanCountries[withoutAccents(n)] = i
		}
	}
	return l
})

func setOf(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// ingForms are the spellings of a verb's -ing form: making, being, seeing, running, visiting, travelling and traveling.
func ingForms(v string) []string {
	n := len(v)
	last, before := v[n-1], v[n-2]
	if last == 'e' && n > 2 && before != 'e' && before != 'o' && before != 'y' {
		return []string{v[:n-1] + "ing"}
	}
	if n < 3 || !isVowel(rune(before)) || isVowel(rune(last)) || last == 'w' || last == 'x' || last == 'y' || isVowel(rune(v[n-3])) && v[n-3:n-1] != "ui" {
		return []string{v + "ing"}
	}
	switch doubled := v + string(last) + "ing"; v {
	case "begin", "forget":
		return []string{doubled}
	case "travel", "focus":
		return []string{v + "ing", doubled}
	default:
		if countVowelGroups(v) == 1 {
			return []string{doubled}
		}
		return []string{v + "ing"}
	}
}
