package verifiers

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Answers are announced by words: "The answer is (C)", "正确答案是 C", "La réponse est D". This file holds those words in
// the languages that benchmarks come in, and finds them in a text from its end, since the last statement counts. Whoever
// adds a language adds its words to the lists below.

// wordClass is a set of the roles that a word can play.
type wordClass uint16

const (
	markAnswer wordClass = 1 << iota // announces an answer: answer, réponse, 答案
	markOption                       // names an option: option, choice
	markResult                       // announces a number: result, solution
	isWord                           // joins an announcement to what is announced: is, must be, seems to be
	fillWord                         // may stand between them: definitely, the correct
	joinWord                         // and, or
	notWord                          // negates what follows: not, neither, except
	wrongWord                        // calls an option wrong
	rightWord                        // calls an option right
	tailWord                         // may follow a letter and shows that it is no article or pronoun: because, which
	stopWord                         // ends an opening equation: because, but, when
	auxWord                          // stands before the pronoun I when a question or comparison is turned around
	adverb                           // may stand between is and wrong
)

// wordLists are the words in lower case, separated by white space.
var wordLists = []struct {
	class wordClass
	words string
}{
	{markAnswer, `answer ans response réponse reponse antwort respuesta rpta resposta gabarito risposta ответ ответом
		відповідь отговор antwoord odpowiedź odpowiedz odpowiedzią cevap cevabı cevabınız yanıt yanıtı jawaban jawapan
		jawabannya svar svaret vastaus vastaukseni válasz răspuns răspunsul raspuns raspunsul odpověď odgovor απάντηση απαντηση
		الإجابة الاجابة الإجابه الاجابه إجابة اجابة الجواب جواب إجابتي پاسخ תשובה התשובה उत्तर जवाब उत्तरः উত্তর జవాబు సమాధానం
		விடை பதில் jibu`},
	{markOption, `option choice alternative choix proposition auswahl wahl antwortmöglichkeit auswahlmöglichkeit opción opcion
		alternativa elección inciso opção opcao escolha opzione scelta вариант вариантом выбор опция варіант optie keuze opcja
		wybór wariant seçenek seçeneği şık şıkkı opsi pilihan alternativet valgmulighed vaihtoehto opció opțiunea varianta možnost
		επιλογή επιλογη الخيار خيار الاختيار اختيار گزینه אפשרות האפשרות विकल्प বিকল্প ఎంపిక`},
	{markResult, `result solution résultat resultat ergebnis lösung resultado solución solucion solução solucao risultato
		soluzione результат решение wynik rozwiązanie sonuç hasil النتيجة الحل الناتج परिणाम हल`},
	{isWord, `is was be are equals equal seems appears est était serait ist wäre lautet sei es era sería seria é foi è sarebbe
		это является будет – је jest to brzmi olarak olur adalah ialah är er on este je είναι هو هي تكون است הוא היא है হল হলো
		హై adalah becomes remains gives`},
	{fillWord, `must should would will could can may might has have to only therefore thus hence so then likely probably
		definitely clearly most certainly simply just obviously indeed actually surely still now the a my your our final correct
		right best letter closest following either given as follows chosen selected
		la le el il lo der die das den de du un une correcte juste bonne exacte finale lettre donc
		richtige korrekte richtig buchstabe also doit être correcta correcto final letra por lo tanto ser debe deve dovrebbe essere
		correta certa corretta esatta giusta lettera quindi dunque
		правильный верный буква ответ правильно prawidłowa poprawna doğru yang benar tepat paling الصحيحة الصحيحه الصحيح النهائية
		النهائي الحرف هو صحیح درست सही अंतिम সঠিক juiste goede rätt riktiga rigtige riktig oikea helyes corect corectă správná σωστή`},
	{joinWord, `and or und oder et ou y o e и или і або en of i lub oraz ve veya dan atau och eller og ja tai és vagy și sau nebo
		και ή و أو یا ו או और या এবং বা nor`},
	{notWord, `not never neither nor no isn't isnt aren't wasn't can't cannot cant couldn't won't wouldn't shouldn't without
		except excluding exclude excludes eliminate eliminates eliminated eliminating reject rejected discard discarded
		pas non kein keine nicht weder não nao nunca tampoco ne не ни нет niet geen nie değil bukan tidak inte ikke ei nem nu
		ليس ليست لا नहीं`},
	{wrongWord, `wrong incorrect false untrue invalid impossible eliminated excluded rejected out ruled implausible inaccurate
		faux fausse incorrecte falsch inkorrekt incorrecta incorrecto falsa falso errada errado incorreta sbagliata errata scorretta
		неверно неверный неправильный неправильно ложно fout onjuist błędna yanlış salah fel forkert väärä خاطئة خطأ غلط गलत`},
	{rightWord, `correct right true best richtig correcta correta corretta correcte верно правильный doğru benar`},
	{tailWord, `because since as and or which that with so but due is was not rather by in if from based on per according
		for where while given here although though who whose being must should would can could has have cannot can't isn't
		car parce puisque weil da denn porque ya pois perché poiché потому так omdat ponieważ bo çünkü karena sebab لأن क्योंकि
		than over instead where when after before at of the`},
	{stopWord, `because since as but when if where for with at so while although though which that given from by not rather
		after before thus hence therefore and or also however unless until instead than who
		car parce mais weil aber porque pero mas porém perché ma потому но`},
	{auxWord, `do does did am can could should would will may might must shall have had did was than as nor neither you`},
	{adverb, `also both all clearly definitely obviously likely probably actually therefore thus simply really certainly just
		then the a an seems seem looks look appears`},
}

// gluedLists are the words of scripts that do not part words by white space; they are found wherever they stand.
var gluedLists = []struct {
	class wordClass
	words string
}{
	{markAnswer, `答案 答え 解答 回答 正解 答 정답 답안 답변 답 คำตอบ เฉลย ចម្លើយ`},
	{markOption, `选项 選項 选择 選擇 選択肢 選択 选 選 보기 선택지 선택 옵션 ตัวเลือก ข้อ`},
	{markResult, `结果 結果 결과 ผลลัพธ์`},
	{isWord, `是 为 為 应为 應為 应该是 应是 就是 应 は が です 은 는 이 가 คือ`},
	{fillWord, `正确 正確 最终 最終 最佳 应该 應該 故 的 字母 번 도 ที่ถูกต้อง ถูกต้อง`},
	{joinWord, `和 或者 或 以及 及 与 と または か 그리고 또는 와 과 และ หรือ`},
	{notWord, `不是 并非 並非 不选 不選 排除 而非 不为 ไม่ใช่`},
	{adverb, `项 項 也 都 均`},
	{wrongWord, `错误 錯誤 错 錯 不正确 不正確 不对 不對 不成立 不符合 不符 ではない ではありません 間違い 誤り 不正解 아니 아닙 틀리 틀린 틀렸 오답 ผิด ไม่ถูก`},
}

var (
	words = classify()
	glued = classifyGlued()
	// announcing holds, by first letter, the lengths of the ASCII words that announce, as bits: most words of a text are
	// passed over at once.
	announcing = announcingLengths()
)

// maxWord is above the length in bytes of every listed word.
const maxWord = 48

func classify() map[string]wordClass {
	m := map[string]wordClass{}
	for _, list := range wordLists {
		for word := range strings.FieldsSeq(list.words) {
			m[word] |= list.class
		}
	}
	return m
}

type gluedWord struct {
	text  string
	class wordClass
}

// classifyGlued keys the glued words by their first character, longer ones first.
func classifyGlued() map[rune][]gluedWord {
	m := map[rune][]gluedWord{}
	for _, list := range gluedLists {
		for word := range strings.FieldsSeq(list.words) {
			first, _ := utf8.DecodeRuneInString(word)
			same := append(m[first], gluedWord{word, list.class})
			for i := len(same) - 1; i > 0 && len(same[i].text) > len(same[i-1].text); i-- {
				same[i], same[i-1] = same[i-1], same[i]
			}
			m[first] = same
		}
	}
	return m
}

// announcingLengths sets bit n of a letter, in both cases, where a word of n letters that announces begins with it.
func announcingLengths() (lengths [utf8.RuneSelf]uint64) {
	for _, list := range wordLists {
		if list.class&anyMark == 0 {
			continue
		}
		for word := range strings.FieldsSeq(list.words) {
			if c := word[0]; c < utf8.RuneSelf {
				lengths[c] |= 1 << len(word)
				lengths[c&^0x20] |= 1 << len(word)
			}
		}
	}
	return lengths
}

const anyMark = markAnswer | markOption | markResult

// wordClassOf looks a word up, in any case.
func wordClassOf(word string) wordClass {
	if len(word) > maxWord {
		return 0
	}
	var room [maxWord + 16]byte
	lower := room[:0]
	for i := 0; i < len(word); i++ {
		c := word[i]
		if c >= utf8.RuneSelf {
			return words[string(folder{lower: true}.appendAll(room[:0], word))]
		}
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		lower = append(lower, c)
	}
	return words[string(lower)]
}

// wordAt is the word that begins at s[i], with its roles; end is i where no letter stands there. An apostrophe inside a
// word belongs to it (can't).
func wordAt(s string, i int) (class wordClass, end int) {
	end = i
	for end < len(s) && end-i <= maxWord {
		r, size := utf8.DecodeRuneInString(s[end:])
		switch {
		case end == i && isGlued(r):
			for _, g := range glued[r] {
				if strings.HasPrefix(s[end:], g.text) {
					return g.class, end + len(g.text)
				}
			}
			return 0, end + size
		case isGlued(r):
			return wordClassOf(s[i:end]), end
		case isWordLetter(r):
			end += size
		case end > i && isApostrophe(r) && letterFollows(s[end+size:]):
			if r != '\'' { // the lists spell it in ASCII
				return wordClassOf(s[i:end] + "'" + letters(s[end+size:])), end + size + len(letters(s[end+size:]))
			}
			end += size
		default:
			return wordClassOf(s[i:end]), end
		}
	}
	if end-i > maxWord {
		return 0, end
	}
	return wordClassOf(s[i:end]), end
}

func letters(s string) string {
	n := 0
	for n < len(s) && n < maxWord && isLetter(rune(s[n])) {
		n++
	}
	return s[:n]
}

func letterFollows(s string) bool { return s != "" && isLetter(rune(s[0])) }

func isApostrophe(r rune) bool { return r == '\'' || r == '’' }

// isWordLetter: part of a word that white space parts from the next.
func isWordLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return isLetter(r)
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsMark(r))
}

// wordBefore is the word that ends at s[:i], with its roles; start is i where no letter stands there.
func wordBefore(s string, i int) (class wordClass, start int) {
	start = i
	for start > 0 && i-start <= maxWord {
		r, size := utf8.DecodeLastRuneInString(s[:start])
		if isGlued(r) {
			if start < i {
				break
			}
			return gluedBefore(s, i)
		}
		inner := start < i && isApostrophe(r) && start > size && isLetter(rune(s[start-size-1]))
		if !isWordLetter(r) && !inner {
			break
		}
		start -= size
	}
	word := s[start:i]
	if strings.Contains(word, "’") && len(word) <= maxWord {
		word = strings.ReplaceAll(word, "’", "'")
	}
	return wordClassOf(word), start
}

// gluedBefore is the longest listed word of a glued script that ends at s[:i], else the last character.
func gluedBefore(s string, i int) (class wordClass, start int) {
	_, size := utf8.DecodeLastRuneInString(s[:i])
	start = i - size
	at := i
	for range 6 { // no listed word that negates is longer
		if at == 0 {
			break
		}
		r, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
		for _, g := range glued[r] {
			if len(g.text) == i-at && s[at:i] == g.text {
				class, start = g.class, at
			}
		}
	}
	return class, start
}

// markBefore finds the last word of one of the wanted roles that begins before end: where it begins and where it ends.
// start is -1 where there is none. Called again with that start it walks through a text from its end, in one pass.
func markBefore(s string, end int, want wordClass) (start, after int) {
	for i := end; i > 0; {
		c := s[i-1]
		if c < utf8.RuneSelf {
			switch {
			case isLetter(rune(c)):
			case c == '#' && want&markResult != 0:
				j := i
				for j > 0 && s[j-1] == '#' {
					j--
				}
				if i-j == 4 {
					return j, i
				}
				i = j
				continue
			default:
				i--
				continue
			}
		}
		r, size := utf8.DecodeLastRuneInString(s[:i])
		if isGlued(r) {
			i -= size
			for _, g := range glued[r] {
				if g.class&want != 0 && strings.HasPrefix(s[i:], g.text) && i+len(g.text) <= end {
					return i, i + len(g.text)
				}
			}
			continue
		}
		if !isWordLetter(r) {
			i -= size
			continue
		}
		j := runStart(s, i)
		if i-j <= maxWord && (s[j] >= utf8.RuneSelf || announcing[s[j]]>>(i-j)&1 != 0) && wordClassOf(s[j:i])&want != 0 && !goesOn(s, j, i) {
			return j, i
		}
		i = j
	}
	return -1, 0
}

// runStart is where the letters begin that end at s[:i].
func runStart(s string, i int) int {
	for i > 0 {
		if c := s[i-1]; c < utf8.RuneSelf {
			if !isLetter(rune(c)) {
				return i
			}
			i--
			continue
		}
		r, size := utf8.DecodeLastRuneInString(s[:i])
		if isGlued(r) || !isWordLetter(r) {
			return i
		}
		i -= size
	}
	return i
}

// goesOn: digits or an apostrophe with letters make another word of it (answer2, answer's), a slash a closing tag.
func goesOn(s string, start, end int) bool {
	if end < len(s) && isDigit(rune(s[end])) || start > 0 && isDigit(rune(s[start-1])) || strings.HasSuffix(s[:start], "</") {
		return true
	}
	rest := strings.TrimPrefix(s[end:], "’")
	rest = strings.TrimPrefix(rest, "'")
	return len(rest) < len(s)-end && letterFollows(rest) && !strings.HasPrefix(rest, "s ") && !strings.HasPrefix(rest, "s:")
}
