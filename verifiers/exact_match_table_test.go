package verifiers

import "testing"

// TestExactMatchRules tries each clause of the rules with answers of its own.
func TestExactMatchRules(t *testing.T) {
	runTries(t, `{"kind":"exact_match"}`, []textTries{
		{"the last line, else the whole text", []textTry{
			{"x\nParis", "Paris", right},
			{"x\nParis\u000b\n", "Paris", right},
			{"x\rParis", "Paris", right},
			{"x\u0085Paris", "Paris", right},
			{"x\u2029Paris", "Paris", right},
			{"x\u001cParis", "Paris", right},
			{"a\r\nb", "a b", right},
			{"Paris\nIndeed", "Paris", wrong},
			{"a  b\tc", "a b c", right},
		}},
		{"punctuation with meaning stays", []textTry{
			{"-5", "5", wrong},
			{".5", "5", wrong},
			{"-.5", ".5", wrong},
			{"-$5", "5", wrong},
			{"-$5", "-5", right},
			{"1.5", "15", wrong},
			{"10-5", "105", wrong},
			{"10--5", "10-5", wrong},
			{"1/2", "12", wrong},
			{"12:30", "1230", wrong},
			{"1,23", "123", wrong},
			{"12,34", "1234", wrong},
			{"1234,567", "1234567", wrong},
			{"C++", "C", wrong},
			{"C#", "C", wrong},
			{"A+", "A", wrong},
		}},
		{"other punctuation goes", []textTry{
			{"- 5", "5", right},
			{"1,234", "1234", right},
			{"1,234,567.5", "1234567.5", right},
			{"$1,234.50", "1234.50", right},
			{"50%", "50", right},
			{"c#", "C#", right},
			{"well-known", "wellknown", right},
			{"F-16", "F16", right},
			{"don't", "dont", right},
			{"Rock & Roll", "rock roll", right},
			{"(3.14)", "3.14", right},
			{"...5", "5", right},
			{"foo_bar", "foobar", right},
		}},
		{"no accent, quote or number is folded", []textTry{
			{"0.50", "0.5", wrong},
			{"it’s", "its", wrong},
			{"“Paris”", "Paris", wrong},
			{"１２", "12", wrong},
			{"Über", "uber", wrong},
			{"École", "école", right},
			{"ΟΔΟΣ", "οδος", right},
			{"İstanbul", "istanbul", wrong},
		}},
		{"a gold of which nothing is left", []textTry{
			{"...", "!!!", wrong},
			{"...", "...", right},
			{"  ...  ", "...", right},
			{"", "", right},
			{"  ", "", right},
			{"x", "", wrong},
			{"", "???", wrong},
		}},
	})
}
