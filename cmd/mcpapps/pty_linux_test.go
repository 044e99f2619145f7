package main

import (
	"io"
	"os"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/outbuf"
)

// newTerminal returns a pseudo-terminal, and a function that closes it and returns what
// was written to it.
func newTerminal(t *testing.T) (tty *os.File, written func() string) {
	t.Helper()
	far, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		e2e.Skip(t, "no pseudo-terminals here: "+err.Error())
	}
	t.Cleanup(func() { far.Close() })
	var locked, number int32
	for request, value := range map[uintptr]*int32{syscall.TIOCSPTLCK: &locked, syscall.TIOCGPTN: &number} {
		_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, far.Fd(), request, uintptr(unsafe.Pointer(value)))
		require.Zero(t, errno)
	}
	tty, err = os.OpenFile("/dev/pts/"+strconv.Itoa(int(number)), os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	var out outbuf.Buffer
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(&out, far) // ends with EIO once nobody has the terminal open
	}()
	return tty, sync.OnceValue(func() string {
		tty.Close()
		<-read
		return out.String()
	})
}
