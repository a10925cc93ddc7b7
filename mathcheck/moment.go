package mathcheck

import "strings"

// moment is a clock time or a date. Fields that were not written are -1.
type moment struct {
	h, m, s  int
	y, mo, d int
	date     bool
	sure     bool // it can be nothing else; 10:15 may be a ratio
	half     bool // am or pm was written
}

var monthNames = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

// momentOf reads a text in small letters as a time or date, nil if it is none.
func momentOf(t string) *moment {
	switch strings.TrimPrefix(t, "12 ") {
	case "noon", "midday":
		return &moment{h: 12, y: -1, mo: -1, d: -1, sure: true, half: true}
	case "midnight":
		return &moment{y: -1, mo: -1, d: -1, sure: true, half: true}
	}
	if len(t) > 40 || !strings.ContainsAny(t, "0123456789") {
		return nil
	}
	if k := strings.IndexByte(t, 'h'); k > 0 && k <= 2 && len(t) == k+3 && isDigit(t[k+1]) && isDigit(t[k+2]) { // 17h20
		if c := clockOf(t[:k] + ":" + t[k+1:]); c != nil {
			c.sure = true
			return c
		}
		return nil
	}
	if strings.IndexByte(t, ':') > 0 || strings.HasSuffix(t, "m") || strings.Contains(t, " in the ") || strings.HasSuffix(t, "o'clock") {
		if c := clockOf(t); c != nil {
			return c
		}
	}
	return dateOf(t)
}

// clockOf reads H:MM, H:MM:SS, with am or pm behind.
func clockOf(t string) *moment {
	t = strings.TrimSpace(t)
	out := &moment{m: 0, s: 0, y: -1, mo: -1, d: -1}
	half := ""
	for suf, h := range halfWords {
		if cut, ok := strings.CutSuffix(t, suf); ok {
			half, t = h, strings.TrimSpace(cut)
		}
	}
	for _, suf := range [...]string{"a.m", "p.m", "am", "pm", "a.m.", "p.m."} {
		if strings.HasSuffix(t, suf) {
			half = suf[:1]
			t = strings.TrimSpace(strings.TrimSuffix(t, suf))
			break
		}
	}
	clock := false
	if cut, ok := strings.CutSuffix(t, "o'clock"); ok {
		t, clock = strings.TrimSpace(cut), true
	}
	parts := strings.Split(t, ":")
	if len(parts) > 3 || len(parts) == 1 && half == "" && !clock {
		return nil
	}
	vals := [3]int{}
	for i, p := range parts {
		p = strings.TrimSpace(p)
		v, ok := digitsOf(p, 2)
		if !ok || i > 0 && len(p) != 2 {
			return nil
		}
		vals[i] = v
	}
	out.h, out.m, out.s = vals[0], vals[1], vals[2]
	if out.h > 24 || out.m > 59 || out.s > 59 {
		return nil
	}
	if half != "" {
		if out.h < 1 || out.h > 12 {
			return nil
		}
		out.h %= 12
		if half == "p" {
			out.h += 12
		}
		out.half = true
	}
	out.sure = clock || half != "" || out.m < 10 || len(parts) == 3 && out.s < 10 && out.m < 60
	return out
}

// halfWords say in words which half of the day is meant.
var halfWords = map[string]string{" in the morning": "a", " in the afternoon": "p", " in the evening": "p"}

// weekday numbers the days of the week from 1, in full or short; 0 for anything else.
func weekday(t string) int {
	for i, d := range [...]string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"} {
		if t == d || len(t) >= 3 && len(t) <= 5 && strings.HasPrefix(d, t) {
			return i + 1
		}
	}
	return 0
}

func digitsOf(s string, most int) (int, bool) {
	if s == "" || len(s) > most {
		return 0, false
	}
	v := 0
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			return 0, false
		}
		v = v*10 + int(s[i]-'0')
	}
	return v, true
}

// dateOf reads July 4, 1776; 4 July 1776; 2021-12-25; 12/25/2021; May 4.
func dateOf(t string) *moment {
	out := &moment{h: -1, y: -1, mo: -1, d: -1, date: true, sure: true}
	for _, sep := range [...]string{"-", "/", "."} {
		if p := strings.Split(t, sep); len(p) == 3 {
			return numericDate(p, sep, out)
		}
	}
	fields := strings.FieldsFunc(t, func(r rune) bool { return r == ' ' || r == ',' || r == '.' })
	if len(fields) < 2 || len(fields) > 4 {
		return nil
	}
	for _, f := range fields {
		if f == "of" || f == "the" {
			continue
		}
		if mo := monthOf(f); mo > 0 && out.mo < 0 {
			out.mo = mo
			continue
		}
		for _, suf := range [...]string{"st", "nd", "rd", "th"} {
			f = strings.TrimSuffix(f, suf)
		}
		v, ok := digitsOf(f, 4)
		switch {
		case !ok:
			return nil
		case len(f) <= 2 && out.d < 0 && v >= 1 && v <= 31:
			out.d = v
		case len(f) == 4 && out.y < 0:
			out.y = v
		default:
			return nil
		}
	}
	if out.mo < 0 || out.d < 0 && out.y < 0 {
		return nil
	}
	return out
}

func monthOf(f string) int {
	for i, m := range monthNames {
		if f == m || len(f) >= 3 && (f == m[:3] || f == "sept" && i == 8) {
			return i + 1
		}
	}
	return 0
}

func numericDate(p []string, sep string, out *moment) *moment {
	var v [3]int
	for i, s := range p {
		n, ok := digitsOf(strings.TrimSpace(s), 4)
		if !ok {
			return nil
		}
		v[i] = n
	}
	switch {
	case len(p[0]) == 4 && len(p[1]) <= 2 && len(p[2]) <= 2:
		out.y, out.mo, out.d = v[0], v[1], v[2]
	case len(p[2]) == 4 && len(p[0]) <= 2 && len(p[1]) <= 2 && sep != "-":
		out.y, out.mo, out.d = v[2], v[0], v[1]
		if sep == "." || out.mo > 12 {
			out.mo, out.d = out.d, out.mo
		}
	default:
		return nil
	}
	if out.mo < 1 || out.mo > 12 || out.d < 1 || out.d > 31 {
		return nil
	}
	return out
}

// equal compares moments of one sort; a year may be missing on one side only if the other does not name one either.
func (a *moment) equal(b *moment) bool {
	if a.date != b.date {
		return false
	}
	if a.date {
		return a.y == b.y && a.mo == b.mo && a.d == b.d
	}
	if a.m != b.m || a.s != b.s {
		return false
	}
	if a.half != b.half && a.h%12 == b.h%12 { // 3:00 against 3:00 PM: the half may be left out
		plain := a
		if a.half {
			plain = b
		}
		return plain.h == a.h && plain.h == b.h || plain.h <= 12
	}
	return a.h == b.h
}
