package remote

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// maxAnswer bounds what a judge may say about one row: far above a verdict with long reasons.
const maxAnswer = 1 << 20

// appendQuestion appends the object that a judge is asked with: row, candidate and reference (null where there is none),
// after an id where id is not empty. Without private, `privileged` is left out, and with it a reference that stands there.
func appendQuestion(dst []byte, r *rollout.Row, id string, private bool) []byte {
	dst = append(dst, '{')
	if id != "" {
		dst = append(appendText(append(dst, `"id":`...), id), ',')
	}
	drop := func(key string) bool { return key == "privileged" && !private }
	dst, _ = r.AppendMembers(append(dst, `"row":{`...), drop)
	dst = appendText(append(dst, `},"candidate":`...), r.Candidate())
	dst = append(dst, `,"reference":`...)
	if v, ok := r.Reference(""); ok && private {
		dst = append(dst, v...)
	} else {
		dst = append(dst, "null"...)
	}
	return append(dst, '}')
}

func appendText(dst []byte, s string) []byte {
	b, _ := json.Marshal(s) // text always can be written
	return append(dst, b...)
}

// decode reads one JSON value; numbers keep their digits, so that one beyond float64 is out of range and no fault.
func decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return errors.New("no JSON")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one JSON value")
	}
	return nil
}

// cleaner takes a row's golds and further secrets out of what came from outside.
type cleaner struct {
	row  *rollout.Row
	keys []string
}

func (c cleaner) text(s string) string {
	for _, k := range c.keys {
		if k != "" {
			s = strings.ReplaceAll(s, k, "<key>")
		}
	}
	return judge.Redact(c.row, s)
}

func (c cleaner) value(x any) any {
	switch v := x.(type) {
	case string:
		return c.text(v)
	case []any:
		for i := range v {
			v[i] = c.value(v[i])
		}
	case []string:
		for i := range v {
			v[i] = c.text(v[i])
		}
	case map[string]any:
		clean := make(map[string]any, len(v))
		for k, inner := range v {
			clean[c.text(k)] = c.value(inner)
		}
		return clean
	}
	return x
}

// verdict holds what a judge returned to the contract, and cleans it.
func (c cleaner) verdict(returned any, s judge.Scale) judge.Verdict {
	v := judge.Coerce(returned, s)
	v.Reason = c.text(v.Reason)
	v.FailureClass = judge.FailureClass(c.text(string(v.FailureClass)))
	if v.Meta != nil {
		v.Meta = c.value(v.Meta).(map[string]any)
	}
	if v.Markers != nil {
		markers := make(map[string]float64, len(v.Markers))
		for name, x := range v.Markers {
			markers[c.text(name)] = x
		}
		v.Markers = markers
	}
	return v
}

func notVerdict(format string, args ...any) error {
	return fmt.Errorf("%w: %s", judge.ErrInvalidResult, fmt.Sprintf(format, args...))
}
