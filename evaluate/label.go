package evaluate

import (
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/rollout"
)

// labelKeys are the members that may hold a row's reward, the older name last.
var labelKeys = [...]string{"reward", "qwen_reward"}

// Label is the binary label of a graded row: the first of `reward` and the older `qwen_reward` whose value is the number 0 or 1,
// also as text. Booleans, null and partial rewards are none.
func Label(r *rollout.Row) (passed, ok bool) {
	for _, key := range labelKeys {
		if v, there := numberIn(r, key); there && (v == 0 || v == 1) {
			return v == 1, true
		}
	}
	return false, false
}

// Reward is the number of a graded row, in the same reading; partial rewards count. Only finite numbers are.
func Reward(r *rollout.Row) (reward float64, ok bool) {
	for _, key := range labelKeys {
		if v, there := numberIn(r, key); there {
			return v, true
		}
	}
	return 0, false
}

// numberIn reads a member that is a finite number, or a text of one.
func numberIn(r *rollout.Row, key string) (float64, bool) {
	v, ok := r.Get(key)
	if !ok {
		return 0, false
	}
	return number(v)
}

func number(v jsontext.Value) (float64, bool) {
	text := ""
	switch v.Kind() {
	case '0':
		text = string(v)
	case '"':
		text = strings.TrimSpace(rollout.ScalarText(v))
	}
	if text == "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
}
