// Package verifiers holds the judges that are programs: text, numbers, mathematics, JSON, rules, code, and trees of them.
//
// A verifier is built from a spec, a JSON object {"kind": KIND, …}, by a Registry, once; building compiles patterns,
// schemas and rules and reports every fault of the caller with its path (of[1].check.pattern). A built verifier is
// immutable, safe for concurrent use, and turns back into its canonical spec.
//
// A leaf is one file: its arguments as a struct that embeds Common, a build function, Judge. It reads candidate and
// reference through package rollout, asks a check room a question in plain values, and answers with judge.Pass,
// judge.Fail or judge.Scored; a row without a usable reference is judge.MissingReference. A reason never quotes the gold.
package verifiers
