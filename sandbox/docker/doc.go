// Package docker runs programs in containers of a Docker engine on the same machine. It needs the right to use the engine's
// socket, Linux, and no helper program; it opens no TCP connection and pulls nothing.
//
// Theory of operation. A container is the outer wall of a slot, and the slot is that of every other backend of the kernel's walls
// (sandbox/internal/slot). The container is made once, and the jobs of the slot never pass through the Docker engine:
//
//	engine                        Docker engine                container
//	─ create, start ────────────▶ container ──────────────────▶ process 1: this binary, stage "docker", no root, no capability
//	◀─────────────────────────────────────────── connects to a socket file, which is then removed
//	─ descriptors of a slot ──────────────────────────────────▶ starts the slot in namespaces of its own, and waits
//	─ jobs, one after the other, over the slot's descriptors ──▶ slot ─▶ job
//	end of the connection ────────────────────────────────────▶ process 1 ends, and with it everything in the container
//
// The container has no network, a read-only root, no capability, no new privileges, a system-call filter, limits of memory and
// processes, an unprivileged user that no other container has at the time, and mounts that are all read-only: this binary, the folder
// of the socket file, and what sandbox.Root names. The engine's own socket is never among them. Its filter lets process 1
// make user namespaces, which is how an unprivileged slot builds a fresh root, /proc and tmpfs for each job; a job has
// the filter of all backends on top of that, and sees neither the container's mounts nor its processes. /proc of the container is
// not masked: the kernel lets a user namespace mount a /proc of its own only where it can see all of one (mount_too_revealing,
// fs/namespace.c); nothing but process 1 ever sees it.
//
// What a job has used is counted in groups below the container's own, so that what Docker limits holds for it, too. That needs the
// right to make them: an engine that is root, or a delegated tree. Without, New refuses, or says so in every result.
//
// A container is used for another job where its slot reported that nothing is left of the one before, by the same rules as a slot on
// the host. Config.Fresh makes it one container a job.
//
// Everything dies with the engine: the end of the connection ends process 1, and Docker removes a container that has ended. What
// was being made when the engine was killed carries its label, and the next New removes it. Where dockerd dies, its containers
// and the jobs in them go on; only new containers cannot be made, which is an error and no verdict.
package docker
