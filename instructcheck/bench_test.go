package instructcheck

import (
	"encoding/json"
	"strings"
	"testing"
)

// BenchmarkCheck is what one instruction costs on an answer of 1 kB, the preparation of the answer included.
func BenchmarkCheck(b *testing.B) {
	text := strings.Repeat("The library opens at nine. It closes late, when the last reader has gone home!\n\n", 13)[:1000]
	for _, c := range []struct{ id, params string }{
		{"length_constraints:number_words", `{"num_words":100,"relation":"at least"}`},
		{"length_constraints:number_sentences", `{"num_sentences":10,"relation":"at least"}`},
		{"keywords:existence", `{"keywords":["library","reader"]}`},
		{"punctuation:no_comma", `{}`},
		{"detectable_format:number_highlighted_sections", `{"num_highlights":2}`},
		{"language:response_language", `{"language":"en"}`},
	} {
		b.Run(c.id, func(b *testing.B) {
			var params map[string]json.RawMessage
			if err := json.Unmarshal([]byte(c.params), &params); err != nil {
				b.Fatal(err)
			}
			in := compiled(b, c.id, params)
			b.ReportAllocs()
			for b.Loop() {
				in.Check(NewAnswer(text), false)
			}
		})
	}
}
