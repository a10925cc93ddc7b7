package docker

// Config says how a Sandbox is made. The zero value is the strict one: the engine at its usual place, no images but the host's own
// programs, and a refusal where a wall or a limit is missing.
type Config struct {
	// Host is the Docker engine, a socket file as unix:///path. Empty means DOCKER_HOST, else unix:///var/run/docker.sock.
	// Any other scheme is refused.
	Host string

	// Images are those that a job may name in Root.Image, each by digest: name@sha256:… or the image's own sha256:…. They
	// must be there; nothing is pulled.
	Images []string

	// AllowWeak lets New succeed where limits of the tree's memory and processes are missing. Each Result says so in Degraded.
	AllowWeak bool

	// Fresh makes a container for each job, and removes it afterwards. It costs some 300 ms of processor time a job.
	Fresh bool

	// MaxIdle is how many prepared containers are kept for the next job. 0 means four a processor, at least
	// eight: a program and its tester have one each.
	MaxIdle int

	// Runtime is the runtime of the containers, by the engine's name for it; empty means the engine's own choice. It must share the
	// host's kernel, since descriptors are passed into the container: runc or crun, not gVisor or a virtual machine.
	Runtime string

	// AppArmor is the profile of the containers where the host has AppArmor. Empty means unconfined: the usual profile of Docker forbids
	// every mount, and a slot mounts the root of its jobs.
	AppArmor string

	// TempDir holds the socket files, below a folder that only the engine's user can enter; the Docker engine must see the
	// same folder under this name. Empty means os.TempDir.
	TempDir string
}
