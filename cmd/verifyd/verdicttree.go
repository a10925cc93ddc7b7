package main

import (
	"fmt"

	"github.com/verifyd/verifyd/internal/report"
	"github.com/verifyd/verifyd/judge"
)

// verdictNode is one check of a verdict, with the checks it is made of.
type verdictNode struct {
	name, kind, status, reason string
	reward                     *float64
	weight                     *float64
	skipped                    bool
	extracted                  any
	parts                      []verdictNode
}

// treeOf reads the tree of a verdict from judge_meta.parts.
func treeOf(name, kind string, v *judge.Verdict) verdictNode {
	n := verdictNode{name: name, kind: kind, status: string(v.Status), reason: v.Reason, reward: v.Reward}
	n.read(v.Meta)
	return n
}

func (n *verdictNode) read(meta map[string]any) {
	n.extracted = meta["extracted"]
	parts, _ := meta["parts"].([]any)
	for _, p := range parts {
		m, ok := p.(map[string]any)
		if !ok {
			continue
		}
		child := verdictNode{}
		child.name, _ = m["name"].(string)
		child.kind, _ = m["kind"].(string)
		child.status, _ = m["judge_status"].(string)
		child.reason, _ = m["reason"].(string)
		child.skipped, _ = m["skipped"].(bool)
		if f, ok := m["reward"].(float64); ok {
			child.reward = &f
		}
		if f, ok := m["weight"].(float64); ok {
			child.weight = &f
		}
		inner, _ := m["judge_meta"].(map[string]any)
		child.read(inner)
		n.parts = append(n.parts, child)
	}
}

// reasonWidth and extractedWidth keep a node on one line of a wide terminal.
const (
	reasonWidth    = 110
	extractedWidth = 60
)

// draw writes the node and those below it. first stands before its own line, rest before the lines of its parts.
// Lines are broken at width, behind the branches of the tree; 0 leaves them whole.
func (n *verdictNode) draw(p *report.Printer, width int, first, rest string) {
	label := n.name
	if n.kind != "" && n.kind != n.name {
		label += p.Dim(" (" + n.kind + ")")
	}
	if n.weight != nil {
		label += p.Dim(fmt.Sprintf(" weight %g", *n.weight))
	}
	text := report.Short(n.reason, reasonWidth)
	if s, ok := n.extracted.(string); ok && s != "" && len(n.parts) == 0 {
		text += p.Dim("  read: " + report.Short(s, extractedWidth))
	}
	under := rest + "  "
	if len(n.parts) > 0 {
		under = rest + "│ "
	}
	p.Wrapped(first+n.mark(p)+" "+p.Bold(label)+"  ", under, text, width)
	for i := range n.parts {
		if i == len(n.parts)-1 {
			n.parts[i].draw(p, width, rest+"└─ ", rest+"   ")
		} else {
			n.parts[i].draw(p, width, rest+"├─ ", rest+"│  ")
		}
	}
}

// mark is the reward, or the status where there is none.
func (n *verdictNode) mark(p *report.Printer) string {
	switch {
	case n.skipped:
		return p.Dim("skipped")
	case n.reward == nil:
		return p.Yellow(n.status)
	case *n.reward == 1:
		return p.Green("1")
	case *n.reward == 0:
		return p.Red("0")
	}
	return p.Yellow(fmt.Sprintf("%.4g", *n.reward))
}
