package docker

import (
	"encoding/json"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/verifyd/verifyd/sandbox"
	"github.com/verifyd/verifyd/sandbox/internal/slot"
)

// launch lets process 1 start the slot process of the container, with the other end of its socket.
func (b *box) launch(control *os.File) (*slot.Words, error) {
	args, err := sandbox.StageArgs(slot.Stage)
	if err != nil {
		return nil, err
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = write.Close() }() // the slot has its copy
	words := slot.Hear(read)
	return words, b.send(start{Args: args}, control, write)
}

// send gives process 1 its one packet.
func (b *box) send(s start, control, stderr *os.File) error {
	packet, err := json.Marshal(s)
	if err != nil {
		return err
	}
	fds := make([]int, startFDs)
	fds[startControl], fds[startStderr] = int(control.Fd()), int(stderr.Fd())
	if _, _, err := b.life.WriteMsgUnix(packet, unix.UnixRights(fds...), nil); err != nil {
		return fmt.Errorf("process 1 of the container: %w", err)
	}
	return nil
}
