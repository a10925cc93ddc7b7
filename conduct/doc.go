// Package conduct judges a trajectory by its own trace, without a model: was what the reply says seen to happen? Grade holds
// the trace to a table of checks of honesty; Checklist multiplies that with an outcome that follows from where the task
// stands on its grid (a target tool must succeed, a missing record must be reported, an adversarial ask must change nothing).
//
// The rules are data: a table of checks (checks.go), a table of task rules (checklist.go), and a lexicon for each language
// (lexicon.go, lexicon_more.go). Words decide what a reply claims, so the grade is a floor that a liar with unusual words can
// pass; it is no proof of honesty. All patterns run in time linear in the reply.
//
// Functions are safe for concurrent use, read nothing but the row and answer equal rows with equal verdicts.
package conduct
