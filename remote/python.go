//go:build unix

package remote

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"time"

	_ "embed" // the bridge

	"github.com/verifyd/verifyd/judge"
)

//go:embed bridge.py
var bridge string

// PythonConfig says which function judges. Only Call is needed. Its module runs with the caller's rights: it must be trusted.
type PythonConfig struct {
	Call    string        // module:function
	Python  string        // the interpreter; empty: python3
	Dir     string        // where modules are looked for first; empty: the working folder
	Timeout time.Duration // one row; 0 means a minute
	Workers int           // processes at once; 0 means one a processor
	Scale   judge.Scale   // of its ratings; zero means rewards
}

var callable = regexp.MustCompile(`^[\pL_][\pL\pN_]*(\.[\pL_][\pL\pN_]*)*:[\pL_][\pL\pN_]*(\.[\pL_][\pL\pN_]*)*$`)

// NewPython makes a judge of a Python function that takes a row, or, marked by @verifier, takes candidate, reference and
// row. It talks to the bridge as Exec does to any command. What JSON cannot say (bytes, NaN, a coroutine) keeps its type.
func NewPython(c PythonConfig) (*Exec, error) {
	if !callable.MatchString(c.Call) {
		return nil, errors.New("the function is written module:function")
	}
	return NewExec(ExecConfig{
		Args: []string{orElse(c.Python, "python3"), "-u", "-c", bridge, c.Call}, Dir: c.Dir, Timeout: c.Timeout, Workers: c.Workers, Scale: c.Scale,
		Env: []string{"PYTHONIOENCODING=utf-8", "PYTHONDONTWRITEBYTECODE=1"},
	})
}

// odd is a value of a type that no verdict has.
type odd string

// TypeName is the type in Python's words.
func (o odd) TypeName() string { return string(o) }

// String is what a reason says of it.
func (o odd) String() string { return fmt.Sprintf("a value of type %s", string(o)) }

// untag reads the objects {"$float": …} and {"$type": …} by which the bridge writes what JSON cannot say.
func untag(x any) any {
	m, ok := x.(map[string]any)
	if !ok {
		if list, ok := x.([]any); ok {
			for i := range list {
				list[i] = untag(list[i])
			}
		}
		return x
	}
	if name, ok := m["$type"].(string); ok && len(m) == 1 {
		return odd(name)
	}
	if text, ok := m["$float"].(string); ok && len(m) == 1 {
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return f
		}
		return math.NaN()
	}
	for k := range m {
		m[k] = untag(m[k])
	}
	return m
}
