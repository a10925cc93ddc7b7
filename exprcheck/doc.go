// Package exprcheck answers one question: what does this rule say of these values? A rule is an expression of
// expr-lang: no statements, no loops without end, no access to clock, environment, files or randomness.
//
// A rule is compiled once and evaluated many times, by any number of goroutines. What it may cost is counted in steps
// and cells, not in time, so that a verdict is the same on any machine under any load; see meter.go.
package exprcheck
