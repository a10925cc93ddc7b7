package wasm

import (
	"encoding/gob"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/verifyd/verifyd/sandbox/wasm/internal/guest"
	"github.com/verifyd/verifyd/sandbox/wasm/internal/rewrite"
)

// openFile opens what setup names.
func openFile(name string) (*os.File, error) {
	if number, ok := strings.CutPrefix(name, "fd:"); ok {
		fd, err := strconv.Atoi(number)
		if err != nil {
			return nil, fmt.Errorf("file %q: %w", name, err)
		}
		return os.NewFile(uintptr(fd), name), nil
	}
	return os.Open(name)
}

// mapFile gives a file's content, shared with other workers where the system can; it stays for the life of the process.
func mapFile(name string) ([]byte, error) {
	f, err := openFile(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // the map stays
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return guest.Content(f, uint64(st.Size()))
}

// writeProgram keeps a rewritten module.
func writeProgram(f *os.File, p *rewrite.Program) error {
	if err := gob.NewEncoder(f).Encode(p); err != nil {
		return fmt.Errorf("write program: %w", err)
	}
	return nil
}

// readProgram reads it.
func readProgram(name string) (*rewrite.Program, error) {
	f, err := openFile(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read only
	p := &rewrite.Program{}
	if err := gob.NewDecoder(f).Decode(p); err != nil {
		return nil, fmt.Errorf("read program: %w", err)
	}
	return p, nil
}
