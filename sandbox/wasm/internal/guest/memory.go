package guest

import (
	"github.com/tetratelabs/wazero/experimental"
)

const pageSize = 64 << 10 // of WebAssembly

// allocator gives an instance its memory: an image, and zeros behind it, up to a limit.
type allocator struct {
	image   *Image // nil: zeros
	limit   uint64
	refused bool // more was asked for than the limit
}

// Allocate implements experimental.MemoryAllocator. It is called once.
func (a *allocator) Allocate(_, _ uint64) experimental.LinearMemory {
	m, err := mapMemory(a.image, a.limit)
	if err != nil {
		panic(err) // becomes the error of the instantiation
	}
	return &memory{mapping: m, allocator: a}
}

// memory is one instance's.
type memory struct {
	mapping   *mapping
	allocator *allocator
}

// Reallocate implements experimental.LinearMemory.
func (m *memory) Reallocate(size uint64) []byte {
	if size > m.allocator.limit {
		m.allocator.refused = true
		return nil
	}
	return m.mapping.grow(size)
}

// Free implements experimental.LinearMemory.
func (m *memory) Free() { m.mapping.free() }
