package guest

import (
	"io"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero/experimental/sys"
)

// Paths of devices that are ours.
const (
	TalkDevice  = "/dev/talk"  // the channel to the engine
	LacksDevice = "/dev/lacks" // takes the name of something that the program asked for and the interpreter cannot do
)

type writer = io.Writer

// capped keeps what a program writes, up to the limit; who writes more is ended.
type capped struct {
	data  []byte
	limit int64
	over  bool
}

func (c *capped) Write(p []byte) (int, error) {
	room := c.limit - int64(len(c.data))
	if int64(len(p)) > room {
		c.data, c.over = append(c.data, p[:room]...), true
		panic(&stop{OverWrite})
	}
	c.data = append(c.data, p...)
	return len(p), nil
}

func (c *capped) output() Output { return Output{c.data, c.over} }

// devices makes the job's device files.
func (j *running) devices() {
	add := func(name string, f sys.File) { j.fs.Device(name, func() (sys.File, sys.Errno) { return f, 0 }) }
	add("/dev/null", stream{})
	add("/dev/stdin", stream{read: func(p []byte) int { n, _ := j.stdin.Read(p); return n }})
	add("/dev/stdout", stream{write: j.stdout.Write})
	add("/dev/stderr", stream{write: j.stderr.Write})
	add(LacksDevice, stream{write: func(p []byte) (int, error) { j.note(string(p)); return len(p), nil }})
	if c := j.job.Control; c != nil && j.job.Talk {
		add(TalkDevice, stream{read: c.read, write: func(p []byte) (int, error) { return c.write(p), nil }})
	}
}

// note keeps what the program asked for in vain, a few words.
func (j *running) note(text string) {
	const most, longest = 8, 60
	word := strings.TrimSpace(text)
	if len(word) > longest || len(j.lacks) == most || slices.Contains(j.lacks, word) {
		return
	}
	j.lacks = append(j.lacks, word)
}

// stream is a device that is read and written in order.
type stream struct {
	sys.UnimplementedFile
	read  func([]byte) int
	write func([]byte) (int, error)
}

func (s stream) Read(p []byte) (int, sys.Errno) {
	if s.read == nil {
		return 0, 0
	}
	return s.read(p), 0
}

func (s stream) Write(p []byte) (int, sys.Errno) {
	if s.write == nil {
		return len(p), 0
	}
	n, _ := s.write(p) // those of ours panic instead
	return n, 0
}
