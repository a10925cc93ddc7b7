package docker

// Finding is one thing that the machine gives to the backend, or does not.
type Finding struct {
	Name   string
	OK     bool
	Needed bool // New refuses without it
	Detail string
	Fix    string // what to do, where it is not OK
}
