package regexcheck

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A generator makes small patterns of every construct and texts that they have a chance of matching.
type generator struct {
	r      *rand.Rand
	chars  []string // literals
	letter []string // of texts
	sets   []string
	groups int
	names  []string
}

func newGenerator(r *rand.Rand, unicode bool) *generator {
	g := &generator{r: r, chars: []string{"a", "b", "c", "ab", `\n`, "A", "-", "1", " "}, letter: []string{"a", "b", "a", "b", "c", "\n", "A", "1", " ", "-"}}
	g.sets = []string{"[ab]", "[^a]", `\w`, `\d`, `\s`, `\W`, `\D`, `\S`, "[a-c]", "[^b-c1]", `[\w-]`, `[^\d\s]`, ".", ".", "[]a]", `[\x61-b]`, "[a-]"}
	if unicode {
		cs := strings.Split("ı I İ i ſ s S K k K µ μ Μ ß ẞ ς σ Σ 𐐀 𐐨 é É ٣ 字 ﬅ ﬆ ᾀ ᾈ θ ϑ ϴ Θ", " ")
		g.chars, g.letter = cs, append(cs, "a", "1")
		g.sets = append(g.sets, "[a-zſ]", "[α-ω]", "[^Α-Ω]", "[𐐀-𐐅]", "[x𐐀]", "[x𐐨]", "[İx]", "[ıx]", "[^K]", "[ā-ſ]", "[À-𐐿]", `[\W𐐀-𐐁]`, "[\u0100-\U0001ffff]", "[𐐨x]")
	}
	return g
}

func (g *generator) pick(from []string) string { return from[g.r.IntN(len(from))] }

func (g *generator) flags() string {
	var b strings.Builder
	for _, c := range "IMSA" {
		if g.r.IntN(4) == 0 {
			b.WriteRune(c)
		}
	}
	if g.r.IntN(12) == 0 {
		b.WriteByte('X')
	}
	return b.String()
}

func (g *generator) pattern() string {
	g.groups, g.names = 0, nil
	s := g.alternatives(3)
	if g.r.IntN(15) == 0 {
		s = "(?" + g.pick([]string{"i", "m", "s", "x", "a", "u", "im"}) + ")" + s
	}
	return s
}

func (g *generator) alternatives(depth int) string {
	s := g.branch(depth)
	for g.r.IntN(3) == 0 {
		s += "|" + g.branch(depth)
	}
	return s
}

func (g *generator) branch(depth int) string {
	var b strings.Builder
	for n := g.r.IntN(4); n >= 0; n-- {
		b.WriteString(g.item(depth))
	}
	return b.String()
}

func (g *generator) item(depth int) string {
	if g.r.IntN(12) == 0 {
		return g.pick([]string{"^", "$", `\b`, `\B`, `\A`, `\Z`, "(?#c)"})
	}
	atom := g.atom(depth)
	switch g.r.IntN(5) {
	case 0, 1:
		atom += g.pick([]string{"*", "+", "?", "{2}", "{0,2}", "{1,3}", "{2,}", "{,2}", "{1}", "{0}", "*", "+"}) + g.pick([]string{"", "", "", "?", "+"})
	}
	return atom
}

func (g *generator) atom(depth int) string {
	k := g.r.IntN(20)
	switch {
	case depth == 0 || k < 8:
		return g.pick(g.chars)
	case k < 11:
		return g.pick(g.sets)
	case k < 14:
		g.groups++
		return "(" + g.alternatives(depth-1) + ")"
	case k == 14:
		g.groups++
		name := fmt.Sprintf("n%d", g.groups)
		s := "(?P<" + name + ">" + g.alternatives(depth-1) + ")"
		g.names = append(g.names, name)
		return s
	case k == 15:
		return "(?" + g.pick([]string{"=", "!", "<=", "<!", ">", ">"}) + g.alternatives(depth-1) + ")"
	case k == 16:
		return "(?" + g.pick([]string{":", "i:", "-i:", "s:", "m:", "a:", "x:", "i-s:", "u:"}) + g.alternatives(depth-1) + ")"
	case k == 17 && g.groups > 0:
		if len(g.names) > 0 && g.r.IntN(2) == 0 {
			return "(?P=" + g.pick(g.names) + ")"
		}
		return fmt.Sprintf(`\%d`, 1+g.r.IntN(g.groups))
	case k == 18 && g.groups > 0:
		return fmt.Sprintf("(?(%d)%s|%s)", 1+g.r.IntN(g.groups), g.branch(depth-1), g.branch(depth-1))
	}
	return "(?:" + g.alternatives(depth-1) + ")"
}

// mangle makes a pattern that is likely to be refused.
func (g *generator) mangle(s string) string {
	junk := strings.Split(`( ) [ ] { } \ ? * + | ^ $ - (? (?P (?P< > (?P= (?( (?<= (?<! (?i) (?-i: (?i-i: (?L) (?u) {2,1} {,} {1,} \8 \08 \400 \x1 \u12 \U0011ffff [\ [a- z-a] \N \N{DIGIT ONE} (?# # (?a)(?u) \1 \2 (?(1) (?(a) (?P<1>a) (?P<a>b)(?P<a>c) (?P>x) (?z) (?i \q [\q] [\d-a] {99999999999} (?t) (?>`, " ")
	rs := []rune(s)
	at := g.r.IntN(len(rs) + 1)
	end := min(len(rs), at+g.r.IntN(2))
	return string(rs[:at]) + g.pick(junk) + string(rs[end:])
}

func (g *generator) texts() []string {
	out := []string{""}
	for range 4 {
		var b strings.Builder
		for n := g.r.IntN(8); n >= 0; n-- {
			b.WriteString(g.pick(g.letter))
		}
		out = append(out, b.String())
	}
	return out
}
