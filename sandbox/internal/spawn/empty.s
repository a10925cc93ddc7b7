// Assembly file with no instructions: it lets fork_linux.go declare functions without bodies.
