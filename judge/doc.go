// Package judge holds the contract that every source of reward honours: a row goes in, a verdict comes out.
//
// A judge is anything that judges a row: a verifier, a tree of verifiers, a model, a program of somebody else. What a
// candidate did wrong is a verdict with a reward; what went wrong with judging is a Go error, and Call is the one place
// that turns an error, a panic or a missed deadline into a status. Nothing is silently scored zero.
package judge
