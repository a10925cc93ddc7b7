package slot

import (
	"os"
	"strings"
	"sync"
	"time"
)

// Words keeps the last of what the processes above a job say on standard error: the panic of a broken invariant, a runtime's reasons.
// The zero value has heard nothing. It is safe for concurrent use.
type Words struct {
	mu   sync.Mutex // guards text
	text []byte

	file *os.File      // that Hear reads; nil where somebody writes
	done chan struct{} // closed at its end
}

const keptWords = 4096

// Hear listens to the reading end of a pipe, which it closes at its end. Finish is called when all writers are gone.
func Hear(f *os.File) *Words {
	w := &Words{file: f, done: make(chan struct{})}
	go func() {
		defer close(w.done)
		buf := make([]byte, keptWords)
		for {
			n, err := f.Read(buf)
			_, _ = w.Write(buf[:n]) // cannot fail
			if err != nil {
				_ = f.Close() // read to its end
				return
			}
		}
	}()
	return w
}

// Write adds words. It never fails.
func (w *Words) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text = append(w.text, p...)
	w.text = w.text[max(0, len(w.text)-keptWords):]
	return len(p), nil
}

// Finish waits until all has been heard, a second at most. It may be called more than once.
func (w *Words) Finish() {
	if w.file != nil {
		_ = w.file.SetReadDeadline(time.Now().Add(time.Second)) // closed where it has been read to its end
		<-w.done
	}
}

func (w *Words) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.TrimSpace(string(w.text))
}
