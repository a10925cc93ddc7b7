// Package oci runs programs in containers that an OCI runtime makes: runc, crun or gVisor's runsc. It needs Linux and one of these
// programs; a runtime with a kernel of its own (runsc) is the wall for strangers' code.
//
// Theory of operation. For each container a bundle is written: a config.json by the runtime specification and a root. The root is an
// empty skeleton of mount points on which the folders of the host, or of an image that was unpacked before, are bound
// read-only; nothing is ever written to either. The container's first process is this binary again (see sandbox/internal/slot), in
// a user namespace whose root is nobody on the host. It waits for a job on a socket, puts up the walls between itself and the job,
// and reports what became of it.
//
//	engine ── RUNTIME run ──▶ container: slot (process 1) ──▶ job, user 1000, no rights, filter
//	   └────────── socket, descriptor 3 ────────┘
//
// A container serves one job and is taken away; it may have been prepared before (Prepare). A container with a warm interpreter
// (sandbox.Server) serves one job after the other: each is a child that the interpreter forks, with a box of files, a mount and an
// ipc namespace of its own, and all of it is killed and counted out before the next one; a slot in which that fails is thrown away.
//
// The runtime's own process stays as the container's parent, so that the container is cleaned up when its first process
// ends, whoever is left to see it. The end of the socket is the end of the slot: a killed engine takes its jobs with it, and what its
// runtimes could not remove is removed by the next New (sweep).
//
// A job's cgroups are made by the engine, not by the runtime, which only ever sees the slot: limits are the job's own, to the
// byte and the process, and the same as those of the namespace backend.
package oci
