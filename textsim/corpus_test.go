package textsim

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// TestPublishedPackages compares with values that the packages people use gave: rouge-score 0.1.2, nltk 3.10 (method2 as
// smoothing) and rapidfuzz 3.14. On other scripts than Latin and on texts under four words they define something else.
func TestPublishedPackages(t *testing.T) {
	f, err := os.Open("../testdata/corpus/instructions/metrics.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var c struct {
			Got, Want string
			Edit      float64
			Rouge1    float64 `json:"rouge_1"`
			Rouge2    float64 `json:"rouge_2"`
			RougeL    float64 `json:"rouge_l"`
			BLEU      float64 `json:"bleu_4"`
			Smoothed  float64 `json:"bleu_4_add_one"`
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		edit, _ := Edit(c.Got, c.Want, true)
		long, _ := RougeL(c.Got, c.Want)
		near(t, c.Got+": edit", edit, c.Edit)
		near(t, c.Got+": rouge_1", RougeN(c.Got, c.Want, 1), c.Rouge1)
		near(t, c.Got+": rouge_2", RougeN(c.Got, c.Want, 2), c.Rouge2)
		near(t, c.Got+": rouge_l", long, c.RougeL)
		near(t, c.Got+": bleu_4", BLEU(c.Got, c.Want, NoSmoothing), c.BLEU)
		near(t, c.Got+": bleu_4, smoothed", BLEU(c.Got, c.Want, AddOne), c.Smoothed)
	}
	if n < 200 {
		t.Errorf("%d pairs were read", n)
	}
}
