package mathcheck

import "strings"

// Lists and their items.

// list reads items separated by commas, semicolons, "and", "or". A single item is returned as it is.
func (p *parser) list(top bool) *node {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	var items []*node
	sep := ","
	semis := []int(nil)
	for {
		it := p.item(top)
		if p.err != nil {
			return nil
		}
		items = append(items, it)
		got, semi := false, false
		for p.isOp(",") || p.isOp(";") || p.isOp("and") || p.isOp("or") || top && (p.isOp("&") || p.isOp("implies")) {
			if s := p.next().s; s == "and" || s == "or" {
				sep = s
			} else {
				semi = semi || s == ";"
			}
			got = true
		}
		if !got || p.atEnd() {
			break
		}
		if semi {
			semis = append(semis, len(items))
		}
	}
	if len(items) == 1 {
		return items[0]
	}
	if n := splitSemis(items, semis); n != nil {
		return n
	}
	return &node{op: opList, s: sep, kids: items}
}

// splitSemis groups "p=5,q=2;p=7,q=2": commas bind tighter than semicolons when both occur.
func splitSemis(items []*node, semis []int) *node {
	if len(semis) == 0 || len(semis) == len(items)-1 {
		return nil
	}
	out := &node{op: opList, s: ","}
	from := 0
	for _, k := range append(semis, len(items)) {
		if k-from < 2 {
			return nil
		}
		out.kids = append(out.kids, &node{op: opList, s: ",", kids: items[from:k]})
		from = k
	}
	return out
}

// atEnd reports whether the list is over: a closing bracket or nothing but a full stop follows.
func (p *parser) atEnd() bool {
	t := p.peek()
	if t.kind == tEOF || t.kind == tClose || t.kind == tOp && (t.s == "|" && p.bars > 0 || t.s == "&" || t.s == `\\`) {
		return true
	}
	return t.kind == tOp && t.s == "." && p.at(1).kind == tEOF
}

// item reads one member of a list: an optional lead-in, an arrow chain, trailing words.
func (p *parser) item(top bool) *node {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	start := p.i
	for p.leadIn() {
		p.i++
		if p.isOp(".") {
			p.i++
		}
	}
	if t := p.peek(); t.kind == tWord && !isCurrency(t.s) && !p.wordsName() && !p.textDigits() {
		return p.words(start)
	}
	n := p.arrow()
	if p.err != nil {
		return nil
	}
	if top && n.op == opQty && n.kids[0].op == opSym && (!unitKnown(n.s) || strings.EqualFold(n.kids[0].s, "a")) { // "a dozen", "x marks the spot"
		return &node{op: opText, s: plainText(p.src[p.toks[start].pos:p.peek().pos])}
	}
	if t := p.peek(); t.kind == tWord && top {
		return p.words(start) // words that are no annotation: the whole item is text
	}
	return n
}

// wordsName reports whether a few words and an equals sign follow: "Area = 12".
func (p *parser) wordsName() bool {
	for k := 0; k < 8; k++ {
		t := p.at(k)
		switch {
		case t.kind == tWord && !stopWords[strings.ToLower(t.s)], k > 0 && t.kind == tSym:
		case k > 0 && t.kind == tOp && (t.s == "=" || t.s == "~"):
			return p.at(k+1).kind != tEOF
		default:
			return false
		}
	}
	return false
}

// leadIn recognises words before an answer that mean nothing.
func (p *parser) leadIn() bool {
	t := p.peek()
	switch t.kind {
	case tOp:
		return t.s == "=" || t.s == "~" || (t.s == ":" || t.s == "implies") && p.i == 0
	case tWord:
		if next := p.at(1); next.kind == tEOF {
			return false
		} else if low := strings.ToLower(t.s); low == "there" || low == "it" || low == "they" { // "there are 12"
			return next.kind == tWord && (next.s == "are" || next.s == "is") && p.at(2).kind == tNum
		} else if low == "are" || low == "is" {
			return p.i > 0 && next.kind == tNum
		}
		return leadWords[strings.ToLower(t.s)]
	}
	return false
}

var leadWords = set("about", "approximately", "approx", "exactly", "roughly", "around", "option", "choice", "answer", "total", "rs", "nearly", "almost")

// words reads an item of prose: everything to the next separator.
func (p *parser) words(start int) *node {
	from := p.toks[start].pos
	for {
		t := p.peek()
		if t.kind == tEOF || t.kind == tClose || t.kind == tOp && (t.s == "," || t.s == ";" || t.s == "and" || t.s == "or" || t.s == "|" || t.s == "&" || t.s == `\\`) {
			break
		}
		if t.kind == tOpen {
			if !p.skipGroup() {
				return p.fail()
			}
			continue
		}
		p.i++
	}
	to := p.peek().pos
	if to < from {
		return p.fail()
	}
	return &node{op: opText, s: plainText(p.src[from:to])}
}

// skipGroup jumps over a bracketed group.
func (p *parser) skipGroup() bool {
	depth := 0
	for ; p.i < len(p.toks)-1; p.i++ {
		switch p.peek().kind {
		case tOpen:
			depth++
		case tClose:
			if depth--; depth == 0 {
				p.i++
				return true
			}
		}
	}
	return depth <= 0
}
