package namespace

// Finding is one thing that this machine gives to the backend, or does not.
type Finding struct {
	Name   string // short and stable: "user namespaces", "memory limit", …
	OK     bool
	Needed bool   // New refuses without it unless Config.AllowWeak, or always
	Detail string // what was seen
	Fix    string // how to get it, in a sentence; empty where OK
}
