package namespace

import (
	"context"
	"errors"
	"fmt"

	"github.com/verifyd/verifyd/sandbox"
)

// Prepare makes slots ahead for jobs with this root and, where it is not nil, this server, so that the first jobs do not wait
// for them. Slots stay as long as they are among the last Config.MaxIdle that were used. More than those are refused.
func (n *Namespace) Prepare(root sandbox.Root, server *sandbox.Server, slots int) error {
	if slots > n.config.MaxIdle {
		return fmt.Errorf("sandbox/namespace: prepare %d slots: at most %d are kept", slots, n.config.MaxIdle)
	}
	if server != nil && !n.host.Caps.Warm {
		return fmt.Errorf("sandbox/namespace: prepare: a warm server: %w", sandbox.ErrUnsupported)
	}
	_ = n.gate.Enter(context.Background(), false) // that context never ends
	defer n.gate.Leave()
	var made []*room
	var errs []error
	for range slots {
		s, err := n.take(sandbox.Spec{Root: root, Server: server})
		if err != nil {
			errs = append(errs, fmt.Errorf("sandbox/namespace: prepare: %w", err))
			break
		}
		made = append(made, s)
	}
	for _, s := range made {
		n.give(s)
	}
	return errors.Join(errs...)
}
