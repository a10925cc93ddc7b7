// Package instructcheck answers one question: does this text do what a verifiable instruction asks? "At least 200 words",
// "no commas", "three bullet points", "answer in German": instructions whose fulfilment a program can decide.
//
// The ids and parameter names are those that IFEval (25 kinds; Zhou et al. 2023, "Instruction-Following Evaluation for
// Large Language Models") and IFBench (58 kinds; Pyatkin et al. 2025, "Generalizing Verifiable Instruction Following")
// made common. What a word, a sentence, a paragraph, a keyword, a bullet and a language is, is stated once, in word.go,
// sentence.go, line.go, keyword.go and language.go, and holds for all kinds.
//
// An Instruction is compiled once; an unknown id and a missing, unknown or impossible parameter is an error then, so
// nothing passes because it is unknown and nothing is drawn at random. Checking reads the text alone: no clock, no
// chance, no state. Cost is linear in the text. Compiled instructions are immutable and safe for concurrent use; an
// Answer or a Text is for one goroutine, since it remembers what was found in it.
package instructcheck
