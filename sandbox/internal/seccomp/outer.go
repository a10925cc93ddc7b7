package seccomp

import "slices"

// Outer lists the calls that the filter of a container must allow around a slot: those of jobs, and those with which a slot builds
// their roots in a user namespace of its own and shuts them in. socket is to be allowed for AF_UNIX alone. Jobs have Filter
// on top, which is the narrower one.
func Outer() []string {
	all := slices.Concat(allowed, examined, slotCalls)
	slices.Sort(all)
	return slices.Compact(all)
}

// slotCalls are made by the processes above a job, and by none in it.
var slotCalls = []string{
	"clone3", "unshare", "setns", // namespaces
	"mount", "umount2", "pivot_root", "fsopen", "fsconfig", "fsmount", "move_mount", "open_tree", "mount_setattr", // roots
	"sethostname", "seccomp", "connect",
}
