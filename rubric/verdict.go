package rubric

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/model"
)

// verdict is what a judge that is a model must answer, and all of it that counts.
type verdict struct {
	Nonce  string   `json:"nonce"`
	Reason string   `json:"reason"`
	Score  *float64 `json:"score"`
}

var format = &model.Format{Type: "json_schema", Schema: &model.JSONSchema{Name: "verdict", Strict: true, Schema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["nonce","reason","score"],"properties":{"nonce":{"type":"string"},"reason":{"type":"string"},"score":{"type":"number"}}}`)}}

// fault is an answer that is no verdict.
func fault(format string, args ...any) error {
	return fmt.Errorf("%w: %s", judge.ErrInvalidResult, fmt.Sprintf(format, args...))
}

// read reads an answer strictly: one object with exactly the three keys and nothing around it, the nonce of the question,
// a score from 0 to 1. It quotes nothing of the answer.
func read(a model.Answer, nonce string) (verdict, error) {
	var v verdict
	switch {
	case a.Refusal != "" || a.Finish == "content_filter":
		return v, fault("the judge refused")
	case a.Finish == "length":
		return v, fault("the judge's answer was cut at its token cap")
	case len(a.ToolCalls) > 0:
		return v, fault("the judge called a tool instead of answering")
	}
	if err := strictly(a.Text, &v); err != nil {
		return v, err
	}
	switch {
	case v.Nonce != nonce:
		return v, fault("the judge's answer does not carry the nonce of the question")
	case v.Score == nil:
		return v, fault("the judge's answer has no score")
	case !(*v.Score >= 0 && *v.Score <= 1):
		return v, fault("the judge's score is outside [0,1]")
	}
	return v, nil
}

func strictly(text string, v *verdict) error {
	d := json.NewDecoder(bytes.NewReader([]byte(strings.TrimSpace(text))))
	t, err := d.Token()
	if err != nil || t != json.Delim('{') {
		return fault("the judge's answer is no JSON object")
	}
	seen := map[string]bool{}
	for d.More() {
		key, err := d.Token()
		name, _ := key.(string)
		if err != nil || seen[name] {
			return fault("the judge's answer is no JSON object, or a key stands twice")
		}
		seen[name] = true
		var into any
		switch name {
		case "nonce":
			into = &v.Nonce
		case "reason":
			into = &v.Reason
		case "score":
			into = &v.Score
		default:
			return fault("the judge's answer has a key that was not asked for")
		}
		if d.Decode(into) != nil {
			return fault("the judge's answer has a value of another type")
		}
	}
	if _, err := d.Token(); err != nil {
		return fault("the judge's answer is no JSON object")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fault("something stands behind the judge's verdict")
	}
	return nil
}
