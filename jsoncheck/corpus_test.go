package jsoncheck_test

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/verifyd/verifyd/jsoncheck"
)

// The counts below are what the corpus agrees on today. They may only rise: a change that lowers one is a fault.

// rows reads one file of the corpus.
func rows[T any](t *testing.T, name string) []T {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", "corpus", "json", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var list []T
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var row T
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		list = append(list, row)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// tally counts agreement and holds it against the least that is allowed.
type tally struct {
	right, all int
	wrong      []string
}

func (c *tally) count(ok bool, id string) {
	c.all++
	if ok {
		c.right++
	} else {
		c.wrong = append(c.wrong, id)
	}
}

func (c *tally) atLeast(t *testing.T, want int) {
	t.Helper()
	t.Logf("%d of %d agree", c.right, c.all)
	if c.right < want {
		t.Errorf("%d of %d agree, want at least %d; wrong: %s", c.right, c.all, want, strings.Join(c.wrong[:min(len(c.wrong), 40)], "\n"))
	}
}

func TestCorpusParsing(t *testing.T) {
	var c tally
	for _, r := range rows[struct{ ID, B64, Expect string }](t, "parsing-jsontestsuite") {
		text, err := base64.StdEncoding.DecodeString(r.B64)
		if err != nil {
			t.Fatal(err)
		}
		if r.Expect != "either" {
			c.count((jsoncheck.Valid(string(text)) == nil) == (r.Expect == "accept"), r.ID)
		}
	}
	c.atLeast(t, 181)
}

func TestCorpusAnswers(t *testing.T) {
	var c tally
	for _, r := range rows[struct {
		ID        string
		FinalText string `json:"final_text"`
		Expected  struct {
			Whole bool `json:"whole_strict"`
			Fence bool `json:"whole_or_last_fence_strict"`
			Dup   bool `json:"duplicate_keys"`
			Value json.RawMessage
		}
	}](t, "structured-jsonvalid") {
		doc, err := jsoncheck.Extract(r.FinalText, true)
		c.count((err == nil) == r.Expected.Whole, r.ID+" whole")
		doc2, err := jsoncheck.Extract(r.FinalText, false)
		if err == nil && doc2.How == jsoncheck.Span {
			continue // the corpus leaves spans in prose open
		}
		c.count((err == nil) == r.Expected.Fence, r.ID+" fence")
		if doc != nil && r.Expected.Value != nil {
			want, err := jsoncheck.Parse(string(r.Expected.Value))
			c.count(err == nil && jsoncheck.Equal(doc.Value, want.Value), r.ID+" value")
		}
		if doc2 != nil {
			c.count((doc2.Repeated != "") == r.Expected.Dup, r.ID+" repeated")
		}
	}
	c.atLeast(t, 398)
}

func TestCorpusSchemaAnswers(t *testing.T) {
	var c tally
	for _, r := range rows[struct {
		ID        string
		FinalText string `json:"final_text"`
		Schema    json.RawMessage
		Expected  struct{ Reward float64 }
	}](t, "structured-jsonschema") {
		schema, err := jsoncheck.CompileSchema(r.Schema, jsoncheck.SchemaConfig{})
		if err != nil {
			c.count(false, r.ID+": "+err.Error())
			continue
		}
		doc, err := jsoncheck.Extract(r.FinalText, false)
		if err != nil {
			c.count(r.Expected.Reward == 0, r.ID+": "+err.Error())
			continue
		}
		bad, err := schema.Validate(doc)
		c.count(err == nil && (len(bad) == 0) == (r.Expected.Reward == 1), r.ID)
	}
	c.atLeast(t, 295)
}

func TestCorpusFields(t *testing.T) {
	var c tally
	for _, r := range rows[struct {
		ID         string
		FinalText  string `json:"final_text"`
		Pointer    string
		Dotted     *string
		Privileged struct{ Reference json.RawMessage }
		Expected   struct{ Reward float64 }
	}](t, "structured-jsonfield") {
		gold, err := jsoncheck.Parse(string(r.Privileged.Reference))
		if err != nil {
			t.Fatal(err)
		}
		check := func(src string) {
			path, err := jsoncheck.CompilePath(src, jsoncheck.Auto)
			if err != nil {
				t.Fatal(err)
			}
			got := false
			if doc, err := jsoncheck.Extract(r.FinalText, false); err == nil {
				nodes, err := path.Select(doc.Value)
				got = err == nil && len(nodes) == 1 && jsoncheck.Matches(nodes[0], gold.Value)
			}
			c.count(got == (r.Expected.Reward == 1), r.ID+" "+src)
		}
		check(r.Pointer)
		if r.Dotted != nil {
			check(*r.Dotted)
		}
	}
	c.atLeast(t, 213)
}

func TestCorpusSchemaSuites(t *testing.T) {
	remotes := map[string]json.RawMessage{}
	for _, r := range rows[struct {
		URI    string
		Schema json.RawMessage
	}](t, "schema-remotes") {
		remotes[r.URI] = r.Schema
	}
	for _, suite := range []struct {
		draft              string
		required, optional int
	}{
		{"draft2020-12", 933, 566}, {"draft2019-09", 892, 557}, {"draft7", 648, 495},
	} {
		t.Run(suite.draft, func(t *testing.T) {
			var required, optional tally
			for _, r := range rows[suiteGroup](t, "schema-"+suite.draft) {
				c := &required
				if r.Optional {
					c = &optional
				}
				r.run(c, suite.draft, remotes)
			}
			required.atLeast(t, suite.required)
			optional.atLeast(t, suite.optional)
		})
	}
}

type suiteGroup struct {
	ID              string
	Schema          json.RawMessage
	Optional        bool
	FormatAssertion bool `json:"format_assertion"`
	Tests           []struct {
		Data        json.RawMessage
		Description string
		Valid       bool
	}
}

func (r suiteGroup) run(c *tally, draft string, remotes map[string]json.RawMessage) {
	schema, err := jsoncheck.CompileSchema(r.Schema, jsoncheck.SchemaConfig{Draft: draft, AssertFormat: r.FormatAssertion, Remotes: remotes})
	for _, test := range r.Tests {
		if err != nil {
			c.count(false, r.ID+" "+err.Error())
			continue
		}
		doc, perr := jsoncheck.Parse(string(test.Data))
		if perr != nil {
			c.count(false, r.ID+" "+perr.Error())
			continue
		}
		bad, verr := schema.Validate(doc)
		c.count(verr == nil && (len(bad) == 0) == test.Valid, r.ID+" "+test.Description+" "+string(test.Data))
	}
}

func TestCorpusPointers(t *testing.T) {
	var c tally
	for _, r := range rows[struct {
		ID, Pointer, Expect string
		Document, Value     json.RawMessage
	}](t, "json-pointer") {
		doc, err := jsoncheck.Parse(string(r.Document))
		if err != nil {
			t.Fatal(err)
		}
		path, err := jsoncheck.CompilePath(r.Pointer, jsoncheck.Pointer)
		if err != nil {
			t.Fatal(err)
		}
		nodes, err := path.Select(doc.Value)
		got := err == nil && len(nodes) == 1
		if got && r.Value != nil {
			want, err := jsoncheck.Parse(string(r.Value))
			got = err == nil && jsoncheck.Equal(nodes[0], want.Value)
		}
		c.count(got == (r.Expect == "value" || r.Expect == "equals"), r.ID)
	}
	c.atLeast(t, 20)
}

func TestCorpusJSONPath(t *testing.T) {
	var c tally
	for _, r := range rows[struct {
		Name, Selector   string
		Document, Result json.RawMessage
		Results          []json.RawMessage
		Invalid          bool `json:"invalid_selector"`
	}](t, "jsonpath-cts") {
		path, err := jsoncheck.CompilePath(r.Selector, jsoncheck.JSONPath)
		if err != nil || r.Invalid {
			c.count((err != nil) == r.Invalid, r.Name)
			continue
		}
		doc, err := jsoncheck.Parse(string(r.Document))
		if err != nil {
			t.Fatal(err)
		}
		nodes, err := path.Select(doc.Value)
		if nodes == nil {
			nodes = []any{}
		}
		if r.Results == nil {
			r.Results = []json.RawMessage{r.Result}
		}
		c.count(err == nil && slices.ContainsFunc(r.Results, func(want json.RawMessage) bool {
			doc, err := jsoncheck.Parse(string(want))
			return err == nil && jsoncheck.Equal(doc.Value, any(nodes))
		}), r.Name)
	}
	c.atLeast(t, 480)
}
