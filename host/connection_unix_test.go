//go:build unix

package host

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/e2e"
	"github.com/mcpapps-go/mcpapps/internal/outbuf"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// After a failed handshake no process, file descriptor or goroutine is left.
func TestFailedHandshakeLeaksNothing(t *testing.T) {
	openFiles := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			e2e.Skip(t, "this system has no /proc/self/fd: "+err.Error())
		}
		return len(entries)
	}
	warm, err := Connect(t.Context(), testCommand(t, "plain"), nil)
	require.NoError(t, err)
	require.NoError(t, warm.Close())
	time.Sleep(50 * time.Millisecond)
	goroutines, files := runtime.NumGoroutine(), openFiles()
	for answer, want := range map[string]string{
		`"error":{"code":-32000,"message":"the licence has expired"}`: "the licence has expired",
		// Malformed, and so skipped.
		`"error":"no"`:  `no answer to the handshake within 1s; on its standard output the server wrote "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":\"no\"}", which is not a message`,
		`"result":null`: "unsupported protocol version",
		`"result":"hi"`: "connecting to",
		`"result":[]`:   "connecting to",
		`"other":1`:     "connecting to",
		`"result":{"protocolVersion":"1999-01-01","capabilities":{},"serverInfo":{"name":"x","version":"1"}}`: `unsupported protocol version: "1999-01-01"`,
		`"result":{"protocolVersion":"2025-11-25","capabilities":[1],"serverInfo":5}`:                         "connecting to",
		`"result":` + strings.Repeat("[", 100000) + strings.Repeat("]", 100000):                               "no answer to the handshake within 1s",
	} {
		target := testCommand(t, "answers")
		file := filepath.Join(t.TempDir(), "answer")
		require.NoError(t, os.WriteFile(file, []byte(answer), 0o600))
		target.Env = append(target.Env, "HOST_TEST_ANSWER="+file)
		timeout := 20 * time.Second
		if strings.Contains(want, "1s") {
			timeout = time.Second
		}
		_, err := Connect(t.Context(), target, &ConnectOptions{ConnectTimeout: timeout})
		assert.ErrorContains(t, err, want, "%.60s", answer)
	}
	for end := time.Now().Add(10 * time.Second); (runtime.NumGoroutine() > goroutines || openFiles() > files) && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
	assert.LessOrEqual(t, openFiles(), files, "files are left open")
	assert.LessOrEqual(t, runtime.NumGoroutine(), goroutines, "goroutines are left:\n%s", goroutineStacks())
}

func TestCloseKillsGrandchildProcess(t *testing.T) {
	var stderr outbuf.Buffer
	s, err := Connect(t.Context(), testCommand(t, "grandchild"), &ConnectOptions{Stderr: &stderr})
	require.NoError(t, err)
	require.Eventually(t, func() bool { return strings.HasSuffix(stderr.String(), "\n") }, time.Minute, 10*time.Millisecond)
	pid, err := strconv.Atoi(strings.Fields(stderr.String())[1])
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(pid, 0), "the grandchild runs")
	require.NoError(t, s.Close())
	assert.Eventually(t, func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return err != nil || bytes.Contains(stat, []byte(") Z "))
	}, time.Minute, 10*time.Millisecond, "the grandchild still runs")
}
