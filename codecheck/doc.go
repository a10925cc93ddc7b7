// Package codecheck answers one question: does this program pass these tests?
//
// A Task holds an answer, its language and its Tests; a Runner finds the program in the answer, runs it behind the walls
// of a sandbox.Sandbox and returns a Report. Each report says how its verdict was reached (Integrity):
//
//   - engine: the engine sends one input at a time and compares what comes back. Expected values never enter a sandbox.
//   - split: the unchanged test text runs in a sandbox of its own (the tester), where the names of the candidate are
//     proxies; the candidate runs in another one and sees only the arguments of the calls made to it.
//   - lineup: program and tests share an interpreter, but the expected values do not: they are taken out of the text and
//     shown one question at a time among decoys, whose key only the engine knows.
//   - in_process: program and tests share one interpreter. Early exits never pass, but who can run code in the deciding
//     process can forge its decision: for trusted code.
//
// No verdict rests on reading the candidate's text. An error from Check means that the machine or the sandbox failed and
// never that the program did; whatever a candidate can cause is a Report with a Status.
package codecheck
