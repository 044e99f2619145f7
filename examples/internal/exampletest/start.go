// Package exampletest runs the programs of examples in their tests.
package exampletest

import (
	"context"
	"errors"
	"io"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/outbuf"
)

// Start runs a program with args until it prints something that matches want. It returns
// the first submatch, the output, and a function that interrupts the program and returns
// its error.
func Start(t *testing.T, run func(ctx context.Context, args []string, stdout, stderr io.Writer) error, want string, args ...string) (match string, out *outbuf.Buffer, stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out = &outbuf.Buffer{}
	done := make(chan error, 1)
	go func() { done <- run(ctx, args, out, io.Discard) }()
	pattern := regexp.MustCompile(want)
	require.Eventually(t, func() bool { return pattern.MatchString(out.String()) }, time.Minute, 5*time.Millisecond)
	return pattern.FindStringSubmatch(out.String())[1], out, func() error {
		cancel()
		select {
		case err := <-done:
			return err
		case <-time.After(time.Minute):
			return errors.New("the program did not stop")
		}
	}
}
