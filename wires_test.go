package mcpapps_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/rawclient"
)

// lines is a wire on which the tests send all messages, those of the handshake too.
type lines struct{ *rawclient.Client }

var byHand = rawclient.Config{NoHandshake: true}

func (l lines) exchange(t *testing.T, c wireClient, line string) string {
	t.Helper()
	l.Version = c.version
	return l.Line(t, line)
}

// dialMemory connects to a server in this process.
func dialMemory(t *testing.T, s *mcp.Server) wire {
	t.Helper()
	return lines{rawclient.Stdio(t, s, byHand)}
}

func dialSSE(t *testing.T, s *mcp.Server) wire {
	t.Helper()
	return lines{rawclient.SSE(t, s, byHand)}
}

func dialStreamable(t *testing.T, s *mcp.Server, opts *mcp.StreamableHTTPOptions) wire {
	t.Helper()
	return lines{rawclient.HTTP(t, rawclient.Streamable(s, opts), byHand)}
}

const childVariable = "MCPAPPS_TEST_STDIO_SERVER"

// TestMain is also the server of TestWireTransports/stdio, which runs this program
// again as a child process.
func TestMain(m *testing.M) {
	if os.Getenv(childVariable) == "" {
		os.Exit(m.Run())
	}
	if err := newWireServer(nil).Run(context.Background(), &mcp.StdioTransport{}); err != nil && err != io.EOF {
		os.Stderr.WriteString(err.Error())
		os.Exit(1)
	}
}

func dialStdio(t *testing.T) wire {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), childVariable+"=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	return lines{rawclient.Pipe(t, in, out, byHand)}
}
