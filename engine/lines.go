package engine

import (
	"context"
	"errors"
	"io"
	"runtime"
	"sync"

	"github.com/verifyd/verifyd/judge"
	"github.com/verifyd/verifyd/rollout"
)

// LineReader gives lines; *rollout.Reader is one.
type LineReader interface {
	// AppendNext appends the next line that is not blank to dst. io.EOF ends the input; a *rollout.SyntaxError concerns
	// one line only; any other error is final.
	AppendNext(dst []byte) ([]byte, error)
	// Buffered says whether the next line is here already.
	Buffered() bool
	// Line is the number of the line that was read last.
	Line() int64
}

// Named is a LineReader of several inputs that says which one is being read, for the records of broken lines.
type Named interface{ File() string }

// Lines grades JSON Lines. A line that is no row becomes an error record at its place.
type Lines struct {
	Engine  *Engine
	Work    Work
	Name    string         // judge_name
	Lineage *judge.Lineage // written where set, with each row's parent
	NoUsage bool           // leave judge_meta.usage out
	Strict  bool           // a line that is no row ends the run with its *rollout.SyntaxError

	// Done are the graded lines of a run that was cut off, without a torn last one. They are checked against the rows and
	// counted, not graded and not emitted. With Prove they are graded again and compared, which also shows whether they
	// came from the same judge. A difference is a *ChangedError.
	Done  LineReader
	Prove bool

	blocks sync.Pool
}

// Block is some graded lines in a row.
type Block struct {
	Out   []byte // whole lines; may be empty. Valid until emit returns
	Tally Tally  // of the lines, those of Done among them
	Bytes int64  // of input

	lines []line
	arena []byte // what lines point into
	row   rollout.Row
	again []byte // scratch for a proof
	fault error  // ended the block early; what was graded before it stands
}

// line is one line of input by its place in the arena, and the graded line of an earlier run, if there is one.
type line struct {
	start, end         int
	doneStart, doneEnd int // equal where there is none
	index, number      int64
	file               string
	err                error
}

// A work item of a prompt judge is many lines, so that handing it over costs nothing beside judging it; it ends early
// where the source runs dry, so that an answer never waits for a next question. Other judges get a line at a time.
const (
	blockLines = 256
	blockBytes = 256 << 10
)

// blocksAhead is the number of blocks read ahead for each worker: two hide the unevenness of rows.
const blocksAhead = 2

// Run grades until the source ends and calls emit with block after block, in order. See Each for errors and cancellation.
func (l *Lines) Run(ctx context.Context, src LineReader, emit func(*Block) error) error {
	reader := &blockReader{lines: l, src: src, done: l.Done, most: 1}
	workers := l.Engine.Workers()
	if reader.prompt = isPrompt(l.Work.Judge); reader.prompt {
		reader.most = blockLines
		workers = min(workers, runtime.GOMAXPROCS(0))
	}
	err := Each(ctx, Flow{Workers: workers, Window: (1 + blocksAhead) * workers}, reader.next, l.grade, func(b *Block) error {
		err := emit(b)
		if err == nil {
			err = b.fault
		}
		if reader.prompt { // a judge that is not may go on reading its row after its deadline
			l.blocks.Put(b)
		}
		return err
	})
	if err == nil && l.Done != nil {
		err = reader.nothingLeft()
	}
	return err
}

type blockReader struct {
	lines  *Lines
	src    LineReader
	done   LineReader
	prompt bool
	most   int
	index  int64
	ended  error
}

// next fills a block.
func (r *blockReader) next() (*Block, error) {
	if r.ended != nil {
		return nil, r.ended
	}
	b, ok := r.lines.blocks.Get().(*Block)
	if !ok {
		b = new(Block)
	}
	b.arena, b.lines, b.Out, b.Bytes, b.fault = b.arena[:0], b.lines[:0], b.Out[:0], 0, nil
	b.Tally.reset()
	for len(b.lines) < r.most && len(b.arena) < blockBytes && (len(b.lines) == 0 || r.src.Buffered()) {
		if r.ended = r.add(b); r.ended != nil {
			break
		}
	}
	if len(b.lines) == 0 {
		return nil, r.ended
	}
	return b, nil
}

// add reads one line, and the graded line of the earlier run that belongs to it. An error is the end.
func (r *blockReader) add(b *Block) error {
	var syntax *rollout.SyntaxError
	ln := line{start: len(b.arena), index: r.index}
	arena, err := r.src.AppendNext(b.arena)
	switch {
	case errors.As(err, &syntax):
		ln.err = err
	case err != nil:
		return err
	default:
		b.arena = arena
	}
	r.index++
	ln.end, ln.number = len(b.arena), r.src.Line()
	if n, ok := r.src.(Named); ok {
		ln.file = n.File()
	}
	ln.doneStart, ln.doneEnd = ln.end, ln.end
	b.Bytes += int64(ln.end - ln.start)
	if r.done != nil {
		arena, err := r.done.AppendNext(b.arena)
		switch {
		case errors.Is(err, io.EOF):
			r.done = nil
		case err != nil:
			return &ChangedError{Row: ln.index, Msg: "cannot read the graded line: " + err.Error()}
		default:
			b.arena = arena
			ln.doneEnd = len(arena)
		}
	}
	b.lines = append(b.lines, ln)
	return nil
}

// nothingLeft refuses an output that has more lines than there are rows.
func (r *blockReader) nothingLeft() error {
	if r.done == nil {
		return nil
	}
	if _, err := r.done.AppendNext(nil); errors.Is(err, io.EOF) {
		return nil
	}
	return &ChangedError{Row: r.index, Msg: "there are more graded lines than rows"}
}

// grade works on one block. An error ends it, and the run once the lines before it are emitted.
func (l *Lines) grade(ctx context.Context, b *Block) (*Block, error) {
	for i := range b.lines {
		if b.fault = l.gradeLine(ctx, b, &b.lines[i]); b.fault != nil {
			break
		}
	}
	return b, nil
}

func (l *Lines) gradeLine(ctx context.Context, b *Block, ln *line) error {
	done := b.arena[ln.doneStart:ln.doneEnd]
	row, broke := l.parse(b, ln, b.arena[ln.start:ln.end:ln.end])
	switch {
	case broke != nil && l.Strict:
		return strictly(broke, ln)
	case len(done) > 0:
		return l.keep(ctx, b, ln, row, broke, done)
	case broke != nil:
		b.Out = append(l.appendBroken(b.Out, ln, broke), '\n')
		b.countBroken(ln, broke)
		return nil
	}
	return l.judge(ctx, b, ln, row)
}

// parse reads the row: into the block's own where the judge is prompt, and so cannot hold it any longer.
func (l *Lines) parse(b *Block, ln *line, raw []byte) (*rollout.Row, error) {
	err := ln.err
	row := &b.row
	if err == nil {
		if !isPrompt(l.Work.Judge) {
			row = new(rollout.Row)
		}
		err = rollout.ParseInto(row, raw)
	}
	var syntax *rollout.SyntaxError
	if errors.As(err, &syntax) {
		syntax.Line = ln.number
	}
	if err != nil {
		return nil, err
	}
	if old := recordOf(row); old != nil {
		return nil, old
	}
	return row, nil
}

func (l *Lines) judge(ctx context.Context, b *Block, ln *line, row *rollout.Row) error {
	v := l.Engine.Grade(ctx, l.Work, row)
	if err := ctx.Err(); err != nil {
		return err // the verdict may be that of a cancelled call
	}
	b.count(ln, row, &v)
	b.Out = append(l.appendGraded(b.Out, ln, row, v), '\n')
	return nil
}

func (l *Lines) appendGraded(dst []byte, ln *line, row *rollout.Row, v judge.Verdict) []byte {
	if l.NoUsage {
		v = WithoutUsage(v)
	}
	g := judge.Graded{Row: row, Verdict: v, Name: l.Name}
	if l.Lineage != nil {
		lineage := *l.Lineage
		lineage.Parent = judge.Parent(row, ln.index)
		g.Lineage = &lineage
	}
	return g.AppendJSON(dst)
}

// WithoutUsage returns the verdict without judge_meta.usage, which is measured. The metadata is copied: a shared verdict
// belongs to other rows too.
func WithoutUsage(v judge.Verdict) judge.Verdict {
	if _, ok := v.Meta["usage"]; !ok {
		return v
	}
	kept := make(map[string]any, len(v.Meta))
	for k, x := range v.Meta {
		if k != "usage" {
			kept[k] = x
		}
	}
	v.Meta = kept
	return v
}
