package instructcheck

import (
	"strings"
	"testing"
)

// languageSentences are texts of each language, three or more a language with a shared script, none of them in samples.txt.
var languageSentences = map[string][]string{
	"en": {"The library opens at nine in the morning and it closes when the last reader has gone home.", "Buy fresh vegetables before cooking tonight.", "Photosynthesis converts sunlight into chemical energy inside green leaves.", "We were very happy to see you again last summer.", "climate change affects coastal cities"},
	"es": {"La biblioteca abre a las nueve de la mañana y no cierra hasta que el último lector se ha ido a su casa.", "Compra verduras frescas antes de cocinar esta noche.", "La fotosíntesis convierte la luz del sol en energía química dentro de las hojas verdes.", "Nos alegramos mucho de volver a verte el verano pasado.", "el cambio climático afecta a las ciudades costeras"},
	"pt": {"A biblioteca abre às nove da manhã e só fecha quando o último leitor já foi para a sua casa com os livros.", "Compre legumes frescos antes de cozinhar hoje à noite.", "A fotossíntese converte a luz do sol em energia química dentro das folhas verdes.", "Ficamos muito felizes em ver você de novo no verão passado.", "as mudanças climáticas afetam as cidades costeiras"},
	"fr": {"La bibliothèque ouvre à neuf heures et elle ferme quand le dernier lecteur est rentré chez lui avec ses livres.", "Achetez des légumes frais avant de cuisiner ce soir.", "La photosynthèse transforme la lumière du soleil en énergie chimique dans les feuilles vertes.", "Nous étions très heureux de vous revoir l'été dernier.", "le changement climatique touche les villes côtières"},
	"de": {"Die Bibliothek öffnet um neun Uhr, und sie schließt erst, wenn die letzte Leserin nach Hause gegangen ist.", "Kaufe frisches Gemüse, bevor du heute Abend kochst.", "Die Fotosynthese wandelt Sonnenlicht in grünen Blättern in chemische Energie um.", "Wir haben uns sehr gefreut, dich letzten Sommer wiederzusehen.", "der Klimawandel betrifft Städte an der Küste"},
	"it": {"La biblioteca apre alle nove del mattino e non chiude fino a quando l'ultimo lettore è andato a casa con i suoi libri.", "Compra verdure fresche prima di cucinare stasera.", "La fotosintesi trasforma la luce del sole in energia chimica nelle foglie verdi.", "Siamo stati molto felici di rivederti la scorsa estate.", "il cambiamento climatico colpisce le città costiere"},
	"nl": {"De bibliotheek gaat om negen uur open en sluit pas als de laatste lezer met het boek naar huis is gegaan.", "Koop verse groenten voordat je vanavond kookt.", "Fotosynthese zet zonlicht om in chemische energie in groene bladeren.", "We waren erg blij je vorige zomer weer te zien.", "klimaatverandering treft steden aan de kust"},
	"sv": {"Biblioteket öppnar klockan nio på morgonen och det stänger inte förrän den sista läsaren har gått hem med sin bok.", "Köp färska grönsaker innan du lagar mat i kväll.", "Fotosyntesen omvandlar solljus till kemisk energi i gröna blad.", "Vi var mycket glada att se dig igen förra sommaren.", "klimatförändringarna påverkar städer vid kusten"},
	"fi": {"Kirjasto aukeaa aamulla kello yhdeksän, ja se suljetaan vasta kun viimeinen lukija on mennyt kotiin kirjansa kanssa.", "Osta tuoreita vihanneksia ennen kuin laitat illallista.", "Yhteyttäminen muuttaa auringonvalon kemialliseksi energiaksi vihreissä lehdissä.", "Olimme hyvin iloisia nähdessämme sinut taas viime kesänä.", "ilmastonmuutos vaikuttaa rannikon kaupunkeihin"},
	"pl": {"Biblioteka jest otwarta od dziewiątej rano i nie zamyka się, dopóki ostatni czytelnik nie pójdzie do domu.", "Kup świeże warzywa, zanim zaczniesz gotować.", "Fotosynteza zamienia światło słoneczne w energię chemiczną w zielonych liściach.", "Bardzo się ucieszyliśmy, że znowu cię widzimy.", "zmiany klimatu dotykają miast na wybrzeżu"},
	"vi": {"Thư viện mở cửa lúc chín giờ sáng và sẽ không đóng cho đến khi người đọc cuối cùng đã về nhà.", "Hãy mua rau tươi trước khi nấu ăn tối nay.", "Quang hợp biến ánh sáng mặt trời thành năng lượng hóa học trong lá xanh.", "Chúng tôi rất vui được gặp lại bạn vào mùa hè năm ngoái."},
	"sw": {"Maktaba hufunguliwa saa tatu asubuhi na haifungwi hadi msomaji wa mwisho amerudi nyumbani na kitabu chake.", "Nunua mboga safi kabla ya kupika usiku huu.", "Usanisinuru hubadilisha mwanga wa jua kuwa nishati ya kemikali ndani ya majani.", "Tulifurahi sana kukuona tena msimu uliopita."},
	"ru": {"Библиотека открывается в девять утра, и она не закрывается, пока последний читатель не уйдёт домой.", "Купите свежие овощи перед приготовлением ужина.", "Фотосинтез превращает солнечный свет в химическую энергию в зелёных листьях.", "Мы были очень рады снова увидеть вас прошлым летом."},
	"uk": {"Бібліотека відчиняється о дев'ятій ранку і не зачиняється, поки останній читач не піде додому.", "Купіть свіжі овочі перед приготуванням вечері.", "Фотосинтез перетворює сонячне світло на хімічну енергію в зеленому листі.", "Ми були дуже раді знову побачити вас минулого літа."},
	"bg": {"Библиотеката отваря в девет сутринта и не затваря, докато последният читател не се прибере, но в неделя това не е така.", "Купете пресни зеленчуци преди да готвите вечерята.", "Фотосинтезата превръща слънчевата светлина в химична енергия в зелените листа.", "Бяхме много щастливи да ви видим отново миналото лято."},
	"ar": {"تفتح المكتبة في الساعة التاسعة صباحا و لا تغلق إلا بعد أن يعود آخر قارئ إلى بيته.", "اشتر الخضروات الطازجة قبل الطبخ هذه الليلة.", "يحول التمثيل الضوئي ضوء الشمس إلى طاقة كيميائية داخل الأوراق الخضراء."},
	"fa": {"کتابخانه ساعت نه صبح باز می شود و تا وقتی که آخرین خواننده به خانه برود بسته نیست.", "قبل از آشپزی امشب سبزیجات تازه بخرید.", "فتوسنتز نور خورشید را در برگ\u200cهای سبز به انرژی شیمیایی تبدیل می\u200cکند."},
	"ur": {"کتب خانہ صبح نو بجے کھلتا ہے اور اس وقت تک بند نہیں ہوتا جب تک کہ آخری قاری اپنے گھر کو نہیں جاتا۔", "آج رات کھانا پکانے سے پہلے تازہ سبزیاں خریدیں۔", "پودے سورج کی روشنی کو سبز پتوں میں کیمیائی توانائی میں بدلتے ہیں۔"},
	"hi": {"पुस्तकालय सुबह नौ बजे खुलता है और यह तब तक बंद नहीं होता जब तक कि आखिरी पाठक अपने घर को नहीं जाता है।", "आज रात खाना पकाने से पहले ताज़ी सब्ज़ियाँ खरीदें।", "प्रकाश संश्लेषण सूर्य के प्रकाश को हरी पत्तियों में रासायनिक ऊर्जा में बदलता है।"},
	"mr": {"ग्रंथालय सकाळी नऊ वाजता उघडते आणि ते शेवटचा वाचक घरी जाईपर्यंत बंद होत नाही.", "आज रात्री स्वयंपाक करण्यापूर्वी ताज्या भाज्या विकत घ्या.", "प्रकाशसंश्लेषण सूर्यप्रकाशाचे हिरव्या पानांमध्ये रासायनिक ऊर्जेत रूपांतर करते."},
	"ne": {"पुस्तकालय बिहान नौ बजे खुल्छ र अन्तिम पाठक घर नगएसम्म बन्द हुँदैन, तर आइतबार यो बन्द छ।", "आज राति खाना पकाउनु अघि ताजा तरकारी किन्नुहोस्।", "प्रकाश संश्लेषणले सूर्यको प्रकाशलाई हरिया पातहरूमा रासायनिक ऊर्जामा बदल्छ।"},
	"zh": {"图书馆早上九点开门，直到最后一位读者回家才关门。星期天休息，请大家注意时间。", "你好"},
	"ja": {"図書館は朝九時に開き、最後の読者が家に帰るまで閉まりません。", "コーヒーをください", "東京"},
	"ko": {"도서관은 아침 아홉 시에 열고 마지막 독자가 집에 갈 때까지 닫지 않습니다.", "안녕"},
	"th": {"ห้องสมุดเปิดเวลาเก้าโมงเช้าและไม่ปิดจนกว่าผู้อ่านคนสุดท้ายจะกลับบ้าน"},
	"el": {"Η βιβλιοθήκη ανοίγει στις εννέα το πρωί και δεν κλείνει πριν φύγει ο τελευταίος αναγνώστης."},
	"he": {"הספרייה נפתחת בתשע בבוקר ונסגרת רק אחרי שהקורא האחרון הולך הביתה."},
	"hy": {"Գրադարանը բացվում է առավոտյան ժամը իննին և փակվում է երեկոյան։"},
	"ka": {"ბიბლიოთეკა იხსნება დილის ცხრა საათზე და იკეტება საღამოს."},
	"bn": {"গ্রন্থাগার সকাল নয়টায় খোলে এবং শেষ পাঠক বাড়ি না যাওয়া পর্যন্ত বন্ধ হয় না।"},
	"pa": {"ਲਾਇਬ੍ਰੇਰੀ ਸਵੇਰੇ ਨੌਂ ਵਜੇ ਖੁੱਲ੍ਹਦੀ ਹੈ ਅਤੇ ਰਾਤ ਨੂੰ ਬੰਦ ਹੁੰਦੀ ਹੈ।"},
	"gu": {"પુસ્તકાલય સવારે નવ વાગ્યે ખુલે છે અને છેલ્લો વાચક ઘરે જાય ત્યાં સુધી બંધ થતું નથી."},
	"ta": {"நூலகம் காலை ஒன்பது மணிக்கு திறந்து இரவில் மூடப்படும்."},
	"te": {"గ్రంథాలయం ఉదయం తొమ్మిది గంటలకు తెరుచుకుంటుంది మరియు చివరి పాఠకుడు ఇంటికి వెళ్ళే వరకు మూసివేయబడదు."},
	"kn": {"ಗ್ರಂಥಾಲಯವು ಬೆಳಿಗ್ಗೆ ಒಂಬತ್ತು ಗಂಟೆಗೆ ತೆರೆಯುತ್ತದೆ."},
	"ml": {"ഗ്രന്ഥശാല രാവിലെ ഒൻപത് മണിക്ക് തുറക്കും."},
}

// TestLanguages: each sentence is in its language and, from 20 letters on, in no other. The few short texts of a shared
// script are below the length at which the model decides.
func TestLanguages(t *testing.T) {
	for code, sentences := range languageSentences {
		if !KnownLanguage(code) {
			t.Fatalf("%s is not known", code)
		}
		for _, s := range sentences {
			for _, other := range Languages() {
				got, why := NewText(s).InLanguage(other)
				if other == code && !got {
					t.Errorf("%s: %q: %s", code, s, why)
				}
				if other != code && got && countLetters(s) >= lettersToTell {
					t.Errorf("%s: %q passes as %s", code, s, other)
				}
			}
		}
	}
}

// TestLanguageOfCapitals: case is folded before the model looks.
func TestLanguageOfCapitals(t *testing.T) {
	for _, code := range []string{"en", "de", "fr", "ru"} {
		for _, s := range languageSentences[code] {
			if ok, why := NewText(strings.ToUpper(s)).InLanguage(code); !ok {
				t.Errorf("%s: %q: %s", code, strings.ToUpper(s), why)
			}
		}
	}
}
