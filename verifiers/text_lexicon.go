package verifiers

// wordLists are the words of scripts that part words by white space, in lower case. A language is added by adding its
// words; one that announces must not be listed as one that may stand between (isWord, fillWord).
var wordLists = []struct {
	class wordClass
	words string
}{
	{markAnswer, `answer ans response réponse reponse antwort respuesta rpta resposta gabarito risposta ответ ответом
		відповідь отговор antwoord odpowiedź odpowiedz odpowiedzią cevap cevabı cevabınız yanıt yanıtı jawaban jawapan
		jawabannya svar svaret vastaus vastaukseni válasz răspuns răspunsul raspuns raspunsul odpověď odgovor απάντηση απαντηση
		الإجابة الاجابة الإجابه الاجابه إجابة اجابة الجواب جواب إجابتي پاسخ תשובה התשובה उत्तर जवाब उत्तरः উত্তর జవాబు సమాధానం
		விடை பதில் jibu đáp lời sagot javob cavab жауап жооп atsakymas atbilde vastus odpoveď svarið idahun përgjigja જવાબ ਜਵਾਬ ഉത്തരം ಉತ್ತರ
		պատասխան պատասխանը პასუხი`},
	{markOption, `option choice alternative choix proposition auswahl wahl antwortmöglichkeit auswahlmöglichkeit opción opcion
		alternativa elección inciso opção opcao escolha opzione scelta вариант вариантом выбор опция варіант optie keuze opcja
		wybór wariant seçenek seçeneği şık şıkkı opsi pilihan alternativet valgmulighed vaihtoehto opció opțiunea varianta možnost
		επιλογή επιλογη الخيار خيار الاختيار اختيار گزینه אפשרות האפשרות विकल्प বিকল্প ఎంపిక`},
	{markResult, `result solution résultat resultat ergebnis lösung resultado solución solucion solução solucao risultato
		soluzione результат решение wynik rozwiązanie sonuç hasil النتيجة الحل الناتج परिणाम हल`},
	{isWord, `is was be are equals equal seems appears est était serait ist wäre lautet sei es era sería seria é foi è sarebbe
		это является будет – је jest to brzmi olarak olur adalah ialah är er on este je είναι هو هي تكون است הוא היא है হল হলো
		హై becomes remains gives là ay yra ir ni`},
	{fillWord, `must should would will could can may might has have to only therefore thus hence so then likely probably
		definitely clearly most certainly simply just obviously indeed actually surely still now the a my your our final correct
		right best letter closest following either given as follows chosen selected
		la le el il lo der die das den de du un une correcte juste bonne exacte finale lettre donc
		richtige korrekte richtig buchstabe also doit être correcta correcto final letra por lo tanto ser debe deve dovrebbe essere
		correta certa corretta esatta giusta lettera quindi dunque
		правильный верный буква правильно prawidłowa poprawna doğru yang benar tepat paling الصحيحة الصحيحه الصحيح النهائية
		النهائي الحرف هو صحیح درست सही अंतिम সঠিক juiste goede rätt riktiga rigtige riktig oikea helyes corect corectă správná σωστή án đúng nhất cuối
		cùng верният верен správna sahihi punto`},
	{joinWord, `and or und oder et ou y o e и или і або en of i lub oraz ve veya dan atau och eller og ja tai és vagy și sau nebo
		και ή و أو یا ו או और या এবং বা nor và hoặc`},
	{notWord, `not never neither nor no isn't isnt aren't wasn't can't cannot cant couldn't won't wouldn't shouldn't without
		except excluding exclude excludes eliminate eliminates eliminated eliminating reject rejected discard discarded
		pas non kein keine nicht weder não nao nunca tampoco ne не ни нет niet geen nie değil bukan tidak inte ikke ei nem nu
		ليس ليست لا नहीं không phải`},
	{wrongWord, `wrong incorrect false untrue invalid impossible eliminated excluded rejected out ruled implausible inaccurate
		faux fausse incorrecte falsch inkorrekt incorrecta incorrecto falsa falso errada errado incorreta sbagliata errata scorretta
		неверно неверный неправильный неправильно ложно fout onjuist błędna yanlış salah fel forkert väärä خاطئة خطأ غلط गलत sai`},
	{rightWord, `correct right true best richtig correcta correta corretta correcte верно правильный doğru benar đúng`},
	{tailWord, `because since as and or which that with so but due is was not rather by in if from based on per according
		for where while given here although though who whose being must should would can could has have cannot can't isn't
		car parce puisque weil da denn porque ya pois perché poiché потому так omdat ponieważ bo çünkü karena sebab لأن क्योंकि
		than over instead where when after before at of the`},
	{stopWord, `because since as but when if where for with at so while although though which that given from by not rather
		after before thus hence therefore and or also however unless until instead than who
		car parce mais weil aber porque pero mas porém perché ma потому но`},
	{auxWord, `do does did am can could should would will may might must shall have had did was than as nor neither you`},
	{hedge, `possibly maybe perhaps even alternatively else potentially vielleicht quizás talvez peut-être forse`},
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
