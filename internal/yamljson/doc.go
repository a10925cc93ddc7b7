// Package yamljson turns YAML text into the JSON it stands for, so that everything behind it decodes one format with
// one strictness. It follows the core schema of YAML 1.2 (chapter 10.3): yes, no, on and off are texts, 010 is ten,
// 0o10 eight, 1_000 and 12:30 are texts, dates too. JSON cannot say everything that YAML can; what it cannot say is
// refused with line and column: keys that are no texts, keys that stand twice, .nan and .inf, unknown tags, merge
// keys (<<, which YAML 1.2 dropped), a second document.
package yamljson
