package jsoncheck

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// pattern is a compiled value of pattern, or of a name in patternProperties.
type pattern struct {
	src  string
	re   *regexp.Regexp // nil where code is used
	code *program
	err  error // well-formed, but not to be matched here
	size int   // instructions of its program
}

// slowerThanGo is what a step of our matcher costs in steps of Go's; it is measured, and counted once for each
// look-around, whose steps come on top.
const slowerThanGo = 8

// compilePattern compiles an ECMA-262 pattern. A pattern with back-references is well-formed, which is all that the
// format "regex" asks: it is returned with err set, and refused where it would have to match.
func compilePattern(src string) (*pattern, error) {
	tree, err := parseECMA(src)
	if errors.Is(err, errBackref) {
		return &pattern{src: src, err: err}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", clip(src), err)
	}
	p := &pattern{src: src}
	var b strings.Builder
	if tree.goSyntax(&b) {
		if p.re, err = regexp.Compile(b.String()); err == nil {
			p.size = instructions(b.String())
			return p, nil
		}
	}
	var a assembler
	if p.code, err = a.compile(tree, false); err != nil {
		p.err = fmt.Errorf("%w: %w", err, ErrLimit)
	}
	p.size = mul(a.size, slowerThanGo*a.looks)
	return p, nil
}

func instructions(goPattern string) int {
	tree, err := syntax.Parse(goPattern, syntax.Perl)
	if err != nil {
		return 0
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return 0
	}
	return len(prog.Inst)
}

// MatchString reports whether the pattern matches anywhere in s. It panics with errMatchSteps.
func (p *pattern) MatchString(s string) bool {
	if p.re != nil {
		return p.re.MatchString(s)
	}
	return p.code.matches(s)
}

// String returns the pattern as the schema writes it.
func (p *pattern) String() string { return p.src }
