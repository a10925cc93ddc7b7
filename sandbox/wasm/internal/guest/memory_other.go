//go:build !linux && !darwin

package guest

import (
	"io"
	"os"
)

// mapping is a memory that is allocated and filled: there is no copy-on-write map here that can be placed below zeros.
type mapping struct {
	all   []byte
	limit uint64
}

func mapMemory(image *Image, limit uint64) (*mapping, error) {
	m := &mapping{limit: limit}
	if image != nil {
		m.all = make([]byte, image.Size, min(limit, image.Size+image.Size/2))
		if _, err := image.file.ReadAt(m.all, 0); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (m *mapping) grow(size uint64) []byte {
	if size > uint64(len(m.all)) {
		if size > uint64(cap(m.all)) {
			bigger := make([]byte, len(m.all), min(m.limit, max(size, size+size/4)))
			copy(bigger, m.all)
			m.all = bigger
		}
		m.all = m.all[:size]
	}
	return m.all[:size]
}

func (m *mapping) free() { m.all = nil }

// Content is what a file's first n bytes are.
func Content(f *os.File, n uint64) ([]byte, error) {
	data := make([]byte, n)
	_, err := io.ReadFull(io.NewSectionReader(f, 0, int64(n)), data)
	return data, err
}
