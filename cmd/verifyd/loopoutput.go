package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// rowsFile takes the rows that a step of the loop writes. A file appears under its name when it is whole: until then it is a
// temporary one beside it.
type rowsFile struct {
	w    *bufio.Writer
	file *os.File // nil for standard output and for no output
	name string
}

// createRows opens -o: "" drops the rows, "-" is standard output. An input is not written over.
func (a *app) createRows(name string, inputs []string) (*rowsFile, error) {
	switch name {
	case "":
		return &rowsFile{w: bufio.NewWriter(io.Discard)}, nil
	case "-":
		return &rowsFile{w: bufio.NewWriter(a.out)}, nil
	}
	if err := notAnInput(name, name, inputs); err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(filepath.Dir(name), ".verifyd-*")
	if err != nil {
		return nil, usage("-o: %w", err)
	}
	return &rowsFile{w: bufio.NewWriterSize(file, 1<<20), file: file, name: name}, nil
}

// write adds one line.
func (f *rowsFile) write(line []byte) error {
	if _, err := f.w.Write(line); err != nil {
		return f.fault(err)
	}
	if err := f.w.WriteByte('\n'); err != nil {
		return f.fault(err)
	}
	return nil
}

func (f *rowsFile) fault(err error) error {
	return &exitError{exitEngine, fmt.Errorf("-o %s: %w", f.name, err)}
}

// close ends the file, or removes it where err says that it is not whole.
func (f *rowsFile) close(err error) error {
	if err == nil {
		if flushed := f.w.Flush(); flushed != nil {
			err = f.fault(flushed)
		}
	}
	if f.file == nil {
		return err
	}
	if err != nil {
		return errors.Join(err, f.file.Close(), os.Remove(f.file.Name()))
	}
	err = errors.Join(f.file.Chmod(0o644), f.file.Close(), os.Rename(f.file.Name(), f.name))
	if err != nil {
		return f.fault(err)
	}
	return nil
}

// note is where a step says what it did: standard error where its rows go to standard output.
func (a *app) note(output string) io.Writer {
	if output == "-" {
		return a.err
	}
	return a.out
}

// rereadable gives inputs that can be read twice: standard input is put into a temporary file first, which done removes.
func (a *app) rereadable(ctx context.Context, names []string) (again []string, done func(), err error) {
	i := slices.Index(names, "-")
	if i < 0 {
		return names, func() {}, nil
	}
	file, err := os.CreateTemp("", "verifyd-*.jsonl")
	if err != nil {
		return nil, nil, &exitError{exitEngine, err}
	}
	done = func() { _ = os.Remove(file.Name()) } // a temporary file that is gone is as good
	_, err = io.Copy(file, interruptible(ctx, a.in))
	if err = errors.Join(err, file.Close()); err != nil {
		done()
		return nil, nil, &exitError{exitEngine, fmt.Errorf("standard input: %w", err)}
	}
	again = slices.Clone(names)
	again[i] = file.Name()
	return again, done, nil
}
