package jsoncheck

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/theory/jsonpath"
	"github.com/theory/jsonpath/spec"
)

// The library parses the query and decides filters; the walk over the document is done here, for two reasons. The
// library visits members in Go's map order, so that a list of nodes would differ from run to run. And it knows no
// bound: every descendant segment may multiply the nodes by the depth of the document, and a filter may run a whole
// query for each node it tests, so a short path selects more nodes than memory holds.

// maxPathSteps bounds the nodes that one Select looks at. At some 300 ns each it ends within a second.
const maxPathSteps = 3_000_000

type query struct {
	segments []*spec.Segment
}

func compileQuery(src string) (*query, error) {
	p, err := jsonpath.Parse(src)
	if err != nil {
		return nil, fmt.Errorf("jsoncheck: path %q: %w", src, err)
	}
	return &query{p.Query().Segments()}, nil
}

func (q *query) run(doc any) ([]any, error) {
	w := walk{root: doc, left: maxPathSteps}
	nodes := []any{doc}
	for _, seg := range q.segments {
		var found []any
		for _, n := range nodes {
			found = w.segment(found, seg, n)
		}
		nodes = found
	}
	if w.left < 0 {
		return nil, fmt.Errorf("jsoncheck: path looks at more than %d nodes: %w", maxPathSteps, ErrLimit)
	}
	return nodes, nil
}

// walk is the state of one Select. When left falls below 0 all its methods do nothing.
type walk struct {
	root any
	left int
	all  extent // of the document, measured when a filter first needs it
}

func (w *walk) pay(steps int) bool {
	w.left -= steps
	return w.left >= 0
}

func (w *walk) segment(found []any, seg *spec.Segment, node any) []any {
	if !w.pay(1) {
		return nil
	}
	for _, sel := range seg.Selectors() {
		found = w.selector(found, sel, node)
	}
	if seg.IsDescendant() {
		w.children(node, func(child any) { found = w.segment(found, seg, child) })
	}
	return found
}

func (w *walk) selector(found []any, sel spec.Selector, node any) []any {
	switch sel := sel.(type) {
	case spec.WildcardSelector:
		w.children(node, func(child any) { found = append(found, child) })
	case *spec.FilterSelector:
		price := priceOf(sel.String())
		w.children(node, func(child any) {
			if w.pay(price.of(child, w)) && sel.Eval(child, w.root) {
				found = append(found, child)
			}
		})
	default: // a name, an index or a slice: at most the list's own nodes, in its order
		nodes := sel.Select(node, w.root)
		if w.pay(len(nodes)) {
			found = append(found, nodes...)
		}
	}
	return found
}

// children visits the elements of a list, or the members of an object in the order of their names.
func (w *walk) children(node any, visit func(any)) {
	switch node := node.(type) {
	case []any:
		for _, child := range node {
			if !w.pay(1) {
				return
			}
			visit(child)
		}
	case map[string]any:
		names := make([]string, 0, len(node))
		for name := range node {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			if !w.pay(1) {
				return
			}
			visit(node[name])
		}
	}
}

// price is what testing one node with a filter may cost.
type price struct {
	powers int  // 0: a filter whose queries are plain paths, one step
	double int  // commas: a union may name the same node twice
	root   bool // it holds queries from the root
}

// quotedText is a name or text in a filter as the library prints it.
var quotedText = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// priceOf reads the price off the filter as the library prints it. A query that descends, or tests with an inner
// filter, visits what it starts from once for each of them.
func priceOf(filter string) price {
	src := quotedText.ReplaceAllString(filter, "")
	p := price{double: strings.Count(src, ","), root: strings.Contains(src, "$")}
	p.powers = strings.Count(src, "..") + strings.Count(src, "?") - 1
	if p.powers <= 0 && strings.ContainsAny(src, "*:") {
		p.powers = 1
	}
	return p
}

// of is the price for one node.
func (p price) of(node any, w *walk) int {
	if p.powers <= 0 {
		return 1
	}
	e := extentOf(node)
	w.pay(e.nodes)
	if p.root {
		if w.all.nodes == 0 {
			w.all = extentOf(w.root)
		}
		e = w.all
	}
	cost := 1
	for range p.powers { // the library copies the nodes of a descent once for each level
		cost = min(mul(cost, mul(e.nodes, e.depth)), maxPathSteps+1)
	}
	for range min(p.double, 24) {
		cost = min(2*cost, maxPathSteps+1)
	}
	return cost
}

// extent is the size of a value: its nodes, and how deep they are nested, 1 for a scalar.
type extent struct{ nodes, depth int }

func extentOf(v any) extent {
	e := extent{1, 1}
	put := func(part extent) {
		e.nodes += part.nodes
		e.depth = max(e.depth, part.depth+1)
	}
	switch v := v.(type) {
	case []any:
		for _, part := range v {
			put(extentOf(part))
		}
	case map[string]any:
		for _, part := range v {
			put(extentOf(part))
		}
	}
	return e
}
