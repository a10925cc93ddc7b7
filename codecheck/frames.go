package codecheck

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Bounds of a message, header aside; the harness has the same numbers (vd_wire).
const (
	maxFrame = 8 << 20  // from a job: enough for a list of a million numbers
	maxAsk   = 64 << 20 // from the engine: inputs and texts are the task's own
)

// errFrame is the error of bytes that are no frame.
var errFrame = errors.New("malformed frame")

// frame is one message over a job's channel: 4 bytes of length, little end first, one byte of kind, JSON.
type frame struct {
	kind byte
	body []byte // JSON
}

// readFrame reads one message. Its error is io.EOF where the job closed the channel between two messages.
func readFrame(r io.Reader) (frame, error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:4]); err != nil {
		return frame{}, io.EOF
	}
	n := binary.LittleEndian.Uint32(head[:4])
	if n < 1 || n > maxFrame {
		return frame{}, errFrame
	}
	body, err := readAll(r, int(n))
	if err != nil {
		return frame{}, io.EOF
	}
	return frame{body[0], body[1:]}, nil
}

// readAll reads n bytes, growing as they come: a length that is only claimed costs nothing.
func readAll(r io.Reader, n int) ([]byte, error) {
	const step = 64 << 10
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

func writeFrame(w io.Writer, f frame) error {
	if len(f.body)+1 > maxAsk {
		return fmt.Errorf("codecheck: message of %d bytes: %w", len(f.body), errFrame)
	}
	buf := make([]byte, 0, len(f.body)+5)
	buf = binary.LittleEndian.AppendUint32(buf, uint32(len(f.body)+1))
	buf = append(append(buf, f.kind), f.body...)
	_, err := w.Write(buf)
	return err
}

func sendJSON(w io.Writer, kind byte, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return writeFrame(w, frame{kind, body})
}
