package optimize

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/rollout"
)

// AppendRow appends a kept row as one JSON object: the row itself with `calibration`, how often its task passed before anything was
// dropped; a penalized row has reward 0, its old reward under reward_before_penalty, and the marker finished 0. row is its
// number in the order of Add.
func (s *Selection) AppendRow(dst []byte, row int, r *rollout.Row) []byte {
	stamp, ok := s.Stamp(row)
	if !ok {
		return append(dst, r.Raw()...)
	}
	if !stamp.Penalized {
		return AppendCalibrated(dst, r, &stamp.Rate, func(string) bool { return false })
	}
	dst = AppendCalibrated(dst, r, &stamp.Rate, func(key string) bool {
		switch key {
		case "reward", "overlong", "reward_before_penalty", "markers", "judge_name":
			return true
		}
		return false
	})
	return append(appendPenalty(append(dst[:len(dst)-1], ','), r), '}')
}

// AppendCalibrated appends a row as one JSON object without the members for which drop is true and with `calibration`: how often its
// task passed. A calibration of more rollouts that the row carries already stays.
func AppendCalibrated(dst []byte, r *rollout.Row, rate *TaskRate, drop func(key string) bool) []byte {
	stays := carries(r, rate.N)
	dst, wrote := r.AppendMembers(append(dst, '{'), func(key string) bool { return key == "calibration" && !stays || drop(key) })
	if !stays {
		if wrote {
			dst = append(dst, ',')
		}
		dst = appendCalibration(dst, r, rate)
	}
	return append(dst, '}')
}

// carries says whether a row has a calibration of more rollouts than n already; it stays then.
func carries(r *rollout.Row, n int) bool {
	v, ok := r.Lookup("calibration.n")
	if !ok {
		return false
	}
	have, err := strconv.Atoi(rollout.ScalarText(v))
	return err == nil && have > n
}

func appendPenalty(dst []byte, r *rollout.Row) []byte {
	dst = append(dst, `"reward":0,"overlong":true,"reward_before_penalty":`...)
	if before, ok := r.Get("reward"); ok {
		dst = append(dst, before...)
	} else {
		dst = append(dst, "null"...)
	}
	dst = append(dst, `,"judge_name":"overlong_penalty","markers":{`...)
	if markers, ok := r.Get("markers"); ok && markers.Kind() == '{' {
		for name, v := range rollout.Members(markers) {
			if name != "finished" {
				dst = appendString(dst, name)
				dst = append(append(append(dst, ':'), v...), ',')
			}
		}
	}
	return append(dst, `"finished":0.0}`...)
}

func appendCalibration(dst []byte, r *rollout.Row, rate *TaskRate) []byte {
	version := r.Text("policy_version")
	_, hash, _ := strings.Cut(version, "@")
	dst = append(dst, `"calibration":{"task_id":`...)
	dst = appendString(dst, rate.ID)
	dst = append(dst, `,"student":{"name":`...)
	dst = appendString(dst, r.Text("model_version"))
	for _, part := range []struct{ key, value string }{{"model", r.Text("model")}, {"prompt_hash", hash}, {"version", version}} {
		dst = append(append(append(dst, `,"`...), part.key...), `":`...)
		if part.value == "" {
			dst = append(dst, "null"...)
		} else {
			dst = appendString(dst, part.value)
		}
	}
	dst = append(dst, `},"n":`...)
	dst = strconv.AppendInt(dst, int64(rate.N), 10)
	dst = append(dst, `,"pass_rate":`...)
	dst = strconv.AppendFloat(dst, rate.PassRate, 'g', -1, 64)
	dst = append(dst, `,"mean_kl":null,"pass_rate_ci95":[`...)
	dst = strconv.AppendFloat(dst, rate.Interval[0], 'g', -1, 64)
	dst = append(dst, ',')
	dst = strconv.AppendFloat(dst, rate.Interval[1], 'g', -1, 64)
	return append(dst, "]}"...)
}

func appendString(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s) // broken UTF-8 becomes U+FFFD
	return dst
}
