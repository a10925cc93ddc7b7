// Package guest runs one program in an interpreter that is WebAssembly.
//
// Theory. An interpreter takes seconds to start and a job milliseconds to run, so it starts once: its memory and globals are kept
// as an Image, and each job is an instance whose memory is that image, mapped copy-on-write. An instance pays for the pages that
// it touches, and everything it did is gone when its map is.
//
//	module ── rewrite ──▶ compiled once ──▶ instance ── rt_init, rt_exec…, rt_freeze ──▶ Image
//	                                  └──▶ instance of Image ── rt_main ──▶ Outcome      each job
//
// The program's clocks: it runs on one thread, so the time it had is that thread's processor time, plus the time that it asked to
// wait (sleeping, reading a channel that is silent). What the machine did to it is in neither. They are looked at whenever the
// program has used up a slice of fuel (package rewrite), and timers end its waits: every limit ends it from inside, and whoever
// runs guests needs to kill only what is broken.
//
// A run that reads no clock does the same thing each time: its random numbers come from the seed, folders list in order, fuel
// counts what was done.
package guest
