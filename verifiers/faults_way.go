package verifiers

import (
	"slices"
	"strconv"
	"strings"

	"github.com/verifyd/verifyd/rollout"
)

// specWay is the way from a spec to the place of a fault.
type specWay struct {
	root  *specPart
	steps []specStep
	rest  string // of the path: what is not there
}

type specStep struct {
	in *specPart
	i  int
}

// walk follows a path as far as there is something. A key may hold points and brackets itself; the longest one that fits
// counts, and of two the later: it is the one that stands there again.
func (p *specPart) walk(path string) specWay {
	w := specWay{root: p, rest: path}
	for at := p; w.rest != ""; at = at.items[w.steps[len(w.steps)-1].i] {
		i, rest := at.step(w.rest)
		if i < 0 {
			break
		}
		w.steps, w.rest = append(w.steps, specStep{at, i}), rest
	}
	return w
}

// step finds the item that a path begins with; -1 where there is none.
func (p *specPart) step(path string) (i int, rest string) {
	i = -1
	length := -1
	for j, key := range p.keys {
		after, ok := strings.CutPrefix(path, key)
		if ok && len(key) >= length && (after == "" || after[0] == '.' || after[0] == '[') {
			i, length, rest = j, len(key), strings.TrimPrefix(after, ".")
		}
	}
	if number, after, ok := strings.Cut(strings.TrimPrefix(path, "["), "]"); ok && p.at != nil && path[0] == '[' {
		if n, err := strconv.Atoi(number); err == nil && n < len(p.items) {
			return n, strings.TrimPrefix(after, ".")
		}
	}
	return i, rest
}

// path is the way with the places that items of lists had at first.
func (w specWay) path() string {
	path := ""
	for _, s := range w.steps {
		if s.in.keys != nil {
			path = joinPath(path, s.in.keys[s.i])
		} else {
			path += "[" + strconv.Itoa(s.in.at[s.i]) + "]"
		}
	}
	return joinPath(path, w.rest)
}

// repair takes out what is at fault. What the kind cannot be without gets the example's value instead, once. It is false
// where neither can be done.
func (w specWay) repair(d Description, replaced map[string]bool) bool {
	if len(w.steps) == 0 {
		return w.rest != "" && w.root.replace(w.rest, d, replaced)
	}
	first, last := w.steps[0], w.steps[len(w.steps)-1]
	if key := first.in.keys[first.i]; len(w.steps) == 1 && isRequired(d, key) && first.in.once(key) {
		return w.root.replace(key, d, replaced)
	}
	last.in.remove(last.i) // with what is around it, where the fault is that something is missing there
	return true
}

func isRequired(d Description, key string) bool {
	return slices.ContainsFunc(d.Arguments, func(a Argument) bool { return a.Key == key && a.Required })
}

// once says whether an object has a key only once.
func (p *specPart) once(key string) bool {
	i := slices.Index(p.keys, key)
	return i < 0 || !slices.Contains(p.keys[i+1:], key)
}

// replace gives a key the value that it has in the kind's example.
func (p *specPart) replace(key string, d Description, replaced map[string]bool) bool {
	v, ok := rollout.Member(d.Examples[0].Spec, key)
	if !ok || replaced[key] {
		return false
	}
	replaced[key] = true
	if i := slices.Index(p.keys, key); i >= 0 {
		p.items[i] = readPart(v)
		return true
	}
	p.keys, p.items = append(p.keys, key), append(p.items, readPart(v))
	return true
}
