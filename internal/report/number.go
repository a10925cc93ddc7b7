package report

import (
	"fmt"
	"strconv"
)

// Count writes a whole number with its thousands apart: 1,234,567.
func Count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Plural writes a count with the word for one or for more.
func Plural(n int64, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + more
}

// Percent writes a share as a percentage with one digit.
func Percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// Seconds writes a duration in seconds with three significant digits: 0.012 s, 1.23 s, 123 s.
func Seconds(s float64) string {
	switch {
	case s < 1:
		return fmt.Sprintf("%.3f s", s)
	case s < 100:
		return fmt.Sprintf("%.3g s", s)
	}
	return fmt.Sprintf("%.0f s", s)
}

// Short cuts text to at most n characters, n > 1, with an ellipsis in place of what is gone; line ends become blanks.
func Short(text string, n int) string {
	runes := []rune(text)
	cut := len(runes) > n
	if cut {
		runes = runes[:n-1]
	}
	for i, c := range runes {
		if c == '\n' || c == '\r' || c == '\t' {
			runes[i] = ' '
		}
	}
	if cut {
		return string(runes) + "…"
	}
	return string(runes)
}

// Bytes writes a number of bytes in binary units with at most one digit behind the point: 512 B, 1.5 KiB, 64 MiB.
func Bytes(n int64) string {
	x, unit := float64(n), "B"
	for _, u := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if x < 1024 {
			break
		}
		x, unit = x/1024, u
	}
	return strconv.FormatFloat(float64(int64(x*10+0.5))/10, 'f', -1, 64) + " " + unit
}
