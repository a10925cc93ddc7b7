package exprcheck

import (
	"reflect"
	"regexp/syntax"
	"slices"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
)

// patcher puts the counters into a tree. The library walks it children first.
type patcher struct {
	names      map[string]bool  // identifiers that the rule uses
	depths     map[ast.Node]int // nesting of each predicate: 1 for one that holds none
	maxNesting int
	err        *file.Error
}

// Visit is called by the library for each node.
func (p *patcher) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IdentifierNode:
		if n.Value == "$env" {
			p.fail(n, "$env is not available: name what the rule needs")
		}
		p.names[n.Value] = true
	case *ast.BytesNode:
		p.fail(n, "bytes are not available")
	case *ast.BinaryNode:
		p.binary(n)
	case *ast.SliceNode:
		n.Node = count(n.Node, shallow, 1)
	case *ast.BuiltinNode:
		p.builtin(node, n)
	case *ast.PredicateNode:
		p.predicate(n)
	}
}

func (p *patcher) fail(n ast.Node, msg string) {
	if p.err == nil {
		p.err = &file.Error{Location: n.Location(), Message: msg}
	}
}

func (p *patcher) binary(n *ast.BinaryNode) {
	switch n.Operator {
	case "==", "!=", "<", "<=", ">", ">=":
		if !scalarLiteral(n.Left) && !scalarLiteral(n.Right) {
			n.Left, n.Right = count(n.Left, deep, 1), count(n.Right, deep, 1)
		}
	case "+":
		n.Left, n.Right = count(n.Left, shallow, 1), count(n.Right, shallow, 1)
	case "in", "not in":
		n.Right = count(n.Right, within, 1)
	case "contains", "startsWith", "endsWith":
		n.Left, n.Right = count(n.Left, shallow, 1), count(n.Right, shallow, 1)
	case "matches":
		if pattern, ok := n.Right.(*ast.StringNode); ok {
			n.Left = count(n.Left, shallow, 1+instructions(pattern.Value))
			return
		}
		n.Left = count(n.Left, shallow, dynamicPattern)
		n.Right = count(n.Right, shallow, dynamicPattern)
	}
}

// dynamicPattern is the factor for a pattern that is not known while building: Go bounds a counted repeat at 1,000.
const dynamicPattern = 1_000

// instructions is the size of a pattern's program: Go's engine takes at most so many steps a byte.
func instructions(pattern string) int {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 0
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return 0
	}
	return len(prog.Inst)
}

// builtin wraps what a function reads whole, or replaces a function that has no linear bound.
func (p *patcher) builtin(node *ast.Node, n *ast.BuiltinNode) {
	if slices.ContainsFunc(n.Arguments, isPredicate) {
		return // it pays by its turns
	}
	if _, ok := replaced[n.Name]; ok {
		ast.Patch(node, call(replacedName(n.Name), n.Arguments...))
		return
	}
	how := shallow
	switch n.Name {
	case "string", "toJSON", "flatten", "min", "max", "mean", "median", "sum", "sort":
		how = deep
	case "uniq":
		how = squared
	}
	factor := 1
	switch n.Name {
	case "split", "splitAfter", "sort", "toJSON":
		factor = bytesPerStep
	}
	for i := range n.Arguments {
		n.Arguments[i] = count(n.Arguments[i], how, factor)
	}
}

func isPredicate(n ast.Node) bool {
	_, ok := n.(*ast.PredicateNode)
	return ok
}

// count wraps an operand in its counter; what cannot be large stays as it is.
func count(n ast.Node, how, factor int) ast.Node {
	if scalarLiteral(n) && factor == 1 {
		return n
	}
	name := useName
	switch n.Type().Kind() {
	case reflect.String:
		name = textName
	case reflect.Bool, reflect.Int, reflect.Float64:
		return n
	}
	return call(name, n, &ast.IntegerNode{Value: how}, &ast.IntegerNode{Value: factor})
}

// call builds a call of one of our functions; the meter is its first argument.
func call(name string, args ...ast.Node) *ast.CallNode {
	c := &ast.CallNode{
		Callee:    &ast.IdentifierNode{Value: name},
		Arguments: append([]ast.Node{&ast.IdentifierNode{Value: meterName}}, args...),
	}
	if len(args) > 0 {
		c.SetLocation(args[0].Location())
	}
	return c
}

func scalarLiteral(n ast.Node) bool {
	switch n.(type) {
	case *ast.NilNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.StringNode:
		return true
	}
	return false
}

// below is what stands at and under a node: how many nodes, and the deepest nesting of predicates.
type below struct {
	nodes   int
	depths  map[ast.Node]int // of the predicates that the walk has left
	deepest int
}

// Visit counts one node.
func (b *below) Visit(node *ast.Node) {
	b.nodes++
	b.deepest = max(b.deepest, b.depths[*node])
}

// predicate notes how deep n is nested and has each turn of it pay for its body.
func (p *patcher) predicate(n *ast.PredicateNode) {
	b := below{depths: p.depths}
	ast.Walk(&n.Node, &b)
	p.depths[n] = b.deepest + 1
	if p.depths[n] > p.maxNesting {
		p.fail(n, "predicates are nested too deeply")
	}
	n.Node = call(turnName, n.Node, &ast.IntegerNode{Value: b.nodes})
}
