// Package slot runs jobs one after the other in a process that somebody has put behind walls. It is the one way in which the backends
// of the kernel's walls start, watch, limit and end a job.
//
// Theory. A backend starts a process that is alone in its namespaces: this binary in the stage Stage, with one end of a
// SOCK_SEQPACKET pair (Pair) at descriptor 3. The other end belongs to the engine, which makes a Slot of it (New):
//
//	engine                                   slot                                    job
//	─ setup, cgroup files ──────────────────▶ build the root, start a warm server
//	◀────────────────────────── ready, walls ─
//	make cgroups, pipes, files in a memfd
//	─ run, descriptors ─────────────────────▶ make a fresh tmpfs, put files in
//	                                          fork, walls, exec ────────────────────▶ first instruction
//	◀──────────────── started, clock ─────────
//	watch clocks and counters every 10 ms;
//	over a limit: cgroup.kill, or else        wait for the first process ◀─────────── exit
//	─ kill ─────────────────────────────────▶ end all, reap, collect, let go of the tmpfs
//	◀──────────────── done, clean ────────────
//	drain output, remove cgroups, classify
//
// Between a job and its slot stand a user without rights, an own mount and ipc namespace, a system-call filter, Landlock and resource
// limits. So a job meets the same limits and leaves the same evidence, whoever made the walls around its slot. A slot whose
// cleaning fails in any way is thrown away with all its namespaces.
//
// Backends differ in who makes what, and say so in Config:
//
//	                          namespace        oci                       docker
//	walls around the slot     the engine       an OCI runtime            process 1 of a container
//	the slot is               process 1        process 1                 process 1 of namespaces within
//	Root: made by             the slot         the runtime (nil)         the slot, of the container's
//	OwnUsers                  yes              where rootless            yes
//	Opens, files of cgroups   the slot         the engine                the engine
//	Tied: ends with engine    by the kernel    by the connection         by the connection
//	Around: own kernel        no               gVisor                    no
//
// A slot that is root of a user namespace only cannot open the files of a cgroup: the engine opens them and sends them along. A job then
// joins its v2 group by a write of its own before it becomes the program; else it is born there. It joins v1 groups by birth in
// any case, since the slot's thread that forks is a member of them.
//
// The end of the connection is the end of the slot, and with it of every process in its pid namespace: a killed engine
// leaves nothing running. A slot that is not Tied also ends a job by itself some time after the last moment at which the engine would
// have.
package slot
