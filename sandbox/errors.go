package sandbox

import "errors"

// ErrUnsupported is wrapped by the error of a Run whose Spec asks for what the backend cannot enforce or offer.
var ErrUnsupported = errors.New("not supported by this sandbox")

// ErrMachine is wrapped by the error of a Run that the machine, not the program, brought to its end: the outer wall
// deadline came before the program's own time was used up. The caller retries, the last time alone.
var ErrMachine = errors.New("the machine gave the job too little time")
