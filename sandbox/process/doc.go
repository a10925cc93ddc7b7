// Package process runs programs that are trusted: it is no boundary. A program sees the host's files, network and processes with
// the engine's own rights, and can leave the limits behind. It is there for trusted code, for development, and for
// machines without anything better; nothing falls back to it, it is chosen by name.
//
// Theory of operation. Each run has a fresh temporary folder and a keeper: this binary in the stage "process". The keeper
// lowers the resource limits, becomes the parent of every orphan of the job (PR_SET_CHILD_SUBREAPER, Linux), starts the
// program in a session of its own, and waits for it, for the order to kill, or for the engine's end, whichever is first. Then it
// kills whatever descends from it until nothing does, which also finds programs that left the session.
//
// Where cgroups can be made (as root, or in a delegated one) each job has one of its own, which the program is born in: memory,
// processes and processor time of the whole tree are then limited, own time is measured, and the tree is killed at once.
//
// What is enforced everywhere: own time as wall-clock time, processor time, file size, stack and open files of each process, output.
// What never is: disk and inodes of the job, anything of a boundary. New refuses unless the caller says that it knows
// (Config.AllowWeak), and each result names what was missing in Degraded.
package process
