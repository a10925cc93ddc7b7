package instructcheck

import "fmt"

// sentence:keyword: the keyword is in sentence N.
func sentenceKeyword(p *params) check {
	k, nth := p.keyword("word"), p.position("N")
	return func(t *Text) (bool, string) {
		list := t.sentenceList()
		if nth > len(list) {
			return false, fmt.Sprintf("%d sentences, the keyword is asked for in number %d", len(list), nth)
		}
		s := list[nth-1]
		return k.countIn(spaced(fold(t.s[s.start:s.end])), 1) > 0, fmt.Sprintf("%q is asked for in sentence %d", k.text, nth)
	}
}

// sentence:increment: each sentence has exactly so many words more than the one before.
func sentenceIncrement(p *params) check {
	more := p.count("small_n")
	return func(t *Text) (bool, string) {
		list := t.sentenceList()
		if len(list) < 2 {
			return false, "growth needs two sentences"
		}
		for i := 1; i < len(list); i++ {
			if grown := t.countIn(list[i].span) - t.countIn(list[i-1].span); grown != more {
				return false, fmt.Sprintf("sentence %d has %d words more than the one before, exactly %d asked for", i+1, grown, more)
			}
		}
		return true, fmt.Sprintf("each sentence has %d words more", more)
	}
}

// sentence:alliteration_increment: the longest run of neighbours with one first letter grows with each sentence; under two
// there is no run.
func alliterationIncrement(*params) check {
	return func(t *Text) (bool, string) {
		list := t.sentenceList()
		if len(list) < 2 {
			return false, "growth needs two sentences"
		}
		last := -1
		for i, s := range list {
			run := t.longestAlliteration(s)
			if run <= last {
				return false, fmt.Sprintf("sentence %d has a run of %d words with one first letter, the one before %d", i+1, run, last)
			}
			last = run
		}
		return true, "the alliterations grow"
	}
}

func (t *Text) longestAlliteration(s sentence) int {
	from, to := t.wordsIn(s.span)
	longest, run := 0, 1
	for i := from + 1; i < to; i++ {
		if firstLetter(t.word(i)) != firstLetter(t.word(i-1)) {
			run = 1
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
