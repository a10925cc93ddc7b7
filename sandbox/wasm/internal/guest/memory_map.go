//go:build linux || darwin

package guest

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// mapping is address space for a memory at its largest, of which the beginning can be used.
type mapping struct {
	all    []byte
	usable uint64
}

// mapMemory reserves address space and puts a private copy of the image at its start: pages are copied when they are written.
func mapMemory(image *Image, limit uint64) (*mapping, error) {
	all, err := unix.Mmap(-1, 0, int(limit), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil, fmt.Errorf("reserve %d bytes: %w", limit, err)
	}
	m := &mapping{all: all}
	if image == nil {
		return m, nil
	}
	_, err = unix.MmapPtr(int(image.file.Fd()), 0, unsafe.Pointer(&all[0]), uintptr(image.Size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_FIXED)
	if err != nil {
		m.free()
		return nil, fmt.Errorf("map image: %w", err)
	}
	m.usable = image.Size
	return m, nil
}

// grow makes the first size bytes usable, and gives them; nil where the system refuses.
func (m *mapping) grow(size uint64) []byte {
	if size > m.usable {
		if unix.Mprotect(m.all[m.usable:size], unix.PROT_READ|unix.PROT_WRITE) != nil {
			return nil
		}
		m.usable = size
	}
	return m.all[:size:len(m.all)]
}

func (m *mapping) free() {
	if m.all != nil {
		_ = unix.Munmap(m.all) // it is a map of ours
		m.all = nil
	}
}

// Content is what a file's first n bytes are, mapped for reading.
func Content(f *os.File, n uint64) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, int(n), unix.PROT_READ, unix.MAP_SHARED)
}
