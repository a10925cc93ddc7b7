package jsoncheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/theory/jsonpath"
	"github.com/theory/jsonpath/spec"
)

// The library parses the query and decides filters; the walk over the document is done here, for two reasons. The
// library visits members in Go's map order, so that a list of nodes would differ from run to run. And it knows no
// bound: every descendant segment may multiply the nodes by the depth of the document, and a filter may run a whole
// query for each node it tests, so a short path selects more nodes than memory holds.

// maxPathSteps bounds the nodes that one Select looks at. At some 50 ns each it ends within a second.
const maxPathSteps = 10_000_000

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
	size int // nodes of the document, counted when a filter first needs it
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
		cost := w.filterCost(sel)
		w.children(node, func(child any) {
			if w.pay(cost) && sel.Eval(child, w.root) {
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

// filterCost is an upper bound for testing one node: 1 for a filter whose queries are plain paths; otherwise the
// size of the document, once more for each further descendant segment or inner filter, doubled for each comma (a
// union may name the same node twice).
func (w *walk) filterCost(f *spec.FilterSelector) int {
	src := f.String()
	powers := strings.Count(src, "..") + strings.Count(src, "?") - 1
	if powers <= 0 && !strings.ContainsAny(src, "*:") {
		return 1
	}
	if w.size == 0 {
		w.size = countNodes(w.root)
	}
	cost := 1
	for range max(powers, 1) {
		cost = min(cost*w.size, maxPathSteps+1)
	}
	for range strings.Count(src, ",") {
		cost = min(cost*2, maxPathSteps+1)
	}
	return cost
}

func countNodes(v any) int {
	n := 1
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			n += countNodes(e)
		}
	case map[string]any:
		for _, e := range v {
			n += countNodes(e)
		}
	}
	return n
}
