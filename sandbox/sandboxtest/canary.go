package sandboxtest

import (
	"net"
	"os"
	"strings"
	"testing"
)

// listen opens a canary: a listener of the host that no job may reach. An address that is taken already is left to its owner.
func listen(t *testing.T, network, address string) {
	t.Helper()
	if strings.HasPrefix(address, "/") {
		_ = os.Remove(address) // of an earlier run that was killed
	}
	l, err := net.Listen(network, address)
	if err != nil {
		t.Logf("no canary at %s: %v", address, err)
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			t.Errorf("a job reached the canary at %s", address)
			_ = c.Close() // seen
		}
	}()
	t.Cleanup(func() {
		_ = l.Close() // ends Accept
		<-done
	})
}
