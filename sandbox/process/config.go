package process

// Config says how a Sandbox is made.
type Config struct {
	// TempDir holds the jobs' folders; empty means os.TempDir.
	TempDir string
}
