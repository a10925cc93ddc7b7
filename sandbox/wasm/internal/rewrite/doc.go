// Package rewrite changes a WebAssembly module so that a host can count, stop and restore it.
//
// Theory. A host that runs compiled WebAssembly cannot interrupt it: between two calls of the host the code runs as native code
// on a thread of the host's own. So the code has to come by itself. Every loop and every chain of calls passes a loop header or
// the entry of a function that calls, and there the rewriter puts
//
//	fuel = fuel - 1;  if fuel < 0 { yield() }
//
// with fuel a new global (i64, exported) and yield a call of an import that the module has already (Hook), with arguments that mean
// this and nothing else. The host gives a
// slice of fuel, gets control when it is used up, looks at its clocks, and gives the next slice or does not return. Bulk copies
// (memory.copy, memory.fill) move any number of bytes by one instruction, so they pay one unit for each 64 bytes. What a program
// does decides what it pays, so equal runs pay equally: fuel is a limit that no load on the machine can change.
//
// Weights of single instructions are left out: an interpreter's main loop is one giant switch whose static weight says nothing
// about a pass through it. Measured cost: 0 to 15 percent of the run.
//
// For snapshots, all mutable globals are exported, and the active data segments are taken out of the module and handed to the host as
// the first image of the memory: the module is then compiled once, and an instance starts from any image.
//
// Encoding: webassembly.github.io/spec/core/binary, version 2.0 without vectors. What is not known is an error: an instruction
// whose length is guessed would shift all that follows.
package rewrite
