package docker

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox"
)

// Places in a container, none of which a job sees.
const (
	stageName = "docker"
	binDir    = "/verifyd"        // holds this binary under the stage's name
	socketDir = "/verifyd-socket" // holds the socket file
	socketIn  = "engine"          // its name there
)

func init() { sandbox.RegisterStage(stageName, runInit) }

// start is the one packet that process 1 of a container gets, with the descriptors of the slot: its control socket and its
// standard error.
type start struct {
	Args []string // of the slot process, which is this binary in another stage
}

const (
	startControl = iota
	startStderr
	startFDs
)

const slotNamespaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP

// runInit is process 1 of a container. It ends with its slot, or when the engine lets go of the connection; the kernel then ends
// whatever else is in the container.
func runInit() error {
	signal.Ignore(unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT, unix.SIGPIPE)
	life, err := unix.Socket(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("socket: %w", err)
	}
	if err := unix.Connect(life, &unix.SockaddrUnix{Name: socketDir + "/" + socketIn}); err != nil {
		return fmt.Errorf("connect to the engine: %w", err)
	}
	order, files, err := receive(life)
	if err != nil {
		return fmt.Errorf("order: %w", err)
	}
	if err := unix.Dup3(int(files[startStderr].Fd()), 2, 0); err != nil { // so that somebody reads what goes wrong from here on
		return fmt.Errorf("standard error: %w", err)
	}
	slot, err := startSlot(order, files)
	if err != nil {
		return fmt.Errorf("start slot: %w", err)
	}
	go func() {
		var b [1]byte
		for {
			if _, err := unix.Read(life, b[:]); err != unix.EINTR { // nothing more is ever sent: this is the end
				os.Exit(0)
			}
		}
	}()
	_, err = slot.Wait()
	return err
}

func receive(life int) (start, []*os.File, error) {
	data, rights := make([]byte, 4096), make([]byte, unix.CmsgSpace(4*startFDs))
	n, rn, _, _, err := unix.Recvmsg(life, data, rights, unix.MSG_CMSG_CLOEXEC)
	if err != nil {
		return start{}, nil, err
	}
	var s start
	if err := json.Unmarshal(data[:n], &s); err != nil {
		return s, nil, err
	}
	messages, err := unix.ParseSocketControlMessage(rights[:rn])
	if err != nil {
		return s, nil, err
	}
	var files []*os.File
	for _, m := range messages {
		fds, err := unix.ParseUnixRights(&m)
		if err != nil {
			return s, nil, err
		}
		for _, fd := range fds {
			files = append(files, os.NewFile(uintptr(fd), "slot"))
		}
	}
	if len(files) != startFDs {
		return s, nil, errors.New("descriptors are missing")
	}
	return s, files, nil
}

// startSlot starts the slot as root of a user namespace that holds the container's user alone.
func startSlot(s start, files []*os.File) (*os.Process, error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	return os.StartProcess("/proc/self/exe", s.Args, &os.ProcAttr{
		Files: []*os.File{null, null, files[startStderr], files[startControl]},
		Env:   []string{"GOMAXPROCS=2", "GOGC=200", "GORACE=atexit_sleep_ms=0"}, Dir: "/",
		Sys: &syscall.SysProcAttr{
			Cloneflags: slotNamespaces, Pdeathsig: syscall.SIGKILL, Setsid: true,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		},
	})
}
