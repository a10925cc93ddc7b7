package mathcheck

import "strings"

// The phrases that announce an answer. link says that a colon, a verb or a formula must follow before the value, as
// the word alone also occurs in running text.
var markers = []struct {
	text string
	link bool
}{
	{"answer", true}, {"ans", true}, {"ans.", false},
	{"答案", true}, {"故选", false}, {"應選", false}, {"選", true}, {"答:", false}, {"答:", false}, {"答えは", false}, {"答え", true}, {"正解は", false}, {"解答", true},
	{"정답", true}, {"답은", false}, {"답:", false},
	{"respuesta", true}, {"resposta", true}, {"réponse", true}, {"reponse", true}, {"risposta", true}, {"antwort", true}, {"ergebnis", true}, {"antwoord", true}, {"svar", true}, {"svaret", true}, {"vastaus", true},
	{"ответ", true}, {"відповідь", true}, {"odpowiedź", true}, {"odpověď", true}, {"odpoveď", true}, {"odgovor", true}, {"válasz", true}, {"răspuns", true}, {"отговор", true}, {"απάντηση", true},
	{"cevap", true}, {"yanıt", true}, {"đáp án", true}, {"đáp số", true}, {"jawaban", true}, {"jawapan", true}, {"คำตอบ", true}, {"उत्तर", true}, {"উত্তর", true},
	{"الإجابة", true}, {"الجواب", true}, {"جواب", true}, {"پاسخ", true}, {"תשובה", true},
}

// linkWords may stand between a marker and its value and make the link.
var linkWords = []string{"should be", "must be", "would be", "will be", "is", "are", "was", "be", "es", "é", "est", "è", "ist", "lautet", "jest", "to", "är", "er", "on", "je", "este", "είναι", "là", "adalah", "คือ", "है", "হল", "هي", "هو", "است", "היא", "是", "为", "為", "は", "은", "는", "то", "=", ":", "：", "'s", "’s"}

// adjectives may stand between a marker and its link.
var adjectives = []string{"correcte", "correcta", "correct", "corretta", "correta", "finale", "final", "exacte", "exacta"}

// fillers may follow the link and mean nothing.
var fillers = []string{"approximately", "about", "around", "roughly", "exactly", "equal to", "therefore", "thus", "simply", "clearly", "probably", "for sure", "option", "choice", "just", "then", "now", "given by", "indeed", "always", "also", "the number", "the value", "the letter", "the following"}

// lastMarker returns the text behind the last marker and where it begins.
func lastMarker(s string) (rest string, at int, found bool) {
	const window = 6 << 10 // an answer stands near the end
	off := 0
	if len(s) > window {
		off = len(s) - window
		for off < len(s) && s[off]&0xC0 == 0x80 {
			off++
		}
	}
	tail := s[off:]
	low := lowerSame(tail)
	best := -1
	plain := isASCII(tail)
	for _, m := range markers {
		if plain && m.text[0] >= 0x80 {
			continue
		}
		limit := len(low)
		for n := 0; n < 12; n++ {
			k := strings.LastIndex(low[:limit], m.text)
			if k < 0 || k <= best {
				break
			}
			if end, ok := linkAfter(tail, low, k+len(m.text), m.link); ok && wordStart(low, k) {
				best, rest = k, tail[end:]
				break
			}
			limit = k
		}
	}
	for _, m := range [...]string{"####", "\nA:", "\na:"} {
		if k := strings.LastIndex(tail, m); k > best {
			best, rest = k, tail[k+len(m):]
		}
	}
	if best < 0 && strings.HasPrefix(tail, "A:") {
		best, rest = 0, tail[2:]
	}
	return rest, off + best, best >= 0
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// lowerSame is a lower-case copy of equal length: letters whose case changes their length stay.
func lowerSame(s string) string {
	if t := strings.ToLower(s); len(t) == len(s) {
		return t
	}
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 32
		}
	}
	return string(b)
}

func wordStart(s string, k int) bool {
	return k == 0 || !(s[k-1] >= 'a' && s[k-1] <= 'z')
}

// linkAfter skips what links a marker to its value: markup, colon, verb.
func linkAfter(s, low string, i int, need bool) (int, bool) {
	linked := !need
	if j := skipBlank(low, i); wordLength(low[j:], negativeLinks) > 0 {
		return j, true
	}
	if strings.HasPrefix(low[i:], "s ") && !strings.HasPrefix(low[i:], "s:") {
		i++
	}
	for n := 0; n < 8; n++ {
		j := i
		for j < len(s) && (s[j] == ' ' || s[j] == '*' || s[j] == '_' || s[j] == '\t' || s[j] == '\n' || s[j] == '\r' || s[j] == '}') {
			linked = linked || s[j] == '\n'
			j++
		}
		i = j
		k := wordLength(low[j:], linkWords)
		if k == 0 {
			if k = wordLength(low[j:], adjectives); k == 0 {
				break
			}
			i = j + k
			continue
		}
		linked = true
		i = j + k
	}
	if !linked && i < len(s) {
		linked = s[i] == '$' || strings.HasPrefix(s[i:], `\(`) || strings.HasPrefix(s[i:], `\[`)
	}
	return i, linked
}

// wordLength returns the length of the longest of the words that s begins with, as a whole word.
func wordLength(s string, words []string) int {
	best := 0
	for _, w := range words {
		if len(w) > best && strings.HasPrefix(s, w) {
			last := w[len(w)-1]
			if last >= 'a' && last <= 'z' && len(s) > len(w) && (asciiLetter(s, len(w)) || s[len(w)] >= 0xC3 && s[len(w)] < 0xE0) {
				continue
			}
			best = len(w)
		}
	}
	return best
}

// negations right behind a marker mean that what follows is not the answer.
var negations = append([]string{"not ", "isn't", "cannot", "can't", "n't ", "never ", "unknown", "unclear", "no longer", "less than", "more than", "greater than", "fewer than", "smaller than", "larger than", "at most", "at least", "between", "no more than", "no less than", "over ", "under ", "up to ", "above ", "below ",
	"nicht ", "pas ", "не ", "niet ", "inte ", "ikke ", "ei ", "nie ", "nem ", "nu ", "không ", "bukan ", "ไม่", "δεν ", "नहीं", "ليست", "ليس", "לא "}, negativeLinks...)

// negativeLinks deny what follows a marker in one word or two, where a verb would affirm it.
var negativeLinks = []string{"不是", "并非", "並非", "不为", "不等于", "no es", "n'est pas", "não é", "nao e", "non è", "nie jest", "is niet", "är inte", "er ikke", "ei ole", "není", "nem ", "nu este", "δεν είναι", "không phải", "bukan", "ไม่ใช่", "не равен", "не ", "لا ", "ليست", "ليس", "אינה", "לא ", "isn't", "is not", "was not", "cannot be", "can't be"}

// valueAfter reads the value behind a marker: the first that is no mere name.
func valueAfter(rest string) (string, bool) {
	rest = strings.TrimLeft(rest, " \t\r\n*:_")
	low := lowerSame(rest[:min(len(rest), 64)])
	for _, n := range negations {
		if strings.HasPrefix(low, n) {
			line := sentence(rest)
			for _, turn := range [...]string{" but ", " sondern ", " sino ", " mais ", " ma ", " mas ", ", а ", ", a ", "而是"} { // "not 8 but 7"
				if k := strings.Index(line, turn); k > 0 {
					return valueAfter(line[k+len(turn):])
				}
			}
			return "", false
		}
	}
	for n := 0; n < 4; n++ {
		k := wordLength(lowerSame(rest[:min(len(rest), 32)]), fillers)
		if k == 0 {
			break
		}
		rest = strings.TrimLeft(rest[k:], " :*")
	}
	if span, ok := formulaList(rest); ok {
		if !mereName(span) {
			return chainEnd(span), true
		}
		if later := lastValue(firstParagraph(rest[len(span):])); later != "" {
			return later, true
		}
		return span, true
	}
	line := sentence(rest)
	if line == "" {
		return "", false
	}
	return plainValue(line)
}

// mereName reports whether a span names something without giving a value.
func mereName(span string) bool {
	n, err := parse(fold(span), false)
	return err == nil && isName(n) && (n.op != opSym || n.s >= "a" && !isConstSym(n.s)) && n.op != opText
}

func firstParagraph(s string) string {
	if k := strings.Index(s, "\n\n"); k >= 0 {
		return s[:k]
	}
	return s
}

// plainValue reads a sentence behind a marker that does not begin with a formula.
func plainValue(line string) (string, bool) {
	if end := chainEnd(line); end != line {
		return end, true
	}
	if n, err := parse(fold(line), false); err == nil && (!isWordy(n) || n.op == opText && !strings.ContainsAny(line, "0123456789$\\") && len(strings.Fields(line)) <= 6 && isValue(line)) {
		return line, true
	}
	for _, cut := range [...]string{", ", " because", " since", " (", "; ", " - ", " as ", "。", "，", " where ", " when ", " if ", " for ", ": "} {
		if k := strings.Index(line, cut); k > 0 && !hedges(line[k:]) {
			head := line[:k]
			if n, err := parse(fold(head), false); err == nil && (!isWordy(n) || !strings.ContainsAny(head, "0123456789$\\") && len(values(line)) == 0 && len(strings.Fields(head)) <= 4 && isValue(head)) {
				return head, true
			}
		}
	}
	if v := firstValue(line); v != "" {
		return v, true
	}
	return line, line != ""
}

// hedges reports whether what follows a value offers another one.
func hedges(s string) bool {
	s = strings.ToLower(strings.TrimLeft(s, " ,;:(-"))
	for _, w := range [...]string{"or ", "maybe", "perhaps", "possibly", "alternatively"} {
		if strings.HasPrefix(s, w) {
			return true
		}
	}
	return false
}

// firstValue is the first value of a sentence that is no mere name, with what "and" and "or" join to it.
func firstValue(line string) string {
	list := values(line)
	for i, v := range list {
		if v.formula && mereName(v.text) && i+1 < len(list) {
			continue
		}
		if refuted(line, v) {
			return ""
		}
		span := joined(line, list, i)
		for ; i+1 < len(list); i++ { // what is offered beside it counts too
			between := strings.ToLower(line[list[i].end:list[i+1].start])
			if !hedges(between) && !strings.Contains(between, " or ") {
				break
			}
			span += ", " + list[i+1].text
		}
		return span
	}
	return ""
}

// chainEnd cuts a chain of equations between numbers to its end: 35 + 70 = 105 states 105. Brackets round the chain
// are dropped. Anything else comes back as it is.
func chainEnd(s string) string {
	if strings.IndexByte(s, '=') < 0 || len(s) > 2000 {
		return s
	}
	t := strings.TrimSpace(s)
	n, err := parse(fold(t), false)
	if err == nil && n.op == opTuple && len(n.kids) == 1 {
		t, n = strings.TrimSpace(t[1:len(t)-1]), n.kids[0]
	}
	if err != nil || !isEquation(n) || n.kids[0].hasLetters() || n.kids[0].op == opText || isStructured(n.kids[0]) {
		return s
	}
	return strings.TrimSpace(t[strings.LastIndexByte(t, '=')+1:])
}

// isValue reports whether words can be an answer rather than the start of an explanation.
func isValue(s string) bool {
	for _, w := range strings.Fields(strings.ToLower(s)) {
		if stopWords[strings.Trim(w, ".,;:")] && w != "no" && w != "not" && w != "neither" && w != "false" {
			return false
		}
	}
	return true
}
