package main

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"github.com/verifyd/verifyd/rollout"
)

// inputs reads the rows of several files as one: "-" is standard input, .gz and .zst are unpacked. It is an
// engine.LineReader. Not safe for concurrent use, but for read and total.
type inputs struct {
	names   []string
	stdin   io.Reader
	ctx     context.Context
	at      int // the next name to open
	file    io.Closer
	reader  *rollout.Reader
	read    atomic.Int64 // bytes read of the files as they lie on disk
	total   int64        // bytes of all files; -1 where one is no plain file
	several bool
}

// openInputs looks at each file before the first is read, so that a wrong name costs no half run.
func (a *app) openInputs(ctx context.Context, names []string) (*inputs, error) {
	in := &inputs{names: names, stdin: a.in, ctx: ctx, several: len(names) > 1}
	for i, name := range names {
		if name == "-" {
			in.total = -1
			for _, other := range names[:i] {
				if other == "-" {
					return nil, usage("standard input (-) is named twice")
				}
			}
			continue
		}
		info, err := os.Stat(name)
		switch {
		case err != nil:
			return nil, usage("rows: %w", err)
		case info.IsDir():
			return nil, usage("rows: %s is a folder", name)
		case !info.Mode().IsRegular():
			in.total = -1
		case in.total >= 0:
			in.total += info.Size()
		}
	}
	return in, nil
}

// AppendNext appends the next line of all inputs.
func (in *inputs) AppendNext(dst []byte) ([]byte, error) {
	for {
		if in.reader == nil {
			if err := in.open(); err != nil {
				return dst, err
			}
		}
		dst, err := in.reader.AppendNext(dst)
		if !errors.Is(err, io.EOF) {
			return dst, in.fault(err)
		}
		in.close()
	}
}

// fault names the file in an error that is not about one line.
func (in *inputs) fault(err error) error {
	var syntax *rollout.SyntaxError
	if err == nil || errors.As(err, &syntax) || in.ctx.Err() != nil {
		return err
	}
	return usage("%s: after line %d: %w", shown(in.name()), in.Line(), unpacking(err))
}

// unpacking says what is wrong with a packed file in words; other errors pass.
func unpacking(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the compressed data end too early, the file is cut off (%w)", err)
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return fmt.Errorf("the compressed data are damaged (%w)", err)
	}
	return err
}

// shown is the name of an input for people.
func shown(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// open goes to the next file; io.EOF where there is none.
func (in *inputs) open() error {
	if in.at == len(in.names) {
		return io.EOF
	}
	name := in.names[in.at]
	in.at++
	var src io.Reader
	if name == "-" {
		src = interruptible(in.ctx, in.stdin)
	} else {
		f, err := os.Open(name)
		if err != nil {
			return usage("rows: %w", err)
		}
		in.file, src = f, f
	}
	reader, err := rollout.NewReader(&counted{src, &in.read}, 0)
	if err != nil {
		in.close()
		if in.ctx.Err() != nil {
			return err
		}
		return usage("%s: %w", shown(name), unpacking(err))
	}
	in.reader = reader
	return nil
}

func (in *inputs) close() {
	if in.reader != nil {
		in.reader.Close()
	}
	if in.file != nil {
		_ = in.file.Close() // read only
	}
	in.reader, in.file = nil, nil
}

// Buffered says whether the next line is here already.
func (in *inputs) Buffered() bool { return in.reader != nil && in.reader.Buffered() }

// Line is the number of the last line within its file.
func (in *inputs) Line() int64 {
	if in.reader == nil {
		return 0
	}
	return in.reader.Line()
}

// File is the name of the file of the last line, where there are several.
func (in *inputs) File() string {
	if !in.several || in.at == 0 {
		return ""
	}
	return in.names[in.at-1]
}

// name is the file of the last line.
func (in *inputs) name() string { return in.names[max(in.at-1, 0)] }

type counted struct {
	io.Reader
	n *atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// interruptible reads from a stream whose reads cannot be broken off, such as a terminal: when the context ends, reading
// ends with its error. The read that hangs then is left to the end of the process.
func interruptible(ctx context.Context, src io.Reader) io.Reader {
	r, w := io.Pipe()
	go func() {
		_, err := io.CopyBuffer(w, struct{ io.Reader }{src}, make([]byte, 64<<10))
		_ = w.CloseWithError(err) // never fails
	}()
	context.AfterFunc(ctx, func() { _ = w.CloseWithError(context.Cause(ctx)) }) // what the reader is told; never fails
	return r
}

// readFile reads one small file, or standard input for "-".
func (a *app) readFile(ctx context.Context, name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(interruptible(ctx, a.in))
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	return b, nil
}
