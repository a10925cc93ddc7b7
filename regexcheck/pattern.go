package regexcheck

// A Pattern is a compiled regular expression. It is never changed after Compile and safe for concurrent use.
type Pattern struct {
	source string
	flags  Flags
	names  []string // by group, names[0] is ""
	index  map[string]int
	prog   *prog
}

// Compile reads a pattern with the flags of f; inline flags in the pattern add to them. Every error is a *SyntaxError.
func Compile(pattern string, f Flags) (*Pattern, error) {
	tree, err := parse(pattern, f&publicFlags)
	if err != nil {
		return nil, err
	}
	code, err := compile(tree)
	if err != nil {
		return nil, err
	}
	return &Pattern{source: pattern, flags: tree.flags & publicFlags, names: tree.names, index: tree.index, prog: code}, nil
}

// String returns the source of the pattern.
func (p *Pattern) String() string { return p.source }

// Flags returns the flags in force at the outermost level: those given and those of a leading (?i) and its like.
func (p *Pattern) Flags() Flags { return p.flags }

// NumGroups returns the number of capturing groups; the whole match is not one.
func (p *Pattern) NumGroups() int { return len(p.names) - 1 }

// GroupNames returns the names by group number, "" for a group without one; the first is the whole match's, always "".
func (p *Pattern) GroupNames() []string { return append([]string(nil), p.names...) }

// GroupIndex returns the number of the group called name.
func (p *Pattern) GroupIndex(name string) (int, bool) {
	i, ok := p.index[name]
	return i, ok
}

// A Group is what one group of a match took.
type Group struct {
	Name       string // "" if the group has none
	Text       string // a piece of the text that was searched
	Start, End int    // code points from the start of the text; both -1 if the group took no part
	Took       bool   // the group took part in the match
}

// A Match is the answer to one question. The zero value is "no match".
type Match struct {
	Found  bool
	Groups []Group // the whole match, then each group; nil if nothing was found
	Steps  int64   // what the answer cost, on the scale of Pattern.Bound
}

// Span returns the code points the match begins at and ends before, -1 and -1 if nothing was found.
func (m Match) Span() (start, end int) {
	if !m.Found {
		return -1, -1
	}
	return m.Groups[0].Start, m.Groups[0].End
}

// Search looks for the leftmost match anywhere in text, like re.search. The error is ErrSteps or nil.
func (p *Pattern) Search(text string) (Match, error) { return p.run(text, modeSearch) }

// Match asks for a match that begins where text begins, like re.match. The error is ErrSteps or nil.
func (p *Pattern) Match(text string) (Match, error) { return p.run(text, modeMatch) }

// FullMatch asks for a match of all of text, like re.fullmatch. The error is ErrSteps or nil.
func (p *Pattern) FullMatch(text string) (Match, error) { return p.run(text, modeFull) }

type mode uint8

const (
	modeSearch mode = iota
	modeMatch
	modeFull
)
