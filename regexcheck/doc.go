// Package regexcheck decides whether a text matches a pattern by the rules of Python's re module (CPython 3.11, str patterns),
// within a bound that is counted in steps and not in seconds.
//
// Python's syntax is read by a parser of this package: what Python refuses is refused here, with Python's position. The matcher
// is a back-tracking one, so that the leftmost match, the order of alternatives and the contents of groups are Python's. A text
// that makes plain back-tracking slow is matched again with a memory of the places that cannot succeed, which makes the work
// linear in the text for patterns without back-references, conditionals and counted groups, and small for most of the others.
// What is left over meets ErrSteps, on every machine at the same step.
//
// Texts and patterns are Go strings. Positions are code points. Characters are those of Unicode 14.0, as in CPython 3.11. A
// surrogate that was encoded as three bytes (WTF-8) is one code point, as it is in Python; any other byte that is no UTF-8
// counts as one U+FFFD.
package regexcheck
