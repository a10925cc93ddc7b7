//go:build unix

package remote

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// ExecConfig says which command judges. Only Args is needed. The command runs with the caller's rights: it must be trusted.
type ExecConfig struct {
	Args    []string      // program and arguments
	Env     []string      // NAME=value; PATH, HOME and LANG of the caller are there besides, and nothing else of its environment
	Dir     string        // working folder; empty: the caller's
	Timeout time.Duration // one row; 0 means a minute
	Workers int           // processes at once; 0 means one a processor
	Scale   judge.Scale   // of its ratings; zero means rewards
}

// Exec is a judge behind a command. It reads lines {"id", "row", "candidate", "reference"} and answers each, in its order,
// with one line {"id", "verdict": what the contract takes}, or with the members of a verdict beside the id, or with
// {"id", "error": text}. A process has one row at a time; it is ended, with all that it started, when it
// overran its time, died, said too much, or said something that it was not asked. Its standard error is dropped. Safe for
// concurrent use; Close ends its processes.
type Exec struct {
	config ExecConfig
	places chan struct{}

	mu     sync.Mutex // guards the fields below
	idle   []*process
	closed bool
}

// NewExec checks the configuration; it starts nothing yet.
func NewExec(c ExecConfig) (*Exec, error) {
	if len(c.Args) == 0 || c.Args[0] == "" {
		return nil, errors.New("the command is missing")
	}
	if c.Timeout < 0 || c.Workers < 0 || c.Workers > 256 {
		return nil, errors.New("want a timeout of 0 or more, and at most 256 workers")
	}
	if err := c.Scale.Validate(); err != nil {
		return nil, err
	}
	c.Timeout = orElse(c.Timeout, time.Minute)
	c.Workers = orElse(c.Workers, runtime.GOMAXPROCS(0))
	for _, name := range []string{"PATH", "HOME", "LANG"} {
		if v, ok := os.LookupEnv(name); ok {
			c.Env = append(c.Env[:len(c.Env):len(c.Env)], name+"="+v)
		}
	}
	return &Exec{config: c, places: make(chan struct{}, c.Workers)}, nil
}

// Close ends the processes that wait for rows. Those at work end with their rows.
func (e *Exec) Close() error {
	e.mu.Lock()
	idle := e.idle
	e.idle, e.closed = nil, true
	e.mu.Unlock()
	for _, p := range idle {
		p.end()
	}
	return nil
}

// Judge asks one of the processes.
func (e *Exec) Judge(ctx context.Context, r *rollout.Row) (judge.Verdict, error) {
	select {
	case e.places <- struct{}{}:
		defer func() { <-e.places }()
	case <-ctx.Done():
		return judge.Verdict{}, ctx.Err()
	}
	ctx, cancel := context.WithTimeout(ctx, e.config.Timeout)
	defer cancel()
	id := rand.Text()
	question := append(appendQuestion(nil, r, id, true), '\n')
	answer, err := e.ask(ctx, question)
	if err != nil {
		return judge.Verdict{}, err
	}
	return cleaner{row: r}.read(answer, id, e.config.Scale)
}

// answer is a line with the process that said it.
type answer struct {
	line []byte
	from *process
	of   *Exec
}

// ask puts the question to a process that waits, else to a new one. One that died between two rows costs nothing.
func (e *Exec) ask(ctx context.Context, question []byte) (answer, error) {
	for {
		p, used := e.take()
		if p == nil {
			var err error
			if p, err = start(e.config); err != nil {
				return answer{}, err
			}
		}
		line, err := p.ask(ctx, question)
		if err == nil {
			return answer{line, p, e}, nil
		}
		p.end()
		if used && errors.Is(err, errDied) && len(line) == 0 {
			continue
		}
		return answer{}, err
	}
}

func (e *Exec) take() (p *process, used bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if n := len(e.idle); n > 0 {
		p, e.idle = e.idle[n-1], e.idle[:n-1]
	}
	return p, p != nil
}

// keep puts a process back that answered as it should.
func (e *Exec) keep(p *process) {
	e.mu.Lock()
	keep := !e.closed
	if keep {
		e.idle = append(e.idle, p)
	}
	e.mu.Unlock()
	if !keep {
		p.end()
	}
}

// read holds a line to the protocol. A process that broke it is ended: what it says next could be taken for an answer.
func (c cleaner) read(a answer, id string, s judge.Scale) (judge.Verdict, error) {
	var m map[string]any
	if err := decode(a.line, &m); err != nil || m["id"] != id || a.from.pending() {
		a.from.end()
		return judge.Verdict{}, notVerdict("the judge must answer one line of JSON with the id of its row")
	}
	a.of.keep(a.from)
	delete(m, "id")
	if text, ok := m["error"].(string); ok && len(m) == 1 {
		return judge.Verdict{}, errors.New(c.text(text))
	}
	var returned any = m
	if v, ok := m["verdict"]; ok && len(m) == 1 {
		returned = v
	}
	return c.verdict(untag(returned), s), nil
}
