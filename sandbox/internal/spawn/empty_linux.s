// Assembly file without instructions: it lets fork_linux.go declare functions without bodies on every architecture.
