package jsoncheck_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/verifyd/verifyd/jsoncheck"
)

// TestGolden decides the JSON cases of the golden set with nothing but this package.
func TestGolden(t *testing.T) {
	f, err := os.Open(filepath.Join("..", "testdata", "corpus", "golden", "verifiers.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var c tally
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if !strings.Contains(lines.Text(), `"system": "verifier.JSON`) {
			continue
		}
		var g golden
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		got, status := g.decide(t)
		c.count(status == g.Expected.Status && (status != "ok" || got == (*g.Expected.Reward == 1)), g.ID)
	}
	c.atLeast(t, 83)
}

type golden struct {
	ID, System string
	Input      struct {
		Verifier struct {
			Type string
			Args struct {
				TopType string `json:"top_type"`
				Path    string
				Schema  json.RawMessage
				Equals  json.RawMessage
			}
		}
		Row struct {
			FinalText  string `json:"final_text"`
			Privileged struct{ Reference json.RawMessage }
		}
	}
	Expected struct {
		Reward *float64
		Status string
	}
}

func (g golden) decide(t *testing.T) (pass bool, status string) {
	args := g.Input.Verifier.Args
	doc, err := jsoncheck.Extract(g.Input.Row.FinalText, false)
	switch g.Input.Verifier.Type {
	case "JSONValid":
		want, terr := jsoncheck.ParseType(args.TopType)
		if terr != nil {
			return false, "error"
		}
		return err == nil && want.Admits(doc.Type), "ok"
	case "JSONSchema":
		schema, serr := jsoncheck.CompileSchema(args.Schema, jsoncheck.SchemaConfig{})
		if serr != nil {
			return false, "error"
		}
		if err != nil {
			return false, "ok"
		}
		list, verr := schema.Validate(doc)
		return verr == nil && len(list) == 0, "ok"
	}
	path, perr := jsoncheck.CompilePath(args.Path, jsoncheck.Auto)
	if perr != nil {
		return false, "error"
	}
	if err != nil {
		return false, "ok"
	}
	nodes, _ := path.Select(doc.Value)
	gold := args.Equals
	if gold == nil || string(gold) == "null" {
		gold = g.Input.Row.Privileged.Reference
	}
	if gold == nil || len(nodes) == 0 {
		return len(nodes) > 0, "ok"
	}
	return jsoncheck.Matches(nodes[0], value(t, string(gold))), "ok"
}
