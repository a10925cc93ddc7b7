package rollout

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// DefaultMaxLine is the longest line, in bytes, that a Reader takes unless told otherwise.
const DefaultMaxLine = 64 << 20

// Reader reads JSON Lines in constant memory: one line at a time, plain, gzip or zstd (told by the first bytes, not by
// the name). A byte-order mark before the first line is passed over; so are blank lines, which are counted. Not safe for concurrent use.
type Reader struct {
	src     *bufio.Reader
	close   func()
	maxLine int
	line    int64
	offset  int64
}

// NewReader reads from src. A maxLine of 0 means DefaultMaxLine. Close frees the decompressor, not src.
func NewReader(src io.Reader, maxLine int) (*Reader, error) {
	if maxLine <= 0 {
		maxLine = DefaultMaxLine
	}
	buffered := bufio.NewReaderSize(src, 256<<10)
	plain, closer, err := decompress(buffered)
	if err != nil {
		return nil, fmt.Errorf("read rows: %w", err)
	}
	return &Reader{src: plain, close: closer, maxLine: maxLine}, nil
}

func decompress(src *bufio.Reader) (*bufio.Reader, func(), error) {
	head, _ := src.Peek(1) // no more than one byte, unless it is compressed: a first line may be short, and its answer awaited
	if len(head) == 1 && (head[0] == 0x1f || head[0] == 0x28) {
		head, _ = src.Peek(4)
	}
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(src)
		if err != nil {
			return nil, nil, err
		}
		return bufio.NewReaderSize(z, 256<<10), func() { _ = z.Close() }, nil
	case bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(src, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(256<<20))
		if err != nil {
			return nil, nil, err
		}
		return bufio.NewReaderSize(z, 256<<10), z.Close, nil
	}
	return src, func() {}, nil
}

// Close frees what decompression holds.
func (r *Reader) Close() { r.close() }

// Line is the 1-based number of the line that Next returned last.
func (r *Reader) Line() int64 { return r.line }

// Offset is the number of (decompressed) bytes read so far.
func (r *Reader) Offset() int64 { return r.offset }

// Next returns the next line that is not blank, without its line end, in memory of its own. A line over the limit is a
// *SyntaxError and is passed over, so that reading can go on. The end of the input is io.EOF; any other error is the
// source's, and final.
func (r *Reader) Next() ([]byte, error) { return r.AppendNext(nil) }

// AppendNext is Next into memory of the caller: the line is appended to dst. After an error dst is returned as it was.
func (r *Reader) AppendNext(dst []byte) ([]byte, error) {
	for {
		out, err := r.appendLine(dst)
		if err != nil {
			return dst, err
		}
		if len(bytes.TrimSpace(out[len(dst):])) > 0 {
			return out, nil
		}
	}
}

// Buffered says whether the next line has been read from the source already: Next will not wait for it.
func (r *Reader) Buffered() bool {
	b, _ := r.src.Peek(r.src.Buffered())
	return bytes.IndexByte(b, '\n') >= 0
}

// byteOrderMark is what some editors put before UTF-8; RFC 8259, section 8.1, lets a reader ignore it.
var byteOrderMark = []byte("\ufeff")

func (r *Reader) appendLine(dst []byte) ([]byte, error) {
	line := dst
	size := 0
	for {
		part, err := r.src.ReadSlice('\n')
		size += len(part)
		r.offset += int64(len(part))
		if size <= r.maxLine+1 {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && !(errors.Is(err, io.EOF) && size > 0) {
			return nil, err
		}
		break
	}
	if r.line++; r.line == 1 && bytes.HasPrefix(line[len(dst):], byteOrderMark) {
		line = append(line[:len(dst)], line[len(dst)+len(byteOrderMark):]...)
	}
	if size > r.maxLine+1 {
		return nil, &SyntaxError{Line: r.line, Msg: fmt.Sprintf("the line has %d bytes, over the limit of %d", size, r.maxLine)}
	}
	return line[:len(dst)+len(bytes.TrimRight(line[len(dst):], "\r\n"))], nil
}

// Read returns the next row. An error of type *SyntaxError concerns this line only, with its number; Read may be called
// again. The end is io.EOF.
func (r *Reader) Read() (*Row, error) {
	line, err := r.Next()
	if err != nil {
		return nil, err
	}
	row, err := Parse(line)
	if err != nil {
		var syntax *SyntaxError
		if errors.As(err, &syntax) {
			syntax.Line = r.line
		}
		return nil, err
	}
	return row, nil
}
