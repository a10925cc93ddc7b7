// Package slot runs jobs one after the other in a process that somebody else has put behind walls: the first process of a
// container.
//
// Theory. The backend starts a container whose first process is this binary in a stage that calls Serve, with one end of a
// SOCK_SEQPACKET pair at descriptor 3. The other end belongs to the engine, which makes a Slot of it. From then on the two speak
// as a namespace slot and its engine do:
//
//	engine                                   slot (process 1 of the container)       job
//	cgroups, pipes, files in a memfd
//	─ run, descriptors ─────────────────────▶ make a fresh tmpfs, put files in
//	                                          fork, walls, exec ────────────────────▶ first instruction
//	◀──────────────── started, clock ─────────
//	watch clocks and counters every 10 ms
//	─ kill ─────────────────────────────────▶ end all, reap, collect, let go of the tmpfs
//	◀──────────────── done, clean ────────────
//
// The container is the outer wall; between a job and its slot stand a user without rights, an own mount and ipc namespace, a
// system-call filter, Landlock and resource limits, by the same parts as in the namespace backend. So a job meets the same limits
// and leaves the same evidence, whichever runtime made the container.
//
// A slot differs from a namespace slot in who may do what. It is root of a user namespace only, so it cannot open the
// files of a cgroup: the engine opens them and sends them along. A job joins its v1 groups by birth, since the slot's thread that
// forks is a member of them, and its v2 group by a write of its own before it becomes the program.
//
// The end of the connection is the end of the slot, and with it of every process in the container's pid namespace: a killed engine
// leaves nothing running. A slot also ends a job by itself some time after the last moment at which the engine would have.
package slot
