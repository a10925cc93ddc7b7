// Package namespace runs programs behind the kernel's own walls: namespaces, cgroups, a system-call filter, Landlock and
// resource limits. It needs Linux and no helper program.
//
// Theory of operation. A slot (sandbox/internal/slot) is a process of this binary that is process 1 of new mount, pid, net, ipc,
// uts and cgroup namespaces. It builds a read-only root once, and then serves one job after the other.
//
// Between fork and exec the job joins its cgroups, gets an ipc namespace of its own, lowers its resource limits, enters a
// user namespace in which it is user 1000 and holds no capability, gives up gaining any, and puts on Landlock and the
// filter. What outlives a job in its slot: the read-only root, an empty network namespace, and the slot process,
// which belongs to another user, is hidden in /proc and does not see the job's memory. A slot whose cleaning fails in any
// way is thrown away with all its namespaces.
//
// Started by root, slots are root on the host and jobs are users that nothing else on the host has, one a slot.
// Started by an ordinary user, a slot is root of a user namespace of its own, and the job is the same user as the slot: what
// keeps them apart then is the job's own user namespace, the filter and Landlock. Without a delegated cgroup nothing
// counts the tree's memory: New refuses, or says so in every result.
//
// A slot may have a warm interpreter (sandbox.Server) that forks the jobs instead of the slot: same walls, same order, walked by
// the interpreter's child.
//
// Everything dies with the engine: the slot gets SIGKILL when the engine's thread that started it ends (PR_SET_PDEATHSIG), the kernel
// kills a pid namespace with its process 1, and what a killed engine leaves of cgroups is swept by the next New.
package namespace
