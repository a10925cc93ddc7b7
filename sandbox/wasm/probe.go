package wasm

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Finding is one thing that this machine gives to the backend, or does not.
type Finding struct {
	Name   string // short and stable
	OK     bool
	Needed bool   // New refuses without it
	Detail string // what was seen
	Fix    string // how to get it, in a sentence; empty where OK
}

// Probe tells what this machine gives to the backend, without starting anything, and what no program can have in it.
func Probe(c Config) []Finding {
	processor := Finding{Name: "compiler for this processor", OK: compilable(), Needed: true}
	if !processor.OK {
		processor.Fix = "use a machine with an amd64 or arm64 processor"
	}
	cache := Finding{Name: "cache folder", Needed: true}
	store, err := openStore(c.CacheDir, nil)
	if err != nil {
		cache.Detail, cache.Fix = err.Error(), "set XDG_CACHE_HOME to a folder that only this user can write"
		return []Finding{processor, cache}
	}
	cache.OK, cache.Detail = true, store.dir
	prepared := Finding{Name: "prepared image", OK: true, Detail: "python"}
	if found, err := filepath.Glob(store.path("python-*.image")); err != nil || len(found) == 0 {
		prepared.OK, prepared.Detail, prepared.Fix = false, "none yet", "the first program makes it, once, in some seconds"
	}
	var names []string
	for _, l := range languages() {
		names = append(names, l.name)
	}
	lacks := Finding{Name: "programs", OK: true, Detail: fmt.Sprintf("%s; without %s; about a sixth of native speed", strings.Join(names, " and "), "threads, processes, sockets, native packages")}
	return []Finding{processor, cache, prepared, lacks}
}
