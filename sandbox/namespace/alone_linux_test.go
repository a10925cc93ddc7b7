package namespace

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/verifyd/verifyd/sandbox"
)

func TestAJobThatWaitsToBeAloneCanBeCancelled(t *testing.T) {
	n := open(t)
	release, running := make(chan struct{}), make(chan struct{})
	first := make(chan error, 1)
	go func() {
		_, err := n.Run(t.Context(), sandbox.Spec{Args: []string{"/bin/true"}, Talk: func(sandbox.Conn) {
			close(running)
			<-release
		}})
		first <- err
	}()
	<-running
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := n.Run(ctx, sandbox.Spec{Args: []string{"/bin/true"}, Alone: true}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want that of the context", err)
	}
	if _, _, err := n.Reserve(ctx, sandbox.Spec{}, sandbox.Spec{Alone: true}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("reserve: error %v, want that of the context", err)
	}
	close(release)
	if err := <-first; err != nil {
		t.Error(err)
	}
}
