// Package outbuf has a buffer for tests that read a program's output while the
// program still writes.
package outbuf

import (
	"bytes"
	"sync"
)

// A Buffer is an io.Writer whose content can be read at any time, from any
// goroutine. The zero Buffer is empty.
type Buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

// String returns everything written so far.
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
