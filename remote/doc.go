// Package remote makes judges of somebody else's programs: an endpoint (HTTP), a command that talks JSON lines (Exec), a
// Python function behind a bridge process (Python).
//
// Each is asked with one JSON object that holds the row, its candidate and its reference, and answers with what the judge
// contract takes. What an outside judge says is its own word: texts in it, and in every error, are rid of the row's
// privileged golds and of keys before anybody sees them. A judge that hangs, dies or floods costs the row that it was asked about.
package remote
