package jsoncheck

import (
	"regexp"
	"regexp/syntax"
)

// pattern is a compiled value of pattern, or of a name in patternProperties.
type pattern struct {
	src  string
	re   *regexp.Regexp
	size int // instructions of its program
}

func compilePattern(src string) (*pattern, error) {
	re, err := compileECMA(src)
	if err != nil {
		return nil, err
	}
	p := &pattern{src: src, re: re}
	if tree, err := syntax.Parse(re.String(), syntax.Perl); err == nil {
		if prog, err := syntax.Compile(tree.Simplify()); err == nil {
			p.size = len(prog.Inst)
		}
	}
	return p, nil
}

// MatchString reports whether the pattern matches anywhere in s.
func (p *pattern) MatchString(s string) bool { return p.re.MatchString(s) }

// String returns the pattern as the schema writes it.
func (p *pattern) String() string { return p.src }
