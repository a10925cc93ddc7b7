package codecheck

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

// ParseLimits reads the JSON form of limits: {"wall": "10s", "memory": "512MiB", "processes": 64, …}. Durations and sizes
// may also be bare numbers (seconds, bytes). Unknown keys, negative and zero values are errors; keys left out stay zero,
// which means the default. A fault of one key is a *LimitError.
func ParseLimits(raw json.RawMessage) (sandbox.Limits, error) {
	var l sandbox.Limits
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return l, errors.New(`want an object such as {"wall": "10s", "memory": "512MiB"}`)
	}
	durations := map[string]*time.Duration{"wall": &l.Wall, "cpu": &l.CPU}
	sizes := map[string]*sandbox.Size{"memory": &l.Memory, "output": &l.Output, "file": &l.File, "disk": &l.Disk, "stack": &l.Stack}
	counts := map[string]*int{"processes": &l.Processes, "inodes": &l.Inodes, "open_files": &l.OpenFiles}
	for _, key := range slices.Sorted(maps.Keys(fields)) { // of several faults the same one is told each time
		v := fields[key]
		var err error
		if d := durations[key]; d != nil {
			*d, err = parseDuration(v)
		} else if s := sizes[key]; s != nil {
			*s, err = parseSize(v)
		} else if n := counts[key]; n != nil {
			*n, err = parseCount(v)
		} else {
			err = errors.New("unknown key; want wall, cpu, memory, processes, output, disk, inodes, open_files, file, stack")
		}
		if err != nil {
			return l, &LimitError{key, err}
		}
	}
	return l, CheckLimits(l)
}

// LimitError says which limit cannot be set, by its key in JSON, and why.
type LimitError struct {
	Key string
	Err error
}

func (e *LimitError) Error() string { return e.Key + ": " + e.Err.Error() }
func (e *LimitError) Unwrap() error { return e.Err }

// MinMemory is the least limit of memory. The sandbox's own stage needs some 300 KiB before it becomes the program; below
// that nothing can be started, which would look like a fault of the machine.
const MinMemory = sandbox.MiB

// CheckLimits refuses limits under which no program could be started, with a *LimitError. Zero fields mean the default.
func CheckLimits(l sandbox.Limits) error {
	if l.Memory > 0 && l.Memory < MinMemory {
		return &LimitError{"memory", fmt.Errorf("%v is too little to start a program; want at least %v", l.Memory, MinMemory)}
	}
	return nil
}

func parseDuration(raw json.RawMessage) (time.Duration, error) {
	var seconds float64
	if json.Unmarshal(raw, &seconds) == nil {
		if seconds <= 0 || seconds > 1e6 {
			return 0, errors.New("want a positive number of seconds")
		}
		return time.Duration(seconds * float64(time.Second)), nil
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return 0, errors.New(`want a duration such as "10s"`)
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("want a positive duration such as \"10s\", not %q", text)
	}
	return d, nil
}

func parseSize(raw json.RawMessage) (sandbox.Size, error) {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	s, err := sandbox.ParseSize(text)
	if err == nil && s == 0 {
		err = errors.New("want a positive size")
	}
	return s, err
}

func parseCount(raw json.RawMessage) (int, error) {
	n, err := strconv.Atoi(string(raw))
	if err != nil || n <= 0 {
		return 0, errors.New("want a positive whole number")
	}
	return n, nil
}

// narrow gives the limits of a job: the asked ones, tightened by the row's where those are lower; what neither names is
// the default. Processor time that nobody named follows the wall limit, so that spinning beside a sleep buys nothing.
func narrow(asked, row sandbox.Limits, perRun time.Duration) sandbox.Limits {
	l, def := asked, sandbox.DefaultLimits()
	if l.Wall == 0 && perRun > 0 {
		l.Wall = perRun
	}
	l.Wall = tighter(tighter(l.Wall, row.Wall, def.Wall), perRun, 0)
	l.CPU = tighter(l.CPU, row.CPU, l.Wall)
	l.Memory = tighter(l.Memory, row.Memory, def.Memory)
	l.Output = tighter(l.Output, row.Output, def.Output)
	l.File = tighter(l.File, row.File, def.File)
	l.Disk = tighter(l.Disk, row.Disk, def.Disk)
	l.Stack = tighter(l.Stack, row.Stack, def.Stack)
	l.Processes = tighter(l.Processes, row.Processes, def.Processes)
	l.OpenFiles = tighter(l.OpenFiles, row.OpenFiles, def.OpenFiles)
	l.Inodes = tighter(l.Inodes, row.Inodes, def.Inodes)
	return l
}

// tighter is the lower of the two that are set, the default where neither is.
func tighter[T ~int | ~int64](asked, row, def T) T {
	switch {
	case asked == 0 && row == 0:
		return def
	case asked == 0:
		if def > 0 {
			return min(row, def)
		}
		return row
	case row == 0:
		return asked
	}
	return min(asked, row)
}
