package verifiers

import (
	"strings"
	"unicode/utf8"
)

// calendar says that the plain number s[i:end] begins a date or a clock time, and where that ends; 0 where it does not.
func calendar(s string, i, end int) int {
	first := end - i
	if first > 4 || end >= len(s) {
		return cjkDate(s, end)
	}
	switch sep := s[end]; sep {
	case ':':
		if two := digitsEnd(s, end+1); first <= 2 && two == end+3 {
			if more := digitsEnd(s, two+1); two < len(s) && s[two] == ':' && more == two+3 {
				two = more
			}
			return two
		}
	case '-', '/':
		mid := digitsEnd(s, end+1)
		if mid == end+1 || mid > end+3 || mid >= len(s) || s[mid] != sep {
			return 0
		}
		last := digitsEnd(s, mid+1)
		year := last - mid - 1
		if first == 4 && year <= 2 && year > 0 || first <= 2 && (year == 4 || year == 2 || year == 1 && sep == '/') {
			return last
		}
	}
	return cjkDate(s, end)
}

// cjkDate: 2024年5月1日, 5月1日, 2024년 5월 1일.
func cjkDate(s string, i int) int {
	units, found := "年月日년월일", 0
	at := i
	for {
		r, size := utf8.DecodeRuneInString(s[at:])
		if r == utf8.RuneError || !strings.ContainsRune(units, r) {
			break
		}
		found++
		i = at + size
		next := blanks(s, i)
		if at = digitsEnd(s, next); at == next {
			break
		}
	}
	if found < 2 {
		return 0
	}
	return i
}
