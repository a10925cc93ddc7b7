package codecheck

import (
	"archive/tar"
	"bytes"
	lru "container/list"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"

	"github.com/verifyd/verifyd/sandbox"
)

// built is what a compiler made, or its refusal. Never changed once it is in the cache.
type built struct {
	files []sandbox.File // read-only ones; none where it refused
	res   sandbox.Result // of the compiler, without files
}

// buildCache keeps what was compiled, the most recently used first, up to maxBuilt bytes. Answers of a group are often the same text,
// and tests run many cases of one program. Two that ask for the same at once compile once. The key holds all that went in: source,
// commands with their flags, environment, limits and toolchain. What a limit or the machine ended is not kept.
type buildCache struct {
	mu    sync.Mutex // guards all fields
	known map[buildKey]*lru.Element
	order lru.List // of *buildEntry
	size  int
	busy  map[buildKey]chan struct{} // closed when the one who compiles is done
	made  int                        // compilations, for tests
}

type buildKey [sha256.Size]byte

type buildEntry struct {
	key buildKey
	b   built
}

// maxBuilt bounds what is kept: forty of the largest usual programs (Go, Rust) or thousands of C's.
const maxBuilt = 192 << 20

// get gives what is kept under the key, or makes it; fresh says that it was made.
func (c *buildCache) get(ctx context.Context, key buildKey, compile func() (built, error)) (b built, fresh bool, err error) {
	for {
		c.mu.Lock()
		if e := c.known[key]; e != nil {
			c.order.MoveToFront(e)
			c.mu.Unlock()
			return e.Value.(*buildEntry).b, false, nil
		}
		other := c.busy[key]
		if other == nil {
			break
		}
		c.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return built{}, false, ctx.Err()
		}
	}
	if c.busy == nil {
		c.busy, c.known = map[buildKey]chan struct{}{}, map[buildKey]*lru.Element{}
	}
	done := make(chan struct{})
	c.busy[key] = done
	c.made++
	c.mu.Unlock()
	b, err = compile()
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.busy, key)
	close(done)
	if err == nil && (b.res.Status == sandbox.OK || b.res.Status == sandbox.ExitError) && !b.res.Unsure {
		c.keep(key, b)
	}
	return b, true, err
}

// keep adds an entry and lets go of the oldest; the lock is held.
func (c *buildCache) keep(key buildKey, b built) {
	c.known[key] = c.order.PushFront(&buildEntry{key, b})
	c.size += b.bytes()
	for c.size > maxBuilt && c.order.Len() > 1 {
		old := c.order.Remove(c.order.Back()).(*buildEntry)
		delete(c.known, old.key)
		c.size -= old.b.bytes()
	}
}

func (b built) bytes() int {
	n := len(b.res.Stdout.Data) + len(b.res.Stderr.Data) + 1000
	for _, f := range b.files {
		n += len(f.Data)
	}
	return n
}

// buildKey is the hash of all that decides what the compiler makes.
func (j *judgement) buildKey(p project) buildKey {
	h := sha256.New()
	put := func(words ...string) {
		for _, w := range words {
			fmt.Fprintf(h, "%d:%s", len(w), w)
		}
		fmt.Fprint(h, ";")
	}
	put(j.lang.Name, j.chain.Exe, j.chain.Version, p.product)
	put(p.compile...)
	put(j.chain.Env...)
	put(j.lang.Env...)
	fmt.Fprint(h, j.compileLimits())
	for _, f := range p.files {
		put(f.Name, string(f.Data))
	}
	return buildKey(h.Sum(nil))
}

// Bounds of what is taken out of a compiler's folder.
const (
	maxMade      = 500
	maxMadeBytes = 64 << 20
)

// unpack reads what a compiler left behind, apart from what it was given. The archive was made where a candidate's macros and
// directives could run, so nothing of it is believed: plain files with clean names only, within bounds.
func unpack(archive []byte, given []sandbox.File) []sandbox.File {
	known := map[string]bool{packName: true}
	for _, f := range given {
		known[strings.TrimPrefix(f.Name, sandbox.WorkDir+"/")] = true
	}
	var files []sandbox.File
	r, total := tar.NewReader(bytes.NewReader(archive)), 0
	for len(files) < maxMade && total < maxMadeBytes {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil
		}
		name := path.Clean(h.Name)
		if h.Typeflag != tar.TypeReg || known[name] || path.IsAbs(name) || name == "." || strings.HasPrefix(name, "..") || strings.ContainsRune(name, 0) {
			continue
		}
		data, err := io.ReadAll(io.LimitReader(r, maxMadeBytes))
		if err != nil {
			return nil
		}
		known[name] = true
		total += len(data)
		files = append(files, sandbox.File{Name: name, Data: data, Exec: h.Mode&0o100 != 0, ReadOnly: true})
	}
	return files
}
