package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const trace = "panic: runtime error: index out of range [0] with length 0 [recovered, repanicked]\n\ngoroutine 7 [running]:\n" +
	"panic({0x1, 0x2})\n\t/usr/local/go/src/runtime/panic.go:783 +0x132\n" +
	"main.greet({0x1, 0x2})\n\t/home/ada/hello/main.go:23 +0x1f\n" +
	"main.main()\n\t/home/ada/hello/main.go:40 +0x2a\nexit status 2\n"

func TestFault(t *testing.T) {
	for _, c := range []struct{ stderr, line, place string }{
		{"ready\n" + trace, "panic: runtime error: index out of range [0] with length 0 [recovered, repanicked]", "/home/ada/hello/main.go:23"},
		{"fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.main()\n\t/a/main.go:5 +0x1f\n", "fatal error: all goroutines are asleep - deadlock!", "/a/main.go:5"},
		{"panic: no trace\n", "panic: no trace", ""},
		{"panic: at the end", "panic: at the end", ""},
		{"don't panic: all is well\n", "", ""},
		{"", "", ""},
	} {
		line, place := Fault(c.stderr)
		assert.Equal(t, c.line, line)
		assert.Equal(t, c.place, place)
	}
}

// TestFromFault shows that of a long trace the beginning is kept, and of other output
// the end.
func TestFromFault(t *testing.T) {
	long := []byte("ready\n" + trace + strings.Repeat("main.deep()\n\t/a/deep.go:1 +0x1\n", 100))
	kept := string(fromFault(long, 300))
	assert.Len(t, kept, 300)
	assert.True(t, strings.HasPrefix(kept, "panic: runtime error"))
	assert.Equal(t, "cd", string(fromFault([]byte("abcd"), 2)))
	assert.Equal(t, "abcd", string(fromFault([]byte("abcd"), 9)))
}
