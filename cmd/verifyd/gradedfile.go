package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/verifyd/verifyd/engine"
	"github.com/verifyd/verifyd/rollout"
)

// gradedFile is the output of a run of grade.
//
// Whole blocks of lines are appended with one write each and nothing is ever rewritten, so whatever ends the process
// leaves whole lines and at most a torn last one. Beside the file stands a record of the judge, OUT.resume, from before
// the first line until after the last:
//
//	start    truncate OUT, write OUT.resume, append…, end: remove OUT.resume
//	resume   cut the torn line off OUT; the record must name this judge; rows are compared with the graded lines
//
// A file without its record (the run was whole and somebody cut the file) is proven line by line by grading again.
type gradedFile struct {
	w      io.Writer
	file   *os.File // nil for standard output and for no output
	done   *os.File // the graded lines of the earlier run; nil where there are none
	reader *rollout.Reader
	record string // path of the record; empty where there is none
}

// gradeRecord is the content of OUT.resume.
type gradeRecord struct {
	Format int    `json:"verifyd_resume"`
	Judge  string `json:"judge"`  // a name for people
	Digest string `json:"digest"` // of all that decides the bytes of a graded line besides the row
}

// openGraded opens the output. inputs are the files that the run reads, which are not written over; "" is none.
func openGraded(a *app, f *gradeFlags, l *engine.Lines, inputs []string) (*gradedFile, error) {
	switch f.out {
	case "":
		return &gradedFile{w: io.Discard}, nil
	case "-":
		return &gradedFile{w: a.out}, nil
	}
	if err := notAnInput(f.out, f.out, inputs); err != nil {
		return nil, err
	}
	if err := notAnInput(f.out, f.out+recordSuffix, inputs); err != nil {
		return nil, err
	}
	if packed := packedSuffix(f.out); packed != "" {
		return nil, usage("-o %s: graded rows are written plain, so that --resume can go on; name a file without %s, or -o - and a pipe into its packer", f.out, packed)
	}
	if info, err := os.Stat(f.out); err == nil && !info.Mode().IsRegular() {
		return openDevice(f)
	}
	file, err := os.OpenFile(f.out, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, usage("-o: %w", err)
	}
	g := &gradedFile{w: file, file: file, record: f.out + recordSuffix}
	if err := g.prepare(f, l, digest(l, &a.boxes)); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return g, nil
}

// openDevice opens a pipe or a device: what is written there cannot be read again.
func openDevice(f *gradeFlags) (*gradedFile, error) {
	if f.resume {
		return nil, usage("--resume: %s is no plain file", f.out)
	}
	file, err := os.OpenFile(f.out, os.O_WRONLY, 0)
	if err != nil {
		return nil, usage("-o: %w", err)
	}
	return &gradedFile{w: file, file: file}, nil
}

// prepare empties the file, or finds out what of it stands.
func (g *gradedFile) prepare(f *gradeFlags, l *engine.Lines, digest string) error {
	size := int64(0)
	if f.resume {
		var err error
		if size, err = wholeLines(g.file); err != nil {
			return fmt.Errorf("-o %s: %w", f.out, err)
		}
	}
	mine := gradeRecord{Format: 1, Judge: l.Name, Digest: digest}
	if size > 0 {
		if err := g.takeOver(f.out, mine, l); err != nil {
			return err
		}
	}
	if err := g.file.Truncate(size); err != nil {
		return usage("-o %s: %w", f.out, err)
	}
	if _, err := g.file.Seek(size, io.SeekStart); err != nil {
		return usage("-o %s: %w", f.out, err)
	}
	if l.Prove {
		return nil // a record only once the lines are proven: there is none, and none is made
	}
	text, err := json.Marshal(mine)
	if err != nil {
		return err
	}
	if err := os.WriteFile(g.record, append(text, '\n'), 0o666); err != nil {
		return fmt.Errorf("-o %s: %w", f.out, err)
	}
	return nil
}

// takeOver compares the record of the earlier run with this one and lets the engine read its lines.
func (g *gradedFile) takeOver(out string, mine gradeRecord, l *engine.Lines) error {
	text, err := os.ReadFile(g.record)
	var theirs gradeRecord
	switch {
	case errors.Is(err, os.ErrNotExist):
		l.Prove = true
	case err != nil:
		return fmt.Errorf("--resume: %w", err)
	case json.Unmarshal(text, &theirs) != nil: // torn: the run was killed while it began
		l.Prove = true
	case theirs.Format != mine.Format || theirs.Digest != mine.Digest:
		return usage("--resume refused: %s was graded by another judge, or with other flags, than this %s; remove it, or drop --resume, to start over", out, mine.Judge)
	}
	g.done, err = os.Open(out)
	if err != nil {
		return fmt.Errorf("--resume: %w", err)
	}
	size, err := wholeLines(g.done)
	if err != nil {
		return fmt.Errorf("--resume: %w", err)
	}
	if _, err = g.done.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("--resume: %w", err)
	}
	g.reader, err = rollout.NewReader(io.LimitReader(g.done, size), maxGradedLine)
	if err != nil {
		return fmt.Errorf("--resume: %w", err)
	}
	l.Done = g.reader
	return nil
}

// maxGradedLine: a row at its limit with a verdict behind it.
const maxGradedLine = 2 * rollout.DefaultMaxLine

// digest is the hash of what decides the bytes of a graded line, apart from the row.
func digest(l *engine.Lines, b *boxes) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %s\n%q\n%t\n%q %t\n", len(l.Work.Spec), l.Work.Spec, l.Name, l.NoUsage, b.backend, b.allowWeak)
	if l.Lineage != nil {
		fmt.Fprintf(h, "%q\n", *l.Lineage)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// wholeLines returns the size of a file without its torn last line.
func wholeLines(f *os.File) (int64, error) {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	chunk := make([]byte, 64<<10)
	for size > 0 {
		n := min(size, int64(len(chunk)))
		if _, err := f.ReadAt(chunk[:n], size-n); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(chunk[:n], '\n'); i >= 0 {
			return size - n + int64(i) + 1, nil
		}
		size -= n
	}
	return 0, nil
}

// recordSuffix makes the name of the record.
const recordSuffix = ".resume"

// notAnInput refuses to write over what is being read: the rows, and the judge. file is OUT or its record.
func notAnInput(out, file string, inputs []string) error {
	mine, err := os.Stat(file)
	if err != nil {
		return nil // it is not there yet
	}
	if mine.IsDir() {
		return usage("-o %s: %s is a folder", out, file)
	}
	for _, name := range inputs {
		if theirs, err := os.Stat(name); err == nil && name != "-" && os.SameFile(mine, theirs) && mine.Mode().IsRegular() {
			return usage("-o %s: %s is one of the inputs, and would be written over", out, name)
		}
	}
	return nil
}

// packedSuffix is the ending of a name that promises a packed file, or nothing.
func packedSuffix(name string) string {
	for _, suffix := range [...]string{".gz", ".zst", ".bz2", ".xz", ".zip"} {
		if strings.HasSuffix(strings.ToLower(name), suffix) {
			return suffix
		}
	}
	return ""
}

func (g *gradedFile) write(lines []byte) error {
	if len(lines) == 0 {
		return nil
	}
	if _, err := g.w.Write(lines); err != nil {
		return fmt.Errorf("write graded rows: %w", err)
	}
	return nil
}

// close ends the file; whole says that the run came to its end, so the record may go.
func (g *gradedFile) close(whole bool) error {
	if g.reader != nil {
		g.reader.Close()
		_ = g.done.Close() // read only
	}
	if g.file == nil {
		return nil
	}
	if err := g.file.Close(); err != nil {
		return fmt.Errorf("write graded rows: %w", err)
	}
	if !whole || g.record == "" {
		return nil
	}
	if err := os.Remove(g.record); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove the record of the run: %w", err)
	}
	return nil
}
