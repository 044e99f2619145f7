//go:build unix

package host

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNothingOfAServerIsLeftRunning(t *testing.T) {
	var stderr syncBuffer
	s, err := Connect(t.Context(), command(t, "grandchild"), &Options{Stderr: &stderr})
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
