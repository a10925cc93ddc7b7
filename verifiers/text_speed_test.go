package verifiers

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/rollout"
)

// hostile are texts that would take a reader quadratic time if it searched the same place again and again.
var hostile = map[string]string{
	"labels that are questioned":      "answer (B)? ",
	"labels on one line":              "answer: B: ",
	"labelled lines with blanks":      "A. x\n\n",
	"labels of options":               "Option A: x\nOption B: y\nOption C: z\n",
	"long labelled lines":             "Option A: " + strings.Repeat("x", 5000) + "\nOption B: ",
	"announcements before blanks":     "answer is" + strings.Repeat(" ", 1000),
	"letters before blanks":           "B" + strings.Repeat(" ", 1000),
	"markers with a bracket":          "answer (",
	"markers before digits":           "answer7 ",
	"headings apart":                  "#### ",
	"list numbers":                    "1. A\n",
	"announcements on one line":       "the answer is ",
	"announcements on many lines":     "answer:\n",
	"announcements with markup":       "answer is ****((((\n",
	"markers without numbers":         "result = x ",
	"A lines":                         "A:\n",
	"capital As":                      "A",
	"letters":                         "B ",
	"letters in lists":                "A, B and C, ",
	"questioned letters":              "B? ",
	"wrong letters":                   "B is wrong ",
	"negated letters":                 "not B ",
	"labelled lines":                  "A. x\nB. y\nC. z\n",
	"numbers":                         "1 ",
	"digits":                          "7",
	"decimals":                        "1.5.",
	"groups":                          "1,234,",
	"grouping marks":                  "1,",
	"slashes":                         "1/",
	"dates":                           "1-",
	"powers":                          "2^",
	"open powers":                     "2^{",
	"fractions":                       `\frac{`,
	"roots":                           `\sqrt{`,
	"boxes":                           `\boxed{`,
	"brackets":                        "(1",
	"mixed numbers":                   "1 1/",
	"signs":                           "- -",
	"tens":                            "1 x 10",
	"thinking":                        "<think>",
	"closed thinking":                 "</think>",
	"angles":                          "<",
	"blanks":                          " ",
	"line breaks":                     "\n",
	"marks":                           "+",
	"marks behind a letter":           "a++",
	"commas between digits":           "1,2",
	"apostrophes":                     "can't'",
	"long words":                      "answeranswer",
	"glued words":                     "答案是",
	"glued marks":                     "选",
	"headings over nothing":           "## Answer\nx\n",
	"solutions apart":                 "solution: ",
	"options remarked on":             "Option A: x\n\n",
	"options before blanks":           "Option A:" + strings.Repeat(" ", 500) + "\n",
	"tags":                            "</b>",
	"tags behind a marker":            "answer</b> ",
	"letters with semicolons":         "answer A; B; ",
	"letters with pluses":             "answer: A + B + ",
	"wrappers":                        `answer: A\text{ `,
	"anything but":                    "anything but ",
	"headings":                        "####",
	"dollar signs":                    "$",
	"backslashes":                     `\`,
	"unfinished characters":           "\xe7\xad",
	"subscripts":                      "x_1",
	"equations":                       "answer = x = ",
	"superscripts":                    "2¹",
	"vulgar fractions":                "1½",
	"underscores":                     "_",
	"hashes":                          "#",
	"opened brackets of every kind":   "([{",
	"the pronoun":                     "I am ",
	"wide letters":                    "Ｂ",
	"announced letters outside":       "answer is Z. ",
	"announcements that are negated":  "not answer B ",
	"dates of the east":               "5月",
	"quotes":                          "\"",
	"combining marks":                 "e\u0301",
	"exponents":                       "1e",
	"decimals that begin with points": ".5",
}

// TestTextTime: a quarter of a megabyte of anything is judged in time that grows no faster than the text: about 12 ms of
// CPU time. The bound is far above, for slow machines; quadratic time would be many seconds.
func TestTextTime(t *testing.T) {
	const bound = 400 * time.Millisecond
	for name, piece := range hostile {
		text := strings.Repeat(piece, (1<<18+len(piece)-1)/len(piece))
		for _, kind := range []string{"exact_match", "includes", "multiple_choice", "numeric"} {
			gold := `"B"`
			if kind == "numeric" {
				gold = "7"
			}
			v, err := NewRegistry(Config{}).Build(jsontext.Value(`{"kind":"` + kind + `"}`))
			if err != nil {
				t.Fatal(err)
			}
			quoted, _ := json.Marshal(text)
			r, err := rollout.Parse([]byte(`{"final_text":` + string(quoted) + `,"reference":` + gold + `}`))
			if err != nil {
				t.Fatal(err)
			}
			start := cpuTime()
			if _, err := v.Judge(t.Context(), r); err != nil {
				t.Errorf("%s of %s: %v", kind, name, err)
			}
			took := time.Duration(cpuTime() - start)
			switch {
			case took > bound:
				t.Errorf("%s of 256 KiB of %s took %v of CPU time", kind, name, took)
			case testing.Verbose() && took > 12*time.Millisecond:
				t.Logf("%s of 256 KiB of %s took %v of CPU time", kind, name, took)
			}
		}
	}
}
