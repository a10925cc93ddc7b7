package verifiers

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// Finding all faults of a spec.
//
// Build ends at the first fault. To find the others it is asked again and again: what it complained about is taken out, or,
// where the kind cannot be without it, replaced by the value of the kind's example, and the rest is built. So every fault is
// told in Build's own words, and nothing is said twice. Three things keep consequences from being told as faults: checks
// inside checks are looked at on their own, with a sound one in their place; an object around a place that was taken out
// is not blamed for what it lacks; and a key that cannot be understood without another (With in the tables) is left
// alone where the other one is at fault, as is one that is missing because it is mistyped.

// maxFaults bounds the faults of one check: each costs a build.
const maxFaults = 50

// Faults returns every fault of a spec, those of a check before those of its parts; none where Build would build it.
func (r *Registry) Faults(spec jsontext.Value) []*judge.SpecError {
	f := faultFinder{registry: r}
	if len(spec) <= maxSpec {
		f.check("", spec, 0)
	}
	if len(f.faults) == 0 {
		if _, err := r.Build(spec); err != nil {
			f.faults = append(f.faults, asFault(err))
		}
	}
	return f.faults
}

// asFault: every error of Build is one.
func asFault(err error) *judge.SpecError { return plain(err).(*judge.SpecError) }

type faultFinder struct {
	registry *Registry
	faults   []*judge.SpecError
	checks   int
}

func (f *faultFinder) add(path string, fault *judge.SpecError) {
	f.faults = append(f.faults, asFault(under(path, fault)))
}

// check looks at one check and then at those inside it.
func (f *faultFinder) check(path string, spec jsontext.Value, depth int) {
	if f.checks++; f.checks > maxNodes || depth > maxDepth {
		return // Build of the whole says so
	}
	kind, err := kindOf(spec)
	if err != nil {
		f.add(path, asFault(err))
		return
	}
	d, ok := find(kind)
	if !ok { // unknown, or one that the program added and that only its own build function knows
		if _, err := f.registry.Build(spec); err != nil {
			f.add(path, asFault(err))
		}
		return
	}
	root := readPart(spec)
	var inner []innerSpec
	for _, a := range d.Arguments {
		inner = append(inner, takeSpecs(root, a)...)
	}
	rounds := maxFaults
	if len(inner) >= maxNodes { // each round would build them all
		rounds = 1
	}
	f.peel(path, root, d, rounds)
	for _, c := range inner {
		f.check(joinPath(path, c.path), c.spec, depth+1)
	}
}

// peel asks for one fault after the other, each time without what was at fault before.
func (f *faultFinder) peel(path string, root *specPart, d Description, rounds int) {
	var gone []string // places that were at fault
	replaced := map[string]bool{}
	for range rounds {
		_, err := f.registry.Build(root.encode())
		if err == nil {
			return
		}
		fault := asFault(err)
		way := root.walk(fault.Path)
		where := way.path()
		if !consequence(where, gone, d) && !(way.rest != "" && mistyped(where, gone)) {
			f.add(path, &judge.SpecError{Path: where, Msg: fault.Msg, Err: fault.Err})
		}
		gone = append(gone, where)
		if !way.repair(d, replaced) {
			return
		}
	}
}

// consequence says whether a fault at a place follows from those that were told before.
func consequence(where string, gone []string, d Description) bool {
	key := topKey(where)
	i := slices.IndexFunc(d.Arguments, func(a Argument) bool { return a.Key == key })
	for _, g := range gone {
		if where == "" || g == where || strings.HasPrefix(g, where) && strings.ContainsRune(".[", rune(g[len(where)])) {
			return true
		}
		if i >= 0 && slices.Contains(d.Arguments[i].With, topKey(g)) {
			return true
		}
	}
	return false
}

// mistyped says whether a key that is missing was told of before, as an unknown one that is like it.
func mistyped(where string, gone []string) bool {
	parent, key := cutKey(where)
	return slices.ContainsFunc(gone, func(g string) bool {
		p, k := cutKey(g)
		return p == parent && nearest(k, []string{key}) != ""
	})
}

// cutKey cuts the last key off a path.
func cutKey(path string) (parent, key string) {
	i := strings.LastIndexByte(path, '.')
	if i < 0 {
		return "", path
	}
	return path[:i], path[i+1:]
}

// topKey is the first key of a path.
func topKey(path string) string {
	if i := strings.IndexAny(path, ".["); i >= 0 {
		return path[:i]
	}
	return path
}

func joinPath(path, rest string) string {
	if path == "" || rest == "" || rest[0] == '[' {
		return path + rest
	}
	return path + "." + rest
}

// innerSpec is a check inside another one, and where it stands there.
type innerSpec struct {
	path string
	spec jsontext.Value
}

// sound is a check without a fault.
const sound = `{"kind": "json_valid"}`

// takeSpecs puts a sound check in the place of each one inside an argument, and returns those that stood there.
func takeSpecs(root *specPart, a Argument) (list []innerSpec) {
	v := root.member(a.Key)
	if v == nil {
		return nil
	}
	take := func(path string, at *specPart) {
		list = append(list, innerSpec{path, at.raw})
		*at = *readPart(jsontext.Value(sound))
	}
	if a.holds == oneSpec {
		take(a.Key, v)
	}
	for i, item := range v.items {
		at := a.Key + "[" + strconv.Itoa(i) + "]"
		if a.holds == specs {
			take(at, item)
		}
		if check := item.member("check"); a.holds == specParts && check != nil {
			take(at+".check", check)
		}
	}
	return list
}

// specPart is a value of a spec that can be taken apart.
type specPart struct {
	raw   jsontext.Value // as it was read: what a value without items still is
	keys  []string       // of an object
	items []*specPart    // of an object or a list
	at    []int          // of a list: the places that its items had at first
}

// partLevels is how deep a value is taken apart; below it stands whole. Arguments are told of by places up to five levels deep.
const partLevels = 8

func readPart(raw jsontext.Value) *specPart { return readLevels(raw, partLevels) }

func readLevels(raw jsontext.Value, levels int) *specPart {
	p := &specPart{raw: raw}
	if levels == 0 {
		return p
	}
	switch raw.Kind() {
	case '{':
		for key, v := range rollout.Members(raw) {
			p.keys = append(p.keys, key)
			p.items = append(p.items, readLevels(v, levels-1))
		}
	case '[':
		for v := range rollout.Elements(raw) {
			p.at = append(p.at, len(p.at))
			p.items = append(p.items, readLevels(v, levels-1))
		}
	}
	return p
}

// member is the value of an object's key, nil where there is none.
func (p *specPart) member(key string) *specPart {
	if i := slices.Index(p.keys, key); i >= 0 {
		return p.items[i]
	}
	return nil
}

func (p *specPart) encode() jsontext.Value {
	var b []byte
	p.appendTo(&b)
	return b
}

func (p *specPart) appendTo(b *[]byte) {
	switch {
	case p.keys != nil:
		*b = append(*b, '{')
		for i, item := range p.items {
			if i > 0 {
				*b = append(*b, ',')
			}
			*b = append(append(*b, quoted(p.keys[i])...), ':')
			item.appendTo(b)
		}
		*b = append(*b, '}')
	case p.at != nil:
		*b = append(*b, '[')
		for i, item := range p.items {
			if i > 0 {
				*b = append(*b, ',')
			}
			item.appendTo(b)
		}
		*b = append(*b, ']')
	default:
		*b = append(*b, p.raw...)
	}
}

// remove takes an item out.
func (p *specPart) remove(i int) {
	p.items = slices.Delete(p.items, i, i+1)
	if p.keys != nil {
		p.keys = slices.Delete(p.keys, i, i+1)
	} else {
		p.at = slices.Delete(p.at, i, i+1)
	}
}
