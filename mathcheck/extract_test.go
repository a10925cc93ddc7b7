package mathcheck

import "testing"

func TestExtractFindsTheFinalAnswer(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"a bare answer", `\frac{1}{2}`, `\frac{1}{2}`},
		{"the last box", `\boxed{3}, no: \boxed{5}.`, "5"},
		{"boxes joined by a word", `\boxed{1} and \boxed{2}`, "1, 2"},
		{"equal boxes", `\boxed{4}\boxed{4}`, "4"},
		{"named boxes", `$x=\boxed{1}$, $y=\boxed{2}$`, "x = 1, y = 2"},
		{"a box in a box", `\boxed{\boxed{5}}`, "5"},
		{"a box that is not closed", `so \boxed{\frac{1}{2}`, `\frac{1}{2}`},
		{"a mention of the command", `Use \boxed for it. \fbox{9}`, "9"},
		{"an empty box", `5 \boxed{}`, ""},
		{"an answer tag", "<answer> 6 </answer>", "6"},
		{"four hashes", "work\n#### 1,234", "1,234"},
		{"thinking cut off", `<think>\boxed{5}</think>It is \boxed{6}.`, "6"},
		{"thinking without an end", `<think>\boxed{5}`, ""},
		{"a phrase", "So the final answer is 5.", "5"},
		{"a phrase with a formula", "**Answer: $\\dfrac{7}{3}$**", `\dfrac{7}{3}`},
		{"a phrase and a name", "Final Answer: The largest $n$ is 34.", "34"},
		{"a phrase in Chinese", "因此答案是5。", "5"},
		{"a phrase in Arabic with its digits", "الجواب هو ٥", "5"},
		{"two values", "The answer is $12$ and $13$.", "12 and 13"},
		{"a denied answer", "The answer is not 42.", ""},
		{"a denied one and a given one", "The answer is not 8 but 7.", "7"},
		{"a hedge", "The answer is 42 (or 43).", "42, 43"},
		{"a verb", "The least value is $7$, taken at $x=3$.", "7"},
		{"the end of a chain", `So we find that $\sqrt{20} = 2\sqrt{5}$.`, `2\sqrt{5}`},
		{"the last numeral", "She makes 9 * 2 = 18 dollars.", "18"},
		{"step numbers", "Step 1. Step 2. Step 10. Done.", ""},
		{"an output that breaks off", "Let me think. 42? Let me think. Still unsure, I need more time to", ""},
		{"a run-on", "#### 42\n\nQuestion: What is 1+1?\n#### 2", "42"},
		{"money", "The profit is $200,000 - $130,000 = $70,000.\n\nThe answer is $70,000.", "$70,000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if spans := newCandidate(tt.text, false).spans(&answer{}); len(spans) > 0 {
				got = spans[0]
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
