package guest

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// Image is an interpreter that has been started: the content of its memory and of its globals. It is kept in a file: the memory, and behind
// it one block that tells the rest. Safe for concurrent use.
type Image struct {
	Size    uint64   // bytes of memory, whole pages of 64 KiB
	Globals []uint64 // values in the order of the program's Globals

	file *os.File
}

// trailer is the length of the block behind the memory.
const trailer = 4096

// OpenImage reads what is behind the memory. The image keeps the file, and never closes it.
func OpenImage(f *os.File) (*Image, error) {
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, fmt.Errorf("image: %w", err)
	}
	block := make([]byte, trailer)
	if _, err := f.ReadAt(block, end-trailer); err != nil {
		return nil, fmt.Errorf("image: %w", err)
	}
	i := &Image{file: f}
	if err := json.Unmarshal(block, i); err != nil || i.Size+trailer != uint64(end) || i.Size%pageSize != 0 {
		return nil, fmt.Errorf("image: it is not whole: %d bytes, %v", end, err)
	}
	return i, nil
}

// writeImage is the other way round.
func writeImage(w io.Writer, memory []byte, globals []uint64) error {
	block, err := json.Marshal(Image{Size: uint64(len(memory)), Globals: globals})
	if err != nil || len(block) > trailer {
		return fmt.Errorf("image: %d bytes of globals: %w", len(block), err)
	}
	for len(block) < trailer {
		block = append(block, ' ')
	}
	if _, err := w.Write(memory); err != nil {
		return fmt.Errorf("image: %w", err)
	}
	if _, err := w.Write(block); err != nil {
		return fmt.Errorf("image: %w", err)
	}
	return nil
}
