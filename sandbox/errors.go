package sandbox

import "errors"

// ErrUnsupported is wrapped by the error of a Run whose Spec asks for what the backend cannot enforce or offer.
var ErrUnsupported = errors.New("not supported by this sandbox")

// ErrMachine is wrapped by the error of a Run that the machine, not the program, brought to its end: the outer wall
// deadline came before the program's own time was used up. The caller retries, the last time alone.
var ErrMachine = errors.New("the machine gave the job too little time")

// ErrScript is wrapped by ResolveRuntime's error where the named runtime is a script and not a program.
var ErrScript = errors.New("is a script, not a program")

// ErrNoProgram is wrapped by the error of a Run whose program is not in the job's root or cannot be executed.
var ErrNoProgram = errors.New("no such program in the job's root")

// ErrNoWalls is wrapped by a backend's constructor where walls or limits are missing on this machine and Config did not
// allow that. Its text names each missing thing and how to get it.
var ErrNoWalls = errors.New("walls are missing")
