package wasm

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/verifyd/verifyd/sandbox/wasm/internal/guest"
)

// The protocol between engine and worker, over the worker's standard input and output. A message is its kind, the number of the job that it is about, a
// length (both of 32 bits, little end first), and that many bytes. What is about another job than the present one is late, and dropped.
const (
	// From the engine.
	msgSetup  = 'C' // setup as JSON; once, first
	msgJob    = 'J' // a job: see encode
	msgPause  = 'P' // the job waits for the engine
	msgResume = 'R'
	msgKill   = 'K'
	// From the worker.
	msgReady = 'H' // setup is done; walls that are missing, as a JSON list
	msgFault = 'F' // setup or job failed by no fault of the job; text
	msgEnd   = 'E' // a job's outcome: see encode
	// From both.
	msgData  = 'D' // bytes of the job's channel
	msgEaten = 'A' // so many of them were read: a number of 32 bits
)

// maxMessage bounds a message: a job's files and outputs, at the largest limits that anybody sets, are below it.
const maxMessage = 1 << 30

type message struct {
	kind byte
	job  uint32
	body []byte
}

var errMessage = errors.New("a message of this length is none")

func readMessage(r io.Reader) (message, error) {
	var head [9]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return message{}, err
	}
	n := binary.LittleEndian.Uint32(head[5:])
	if n > maxMessage {
		return message{}, errMessage
	}
	body, err := readAll(r, int(n))
	return message{head[0], binary.LittleEndian.Uint32(head[1:5]), body}, err
}

// readAll reads n bytes, growing as they come: a length that is only claimed costs nothing.
func readAll(r io.Reader, n int) ([]byte, error) {
	const step = 1 << 20
	buf := make([]byte, 0, min(n, step))
	for len(buf) < n {
		part := min(n-len(buf), max(step, len(buf)))
		buf = append(buf, make([]byte, part)...)
		if _, err := io.ReadFull(r, buf[len(buf)-part:]); err != nil {
			return nil, err
		}
	}
	return buf, nil
}

// sender writes messages from several goroutines.
type sender struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *sender) send(kind byte, job uint32, body ...[]byte) error {
	n := 0
	for _, b := range body {
		n += len(b)
	}
	if n > maxMessage {
		return errMessage
	}
	buf := make([]byte, 9, 9+n)
	buf[0] = kind
	binary.LittleEndian.PutUint32(buf[1:], job)
	binary.LittleEndian.PutUint32(buf[5:], uint32(n))
	for _, b := range body {
		buf = append(buf, b...)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.w.Write(buf)
	return err
}

func (s *sender) eaten(job uint32, n int) error {
	return s.send(msgEaten, job, binary.LittleEndian.AppendUint32(nil, uint32(n)))
}

// number reads the body of msgEaten.
func number(body []byte) int {
	if len(body) != 4 {
		return 0
	}
	return int(binary.LittleEndian.Uint32(body))
}

// encode writes a value as JSON, and behind it the blobs: bytes that would be a third longer in JSON, and slower.
func encode(v any, blobs ...[]byte) ([][]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return append([][]byte{binary.LittleEndian.AppendUint32(nil, uint32(len(text))), text}, blobs...), nil
}

// decode reads what encode wrote and gives the blobs, one after the other.
func decode(body []byte, v any) (blobs []byte, err error) {
	if len(body) < 4 {
		return nil, io.ErrUnexpectedEOF
	}
	n := binary.LittleEndian.Uint32(body)
	if uint64(n) > uint64(len(body)-4) {
		return nil, io.ErrUnexpectedEOF
	}
	return body[4+n:], json.Unmarshal(body[4:4+n], v)
}

// take cuts n bytes off.
func take(blobs *[]byte, n int) ([]byte, error) {
	if n < 0 || n > len(*blobs) {
		return nil, io.ErrUnexpectedEOF
	}
	b := (*blobs)[:n:n]
	*blobs = (*blobs)[n:]
	return b, nil
}

// blob stands for bytes in what is encoded as JSON.
type blob struct {
	Name           string
	Size           int
	Exec, ReadOnly bool
	Truncated      bool
}

type jobHeader struct {
	Args, Env []string
	Dir       string
	Stdin     int
	Files     []blob
	CopyOut   []string
	Limits    guest.Limits
	Seed      [32]byte
	Talk      bool
}

func encodeJob(j guest.Job, talk bool) ([][]byte, error) {
	h := jobHeader{Args: j.Args, Env: j.Env, Dir: j.Dir, Stdin: len(j.Stdin), CopyOut: j.CopyOut, Limits: j.Limits, Seed: j.Seed, Talk: talk}
	blobs := [][]byte{j.Stdin}
	for _, f := range j.Files {
		h.Files = append(h.Files, blob{Name: f.Name, Size: len(f.Data), Exec: f.Exec, ReadOnly: f.ReadOnly})
		blobs = append(blobs, f.Data)
	}
	return encode(h, blobs...)
}

func decodeJob(body []byte) (j guest.Job, talk bool, err error) {
	var h jobHeader
	blobs, err := decode(body, &h)
	if err != nil {
		return j, false, fmt.Errorf("read job: %w", err)
	}
	j = guest.Job{Args: h.Args, Env: h.Env, Dir: h.Dir, CopyOut: h.CopyOut, Limits: h.Limits, Seed: h.Seed}
	if j.Stdin, err = take(&blobs, h.Stdin); err != nil {
		return j, false, fmt.Errorf("read job: %w", err)
	}
	for _, f := range h.Files {
		data, err := take(&blobs, f.Size)
		if err != nil {
			return j, false, fmt.Errorf("read job: %w", err)
		}
		j.Files = append(j.Files, guest.File{Name: f.Name, Data: data, Exec: f.Exec, ReadOnly: f.ReadOnly})
	}
	return j, h.Talk, nil
}

type outcomeHeader struct {
	guest.Outcome // without its bytes
	Out, Err      blob
	Copied        []blob
}

func encodeOutcome(o guest.Outcome) ([][]byte, error) {
	h := outcomeHeader{Outcome: o}
	h.Out, h.Err = blob{Size: len(o.Stdout.Data), Truncated: o.Stdout.Truncated}, blob{Size: len(o.Stderr.Data), Truncated: o.Stderr.Truncated}
	blobs := [][]byte{o.Stdout.Data, o.Stderr.Data}
	for _, f := range o.Files {
		h.Copied = append(h.Copied, blob{Name: f.Name, Size: len(f.Data), Exec: f.Exec})
		blobs = append(blobs, f.Data)
	}
	h.Stdout, h.Stderr, h.Files = guest.Output{}, guest.Output{}, nil
	return encode(h, blobs...)
}

func decodeOutcome(body []byte) (o guest.Outcome, err error) {
	var h outcomeHeader
	blobs, err := decode(body, &h)
	if err != nil {
		return o, fmt.Errorf("read outcome: %w", err)
	}
	o = h.Outcome
	o.Stdout.Truncated, o.Stderr.Truncated = h.Out.Truncated, h.Err.Truncated
	for _, part := range []struct {
		to   *[]byte
		size int
	}{{&o.Stdout.Data, h.Out.Size}, {&o.Stderr.Data, h.Err.Size}} {
		if *part.to, err = take(&blobs, part.size); err != nil {
			return o, fmt.Errorf("read outcome: %w", err)
		}
	}
	for _, f := range h.Copied {
		data, err := take(&blobs, f.Size)
		if err != nil {
			return o, fmt.Errorf("read outcome: %w", err)
		}
		o.Files = append(o.Files, guest.File{Name: f.Name, Data: data, Exec: f.Exec})
	}
	return o, nil
}
