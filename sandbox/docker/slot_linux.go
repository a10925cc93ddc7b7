package docker

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/rootfs"
	"github.com/verifyd/verifyd/sandbox/internal/slot"
)

// The slot of a container is a process of its own: it builds the root of its jobs in a mount namespace of its own, and then serves as
// any slot does.

const (
	slotStage = "docker-slot"
	jobID     = slot.JobID
)

func init() { sandbox.RegisterStage(slotStage, runSlot) }

// runSlot is the stage. Its argument is the size of the description at the start of the root's file.
func runSlot() error {
	in := os.NewFile(slotRootFD, "root")
	size, err := strconv.ParseInt(os.Args[1], 10, 64)
	if err != nil {
		return fmt.Errorf("root: %w", err)
	}
	var root slotRoot
	if err := json.NewDecoder(io.NewSectionReader(in, 0, size)).Decode(&root); err != nil {
		return fmt.Errorf("root: %w", err)
	}
	if _, err := rootfs.Build(root.Root, root.Files, io.NewSectionReader(in, size, 1<<62)); err != nil {
		return fmt.Errorf("root: %w", err)
	}
	if err := in.Close(); err != nil {
		return err
	}
	return slot.Serve()
}

// launch gives process 1 the descriptors of its slot, and the words that the slot process will say on standard error.
func (b *box) launch(root slotRoot, server *sandbox.Server, control *os.File) (*words, error) {
	header, err := json.Marshal(root)
	if err != nil {
		return nil, err
	}
	fd, err := unix.MemfdCreate("root", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("memfd: %w", err)
	}
	description := os.NewFile(uintptr(fd), "root")
	defer func() { _ = description.Close() }() // the slot has its copy
	data := [][]byte{header}
	if server != nil {
		for _, f := range server.Files {
			data = append(data, f.Data)
		}
	}
	for _, d := range data {
		if _, err := description.Write(d); err != nil {
			return nil, err
		}
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = write.Close() }() // the slot has its copy
	args, err := sandbox.StageArgs(slotStage, strconv.Itoa(len(header)))
	if err != nil {
		return nil, err
	}
	w := hear(read)
	return w, b.send(start{Args: args}, control, write, description)
}

// send gives process 1 its one packet.
func (b *box) send(s start, control, stderr, root *os.File) error {
	packet, err := json.Marshal(s)
	if err != nil {
		return err
	}
	fds := make([]int, startFDs)
	fds[startControl], fds[startStderr], fds[startRoot] = int(control.Fd()), int(stderr.Fd()), int(root.Fd())
	if _, _, err := b.life.WriteMsgUnix(packet, unix.UnixRights(fds...), nil); err != nil {
		return fmt.Errorf("process 1 of the container: %w", err)
	}
	return nil
}

// words keeps the last bytes that the processes above a job said on standard error.
type words struct {
	done chan struct{} // closed when nobody can say anything any more
	mu   sync.Mutex    // guards data
	data []byte
}

const keptWords = 4096

func hear(f *os.File) *words {
	w := &words{done: make(chan struct{})}
	go func() {
		defer close(w.done)
		defer func() { _ = f.Close() }() // read to its end
		buf := make([]byte, keptWords)
		for {
			n, err := f.Read(buf)
			w.mu.Lock()
			w.data = append(w.data, buf[:n]...)
			w.data = w.data[max(0, len(w.data)-keptWords):]
			w.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return w
}

// String is asked for when the container has ended.
func (w *words) String() string {
	<-w.done
	w.mu.Lock()
	defer w.mu.Unlock()
	return string(w.data)
}
