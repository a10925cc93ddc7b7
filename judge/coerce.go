package judge

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
)

// Scale is the range in which a judge rates; ratings are mapped to [0,1] linearly. The zero value means rewards.
type Scale struct{ Lo, Hi float64 }

// Validate refuses a scale that does not rise.
func (s Scale) Validate() error {
	if s != (Scale{}) && !(s.Hi > s.Lo) || math.IsInf(s.Hi-s.Lo, 0) {
		return errors.New("scale must be (lo, hi) with hi > lo")
	}
	return nil
}

// Coerce reads what a judge or a wrapped function returned: a bool, a number in [0,1], a pair of exactly (score, text or
// null), or a map with `reward`, else `score` (under a scale the first present of rating, score, reward; no bools). Maps
// are map[string]any, lists []any, numbers any Go number, *big.Int, *big.Rat or json.Number. It is the only reader of
// loose shapes. Anything else comes back as invalid_result or missing_reward, never as a reward, and never clamped.
// Markers and failure_class of a map become the verdict's; its other keys are metadata, an inner judge_meta wins.
func Coerce(returned any, scale Scale) Verdict {
	switch x := returned.(type) {
	case map[string]any:
		return coerceMap(x, scale)
	case []any:
		return coercePair(x, scale)
	}
	return coerceNumber(returned, scale, "returned_type")
}

func coercePair(pair []any, scale Scale) Verdict {
	if len(pair) != 2 {
		return invalid("returned_type", typeName(pair))
	}
	reason, isText := pair[1].(string)
	if pair[1] != nil && !isText {
		return invalid("returned_type", typeName(pair))
	}
	v := coerceNumber(pair[0], scale, "reward_type")
	if reason != "" {
		v.Reason = reason
	}
	return v
}

func coerceMap(m map[string]any, scale Scale) Verdict {
	keys := []string{"reward", "score"}
	if scale != (Scale{}) {
		keys = []string{"rating", "score", "reward"}
	}
	at := slices.IndexFunc(keys, func(k string) bool { _, ok := m[k]; return ok })
	if at < 0 {
		return Unjudged(MissingReward, "the judge returned an object without a reward").
			With("returned_keys", slices.Sorted(maps.Keys(m)))
	}
	v := coerceNumber(m[keys[at]], scale, "reward_type")
	if reason := m["reason"]; reason != nil {
		v.Reason = plainText(reason)
	}
	v.takeExtras(m, scale != (Scale{}))
	return v
}

// takeExtras moves what a verdict map says besides its reward: markers, the failure class, and metadata, in which an
// inner judge_meta wins.
func (v *Verdict) takeExtras(m map[string]any, scaled bool) {
	for k, x := range m {
		switch k {
		case "reward", "score", "reason", "judge_meta", "markers", "failure_class":
		case "rating":
			if !scaled {
				*v = v.With(k, x)
			}
		default:
			*v = v.With(k, x)
		}
	}
	inner, _ := m["judge_meta"].(map[string]any)
	for k, x := range inner {
		*v = v.With(k, x)
	}
	v.FailureClass = FailureClass(optionalText(m["failure_class"]))
	if markers, ok := m["markers"].(map[string]any); ok {
		v.Markers = make(map[string]float64, len(markers))
		for name, value := range markers {
			if f := coerceNumber(value, Scale{}, ""); f.Reward != nil {
				v.Markers[name] = *f.Reward
			}
		}
	}
}

func optionalText(x any) string { s, _ := x.(string); return s }

func plainText(x any) string {
	if s, ok := x.(string); ok {
		return s
	}
	return fmt.Sprint(x)
}

// coerceNumber reads the reward itself. typeKey names the metadata that says what stood there instead of a number.
func coerceNumber(x any, scale Scale, typeKey string) Verdict {
	b, isBool := x.(bool)
	if isBool && scale != (Scale{}) {
		return invalid("reward_type", "bool")
	}
	f, ok := number(x)
	if isBool {
		f, ok = 0, true
		if b {
			f = 1
		}
	}
	if !ok {
		return invalid(typeKey, typeName(x))
	}
	if scale != (Scale{}) {
		return rated(f, scale)
	}
	if !(f >= 0 && f <= 1) {
		return invalid("reward_out_of_range", f)
	}
	return Scored(f, "", "")
}

func rated(f float64, s Scale) Verdict {
	meta := []any{s.Lo, s.Hi}
	if !(f >= s.Lo && f <= s.Hi) {
		return invalid("rating_out_of_scale", f).With("scale", meta)
	}
	reward := math.Round((f-s.Lo)/(s.Hi-s.Lo)*1e6) / 1e6
	return Scored(reward, "", "").With("rating", f).With("scale", meta)
}

func invalid(key string, value any) Verdict {
	reason := fmt.Sprintf("the judge returned no verdict (%s: %v)", key, value)
	if key == "reward_out_of_range" {
		reason = fmt.Sprintf("the judge returned %v, which is not in [0,1]", value)
	}
	return Unjudged(InvalidResult, reason).With(key, value)
}

// number reads any Go number. A number too large for float64 becomes an infinity, which no range holds.
func number(x any) (float64, bool) {
	switch n := x.(type) {
	case float64:
		return n, true
	case int:
		return float64(n), true
	case float32:
		return float64(n), true
	case int64:
		return float64(n), true
	case int32:
		return float64(n), true
	case uint64:
		return float64(n), true
	case *big.Int:
		f, _ := new(big.Float).SetInt(n).Float64()
		return f, true
	case *big.Rat:
		f, _ := n.Float64()
		return f, true
	case json.Number:
		f, err := strconv.ParseFloat(string(n), 64)
		return f, err == nil || errors.Is(err, strconv.ErrRange)
	}
	return 0, false
}

// typeName says what was returned, in the field's words, which are Python's.
func typeName(x any) string {
	switch x := x.(type) {
	case interface{ TypeName() string }: // of a language that Go has no type for
		return x.TypeName()
	case nil:
		return "NoneType"
	case string:
		return "str"
	case bool:
		return "bool"
	case []any:
		return "list"
	case map[string]any:
		return "dict"
	case []byte:
		return "bytes"
	}
	return fmt.Sprintf("%T", x)
}
