package judge

import (
	stdjson "encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/rollout"
)

// Graded is a row with its verdict. In JSON it is flat: the row's own keys, then the verdict's.
type Graded struct {
	Row     *rollout.Row // nil where the line was no row
	Verdict Verdict
	Name    string   // judge_name
	Lineage *Lineage // written where set
}

// Lineage says where a verdict came from. Empty fields are left out.
type Lineage struct {
	RunID        string `json:"scoring_run_id,omitempty"`
	Source       string `json:"source,omitempty"` // grade, eval
	Judge        string `json:"judge,omitempty"`
	Parent       string `json:"parent,omitempty"` // scenario_id, else id, else row_<index>
	Model        string `json:"model,omitempty"`
	JudgeVersion string `json:"judge_version,omitempty"`
}

// Parent names a row for the lineage of what is made from it; index is its 0-based place.
func Parent(r *rollout.Row, index int64) string {
	if r != nil {
		for _, key := range [...]string{"scenario_id", "id"} {
			if v, ok := r.Get(key); ok {
				if s := rollout.ScalarText(v); s != "" {
					return s
				}
			}
		}
	}
	return "row_" + strconv.FormatInt(index, 10)
}

// VerdictKey says whether a key of a row is the verdict's: a new verdict replaces it.
func VerdictKey(key string) bool {
	switch key {
	case "reward", "judge_status", "judge_name", "reason", "markers", "failure_class", "judge_meta":
		return true
	}
	return false
}

func verdictOrLineageKey(key string) bool { return key == "lineage" || VerdictKey(key) }

// AppendJSON appends the graded row as one JSON object, without a line end. Equal values give equal bytes.
func (g Graded) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	wrote := false
	if g.Row != nil {
		drop := VerdictKey
		if g.Lineage != nil {
			drop = verdictOrLineageKey
		}
		dst, wrote = g.Row.AppendMembers(dst, drop)
	}
	if wrote {
		dst = append(dst, ',')
	}
	dst = g.appendVerdict(dst)
	if g.Lineage != nil {
		dst = append(dst, `,"lineage":`...)
		dst = appendValue(dst, g.Lineage)
	}
	return append(dst, '}')
}

// AppendVerdictJSON appends the verdict alone as one JSON object: what `verify` answers.
func (g Graded) AppendVerdictJSON(dst []byte) []byte {
	return append(g.appendVerdict(append(dst, '{')), '}')
}

func (g Graded) appendVerdict(dst []byte) []byte {
	v := &g.Verdict
	dst = append(dst, `"reward":`...)
	if v.Reward == nil {
		dst = append(dst, "null"...)
	} else {
		dst = strconv.AppendFloat(dst, *v.Reward, 'g', -1, 64)
	}
	dst = append(append(append(dst, `,"judge_status":"`...), v.Status...), `","judge_name":`...)
	dst = appendString(dst, g.Name)
	dst = append(dst, `,"reason":`...)
	dst = appendString(dst, v.Reason)
	dst = append(dst, `,"markers":`...)
	dst = g.appendMarkers(dst)
	dst = append(dst, `,"failure_class":`...)
	if v.FailureClass == "" {
		dst = append(dst, "null"...)
	} else {
		dst = appendString(dst, string(v.FailureClass))
	}
	dst = append(dst, `,"judge_meta":`...)
	return appendMap(dst, v.Meta)
}

// appendMarkers merges the row's own markers with the verdict's, which win. Row markers that are no numbers are kept.
func (g Graded) appendMarkers(dst []byte) []byte {
	var own jsontext.Value
	if g.Row != nil {
		own, _ = g.Row.Get("markers")
	}
	if own == nil && len(g.Verdict.Markers) == 0 {
		return append(dst, "{}"...)
	}
	merged := make(map[string]any, len(g.Verdict.Markers)+4)
	for name, value := range rollout.Members(own) {
		merged[name] = value
	}
	for name, value := range g.Verdict.Markers {
		merged[name] = value
	}
	return appendMap(dst, merged)
}

func appendMap(dst []byte, m map[string]any) []byte {
	if len(m) == 0 {
		return append(dst, "{}"...)
	}
	dst = append(dst, '{')
	var few [8]string
	keys := slices.AppendSeq(few[:0], maps.Keys(m))
	slices.Sort(keys)
	for i, k := range keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, k), ':')
		dst = appendValue(dst, m[k])
	}
	return append(dst, '}')
}

// appendValue writes what a judge put into metadata. What cannot be written becomes text: metadata never costs a verdict.
func appendValue(dst []byte, x any) []byte {
	switch v := x.(type) {
	case nil:
		return append(dst, "null"...)
	case string:
		return appendString(dst, v)
	case bool:
		return strconv.AppendBool(dst, v)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case float64:
		return appendFloat(dst, v)
	case jsontext.Value:
		return append(dst, v...)
	case stdjson.Number:
		if jsontext.Value(v).IsValid() {
			return append(dst, v...)
		}
		return appendString(dst, string(v))
	case map[string]any:
		return appendMap(dst, v)
	case []any:
		dst = append(dst, '[')
		for i, item := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendValue(dst, item)
		}
		return append(dst, ']')
	}
	b, err := json.Marshal(x, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return appendString(dst, fmt.Sprint(x))
	}
	return append(dst, b...)
}

// appendFloat writes a float; one that JSON does not have as {"$float": "nan"}, "inf" or "-inf".
func appendFloat(dst []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, `{"$float":"nan"}`...)
	case math.IsInf(f, 1):
		return append(dst, `{"$float":"inf"}`...)
	case math.IsInf(f, -1):
		return append(dst, `{"$float":"-inf"}`...)
	}
	return strconv.AppendFloat(dst, f, 'g', -1, 64)
}

func appendString(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s) // its error is about invalid UTF-8, which is replaced
	return dst
}
