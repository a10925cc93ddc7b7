package verifiers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
)

// TestPageIsWrittenDown: docs/VERIFIERS.md is what the tables say.
func TestPageIsWrittenDown(t *testing.T) { compareFile(t, "../docs/VERIFIERS.md", verifiersPage()) }

const pageHead = `# Verifiers

Every kind of check that a spec can name, with its arguments and examples. This page is made from the code by
` + "`go test ./verifiers -update`" + `, and each example on it is a test. For editors there is [spec.schema.json](spec.schema.json), which
` + "`verifyd spec schema`" + ` prints; ` + "`verifyd spec check FILE`" + ` finds the faults of a spec, and ` + "`verifyd spec explain FILE`" + ` says it in words.
What verdicts rest on is in [RULES.md](RULES.md) and [INSTRUCTIONS.md](INSTRUCTIONS.md); how rows, verdicts and specs look as
data is in [WIRE.md](WIRE.md).

A spec is an object in JSON or YAML. On the command line ` + "`--verifier KIND --set NAME=VALUE`" + ` writes the same; a VALUE that reads
as JSON is JSON, so a text that looks like a number is written ` + "`--set 'pattern=\"5\"'`" + `. A key that stands in no table is refused.

**Case.** ` + "`exact_match`, `includes`, `regex` and `json_field`" + ` do not tell upper from lower case unless they are told to:
` + "`lower: false` for the first two, `flags: \"\"` for a pattern (and `lower: false`" + ` for what its group took).

Keys of every kind:

`

const pageTail = `
### Parts without a reward

A part that has no reward (` + "`missing_reward`" + `, say) counts neither as passed nor as failed:

| tree | parts | verdict |
| --- | --- | --- |
` + "| `any` | one at 1, one without a reward | 1: nothing could change it |\n" +
	"| `any` | one at 0, one without a reward | no reward: the other might have passed |\n" +
	"| `all` | one at 0, one without a reward | 0 |\n" +
	"| `all` | one at 1, one without a reward | no reward |\n" +
	"| `weighted` | one of weight above 0 without a reward | no reward |\n" + `
So for a file whose rows carry different references, ` + "`any`" + ` of one kind for each works where each kind finds its own: give the
parts their ` + "`field`" + ` and let a row that lacks one be judged by the others. A row that no part passes is then unjudged, not 0, as
long as one of its references is missing. Where a missing reference should count as not passed, split the file by what the
rows carry and grade each piece with its own judge; or write the choice as a ` + "`rule`, which sees the whole `row`" + `.
`

func verifiersPage() []byte {
	var b strings.Builder
	b.WriteString(pageHead)
	writeArguments(&b, append([]Argument{{Key: "kind", Type: "text", Required: true, Doc: "which check it is"}}, commonArguments()...))
	group := ""
	for _, d := range Describe() {
		if d.Group != group {
			group = d.Group
			fmt.Fprintf(&b, "\n## %s\n", group)
		}
		writeKind(&b, d)
	}
	b.WriteString(pageTail)
	return []byte(b.String())
}

func writeKind(b *strings.Builder, d Description) {
	fmt.Fprintf(b, "\n### `%s`\n\n%s.", d.Kind, sentence(d.Passes))
	if d.Notes != "" {
		b.WriteString(" " + d.Notes)
	}
	b.WriteString("\n\n")
	if d.Fails != nil {
		words := make([]string, len(d.Fails))
		for i, f := range d.Fails {
			words[i] = "`" + string(f) + "`"
		}
		fmt.Fprintf(b, "Falls short as %s.\n\n", strings.Join(words, ", "))
	}
	if len(d.Arguments) > 0 {
		writeArguments(b, d.Arguments)
		b.WriteString("\n")
	}
	for _, a := range d.Arguments {
		if a.Keys != nil {
			fmt.Fprintf(b, "Inside `%s`:\n\n", a.Key)
			writeArguments(b, a.Keys)
			b.WriteString("\n")
		}
	}
	for i, e := range d.Examples {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(b, "```json\n%s\n```\n\n| row | reward |\n| --- | --- |\n", e.Spec)
		for _, r := range e.Rows {
			fmt.Fprintf(b, "| %s | %s |\n", code(r.Row), verdictWords(r))
		}
	}
}

func writeArguments(b *strings.Builder, list []Argument) {
	b.WriteString("| key | values | default | |\n| --- | --- | --- | --- |\n")
	for _, a := range list {
		values := a.Type
		if a.Words != nil {
			values = "`" + strings.Join(a.Words, "`, `") + "`"
		}
		def := ""
		switch {
		case a.Required:
			def = "must be given"
		case a.Key == "name":
			def = "the kind"
		case a.Default != nil:
			def = "`" + string(a.Default) + "`"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", a.Key, cell(values), cell(def), cell(a.Doc))
	}
}

func verdictWords(r ExampleRow) string {
	switch {
	case r.Status != judge.OK:
		return "null, `" + string(r.Status) + "`"
	case r.Class != "":
		return fmt.Sprintf("%g, `%s`", r.Reward, r.Class)
	}
	return fmt.Sprintf("%g", r.Reward)
}

// code is JSON in a cell of a table.
func code(v jsontext.Value) string { return "`" + cell(string(v)) + "`" }

// cell is a text in a table, where a bar would end it.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// sentence begins with a capital.
func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
