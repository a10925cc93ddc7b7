package instructcheck

import "unicode"

// Emoji as people count them (Unicode Technical Standard 51, "Unicode Emoji"): a base with its selector, skin tone and
// what a zero-width joiner adds, two regional indicators, a keycap and a flag of tags are one each.

// emojiBase are the characters that are emoji on their own; those below U+1F000 by the Emoji property, without the
// digits, marks and signs that become one only by a selector.
var emojiBase = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x231a, 0x231b, 1}, {0x23e9, 0x23f3, 1}, {0x23f8, 0x23fa, 1}, {0x25fd, 0x25fe, 1}, {0x2600, 0x2604, 1},
		{0x260e, 0x2611, 3}, {0x2614, 0x2615, 1}, {0x2618, 0x261d, 5}, {0x2620, 0x2622, 2}, {0x2623, 0x2626, 3},
		{0x262a, 0x262e, 4}, {0x262f, 0x2638, 9}, {0x2639, 0x263a, 1}, {0x2640, 0x2642, 2}, {0x2648, 0x2653, 1},
		{0x265f, 0x2660, 1}, {0x2663, 0x2665, 2}, {0x2666, 0x2668, 2}, {0x267b, 0x267e, 3}, {0x267f, 0x2692, 0x13},
		{0x2693, 0x2697, 1}, {0x2699, 0x269b, 2}, {0x269c, 0x26a0, 4}, {0x26a1, 0x26a7, 6}, {0x26aa, 0x26ab, 1},
		{0x26b0, 0x26b1, 1}, {0x26bd, 0x26be, 1}, {0x26c4, 0x26c5, 1}, {0x26c8, 0x26ce, 6}, {0x26cf, 0x26d1, 2},
		{0x26d3, 0x26d4, 1}, {0x26e9, 0x26ea, 1}, {0x26f0, 0x26f5, 1}, {0x26f7, 0x26fa, 1}, {0x26fd, 0x2702, 5},
		{0x2705, 0x2708, 3}, {0x2709, 0x270d, 1}, {0x270f, 0x2712, 3}, {0x2714, 0x2716, 2}, {0x271d, 0x2721, 4},
		{0x2728, 0x2733, 0xb}, {0x2734, 0x2744, 0x10}, {0x2747, 0x274c, 5}, {0x274e, 0x2753, 5}, {0x2754, 0x2755, 1},
		{0x2757, 0x2763, 0xc}, {0x2764, 0x2795, 0x31}, {0x2796, 0x2797, 1}, {0x27a1, 0x27b0, 0xf}, {0x27bf, 0x2b1b, 0x35c},
		{0x2b1c, 0x2b50, 0x34}, {0x2b55, 0x2b55, 1},
	},
	R32: []unicode.Range32{{0x1f000, 0x1f0ff, 1}, {0x1f170, 0x1f19a, 1}, {0x1f200, 0x1f3fa, 1}, {0x1f400, 0x1faff, 1}},
}

// emojiBySelector become emoji by the selector U+FE0F behind them.
var emojiBySelector = &unicode.RangeTable{R16: []unicode.Range16{
	{0xa9, 0xae, 5}, {0x203c, 0x2049, 0xd}, {0x2122, 0x2139, 0x17}, {0x2194, 0x2199, 1}, {0x21a9, 0x21aa, 1},
	{0x2328, 0x23cf, 0xa7}, {0x24c2, 0x25aa, 0xe8}, {0x25ab, 0x25b6, 0xb}, {0x25c0, 0x25fb, 0x3b}, {0x25fc, 0x25fc, 1},
	{0x2934, 0x2935, 1}, {0x2b05, 0x2b07, 1}, {0x3030, 0x303d, 0xd}, {0x3297, 0x3299, 2},
}, LatinOffset: 1}

const (
	selector = '\ufe0f'
	joiner   = '\u200d'
	keycap   = '\u20e3'
)

func isRegional(r rune) bool { return 0x1f1e6 <= r && r <= 0x1f1ff }

// emojiLen is the length in bytes of the emoji that s begins with, 0 where it begins with none.
func emojiLen(s string) int {
	r, i := runeAt(s, 0)
	switch {
	case '0' <= r && r <= '9' || r == '#' || r == '*':
		if next, n := runeAt(s, i); next == selector {
			i += n
		}
		if next, n := runeAt(s, i); next == keycap {
			return i + n
		}
		return 0
	case isRegional(r):
		if next, n := runeAt(s, i); isRegional(next) {
			return i + n
		}
		return 0
	}
	i = emojiPart(s)
	for i > 0 {
		r, n := runeAt(s, i)
		if r != joiner {
			break
		}
		more := emojiPart(s[i+n:])
		if more == 0 {
			break
		}
		i += n + more
	}
	return i
}

// emojiPart is the length of a base with what belongs to it.
func emojiPart(s string) int {
	r, i := runeAt(s, 0)
	next, n := runeAt(s, i)
	switch {
	case r < 0xa9:
		return 0
	case unicode.Is(emojiBase, r):
		if next == selector {
			i += n
		}
	case unicode.Is(emojiBySelector, r) && next == selector:
		i += n
	default:
		return 0
	}
	for {
		r, n := runeAt(s, i)
		if n == 0 || r != keycap && !(0x1f3fb <= r && r <= 0x1f3ff) && !(0xe0020 <= r && r <= 0xe007f) {
			return i
		}
		i += n
	}
}
