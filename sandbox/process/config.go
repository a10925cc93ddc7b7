package process

// Config says how a Sandbox is made.
type Config struct {
	// AllowWeak says that the caller knows: this is no boundary, and what Caps.Missing names is not enforced. New refuses without it.
	AllowWeak bool

	// TempDir holds the jobs' folders; empty means os.TempDir.
	TempDir string
}
