package sandbox

// Server is an interpreter that is started once, loads what every job needs, and then forks a child for each job: the child has
// walls, limits and folders of its own, like any job, and the start-up is paid once. It never sees a job's data before the fork
// that runs the job, and runs with the rights of the place that prepares jobs: its text is trusted.
//
// Jobs share a server when their Specs point to the same Server value and have equal Roots. A backend keeps servers as long as it
// likes.
//
// The protocol, on a SOCK_SEQPACKET socket at descriptor 3 (ServerFD), JSON in each packet:
//
//	server: {"ready": true, "repeats": true} once, when all is loaded; it has one thread then, and at every fork
//	backend: {"join": n}                     once, with n descriptors: write "0" to each, close them
//	server: {"joined": true}
//	backend: a Fork, with descriptors        for each job
//	server: {"pid": n} or {"error": text}    n is the child, whose parent is not the server (CLONE_PARENT)
//
// A Fork says how: give each received descriptor the number that "fds" names; clone3 with the struct of eleven 64-bit numbers in
// "clone"; in the child make the raw system calls of "calls" one after the other. A call is [step, number, ignore, arguments…]; an
// argument is a number, or [bytes] for the address of these bytes (base64), or [bytes, offset, inner] where the address of inner is
// stored at the offset. A call that fails and is not to be ignored: write its index and errno as two 32-bit numbers to the
// descriptor "report", and _exit. After the last call all descriptors but the program's own are closed. Then the child sets its
// environment to "env" and runs "args". The parent closes what it received and answers.
//
// A server that says "repeats" remembers the calls of the last Fork that had any: one without "calls" makes the same again. Most
// do, and reading them costs as much as the fork.
type Server struct {
	Args, Env []string // the server's own program and environment
	Files     []File   // for the server, below ServerDir; jobs can read them

	Snapshot *Snapshot // the same for a backend without forks (Caps.Snapshots), which needs Files and this alone
}

// Snapshot is a server for a backend that keeps the memory of an interpreter instead of a process: what is loaded is kept as an
// image, and each job begins as a copy of it. Files can be read while the image is made, not by jobs.
type Snapshot struct {
	Prepare string   // source text in the interpreter's language, run once; it must leave nothing open
	Run     []string // the command line of a job, the interpreter's name (Caps.Modules) first; Spec.Args follow it
}

// ServerDir holds a server's files. Jobs see it read-only.
const ServerDir = "/server"

// ServerFD is the descriptor number of a server's end of the protocol.
const ServerFD = 3
