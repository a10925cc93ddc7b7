// Package wasm runs Python and JavaScript where nothing is installed and the kernel gives no walls: interpreters compiled to WebAssembly,
// embedded in this binary, run by wazero in worker processes.
//
// Theory of operation.
//
//	engine ── Run ──▶ worker process ── instance of an image ── the program
//	         frames   rlimits, seccomp,  linear memory, fuel,    sees a folder in memory,
//	                  Landlock           file system in memory   three streams, one channel
//
// A worker is this binary started again in a stage. It loads one interpreter and one image, shuts itself in for good, and then runs
// jobs one after the other, each in a new instance whose memory is a private copy of the image (package internal/guest): nothing of a
// job is left for the next one. WebAssembly is the first wall: a program has no system calls, only the functions that it is
// given. But a compiler has faults, so the process is the second one: it holds no secret, can open and start nothing, and is
// killed by the engine where it does not answer. Tests and programs never share a worker, because they never share a Server.
//
// Limits are met from inside, by clocks that are looked at every two milliseconds of running and by timers in waits. Own time is
// the processor time of the one thread that a program has, plus what it asked to wait: what the machine took is in neither, so
// an overloaded machine changes no verdict. Fuel counts the work itself and is equal for equal runs.
//
// What it takes to start an interpreter is paid once and kept in the user's cache folder: the compiled code and the image, by the version
// of the runtime, the processor and the module. Images of servers (a harness that is loaded already) are made the same way.
//
// What no program can have here: threads, processes, sockets, native packages, and the speed of native code (a sixth of it where a
// program computes). A program that asks for some of it is told so by an exception, and the Result says for what (Lacks).
package wasm
