package verifiers

import (
	"reflect"
	"regexp"
	"strings"

	"github.com/verifyd/verifyd/textsim"
)

// alike is the least edit similarity at which a word is taken for another one mistyped: half of its letters stand.
// Chosen by feel.
const alike = 0.5

// nearest returns the known word that was probably meant: the most similar one, else one that begins so; "" for none.
func nearest(word string, known []string) string {
	best, found := "", alike
	for _, k := range known {
		if s, err := textsim.Edit(word, k, true); err == nil && s >= found && (s > found || best == "") {
			best, found = k, s
		}
	}
	for _, k := range known {
		if best == "" && len(word) > 2 && strings.HasPrefix(k, strings.ToLower(word)) {
			best = k
		}
	}
	return best
}

// didYouMean is a remark behind an unknown word; empty where nothing known is like it.
func didYouMean(word string, known []string) string {
	if len(word) > 40 { // no slip of a finger
		return ""
	}
	if near := nearest(word, known); near != "" {
		return " (did you mean " + near + "?)"
	}
	return ""
}

// keysOf are the keys of the JSON object that a struct is read from, in their order.
func keysOf(t reflect.Type) []string {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	var keys []string
	for i := range t.NumField() {
		f := t.Field(i)
		tag, tagged := f.Tag.Lookup("json")
		name, _, _ := strings.Cut(tag, ",")
		switch {
		case f.Anonymous && !tagged:
			keys = append(keys, keysOf(f.Type)...)
		case f.IsExported() && tag != "-":
			if name == "" {
				name = f.Name
			}
			keys = append(keys, name)
		}
	}
	return keys
}

// roomPrefix is the name of a package before an error's text, which says nothing to whoever wrote a spec or reads a reason.
var roomPrefix = regexp.MustCompile(`(^|: )(?:(?:regexcheck|jsoncheck|exprcheck|mathcheck|codecheck|instructcheck|textsim|rollout|engine|sandbox(?:/[a-z]+)?): )+`)

// spoken is the text of an error without the names of packages.
func spoken(text string) string { return roomPrefix.ReplaceAllString(text, "$1") }
