package check_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/host"
)

// locked is a server that holds a lock file while it runs, and exits if another one
// has it.
const locked = `mkdir "$lock" 2>/dev/null || { echo 'the lock is held' >&2; exit 9; }
trap 'rmdir "$lock"' EXIT
trap 'exit 0' TERM
echo start >> "$lock.log"
`

// TestOneCommandAtATime shows that the author's command is never started while
// another copy of it runs.
func TestOneCommandAtATime(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "lock")
	target := command(t, "bash", "-c", locked+bashServer)
	target.Env = append(target.Env, "lock="+lock)
	r, err := check.Target(t.Context(), target, &check.Options{Timeout: time.Minute})
	require.NoError(t, err)
	assert.Empty(t, r.Findings)
	assert.Empty(t, r.Unchecked)
	log, err := os.ReadFile(lock + ".log")
	require.NoError(t, err)
	assert.Equal(t, 3, strings.Count(string(log), "start"), "the main connection, one without the extension, one in the newest version")
}

// TestUnchecked shows that a connection which can't be made is not passed over in
// silence.
func TestUnchecked(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "lock")
	// This one leaves its lock behind, so that it starts but once.
	target := command(t, "bash", "-c", strings.Replace(locked, `trap 'rmdir "$lock"' EXIT`, "", 1)+bashServer)
	target.Env = append(target.Env, "lock="+lock)
	r, err := check.Target(t.Context(), target, &check.Options{Timeout: time.Minute})
	require.NoError(t, err)
	assert.Empty(t, r.Findings)
	require.Len(t, r.Unchecked, 2)
	assert.Equal(t, "without-ui", r.Unchecked[0].Part)
	assert.Equal(t, "2025-11-25", r.Unchecked[0].Version)
	assert.Equal(t, "version", r.Unchecked[1].Part)
	assert.Equal(t, "2026-07-28", r.Unchecked[1].Version)
	for _, u := range r.Unchecked {
		assert.Contains(t, u.Reason, "exit status 9")
	}

	var b strings.Builder
	require.NoError(t, r.WriteText(&b))
	assert.Contains(t, b.String(), "not checked: a client without the extension: initialize: the connection ended")
	assert.Contains(t, b.String(), "not checked: protocol version 2026-07-28: server/discover: the connection ended")
	raw, err := json.Marshal(r)
	require.NoError(t, err)
	var got struct{ Unchecked []map[string]any }
	require.NoError(t, json.Unmarshal(raw, &got))
	require.Len(t, got.Unchecked, 2)
	assert.Equal(t, "without-ui", got.Unchecked[0]["part"])
}

// TestUncheckedVersion shows that a version in which the server answers with errors
// is not taken for one that was compared.
func TestUncheckedVersion(t *testing.T) {
	r, err := overHTTP(t, plainAnswers.with("server/discover", `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{}}}`), host.Target{}, nil)
	require.NoError(t, err)
	assert.Empty(t, r.Unchecked)
	assert.Equal(t, []string{"2025-11-25", "2026-07-28"}, r.Versions)

	r, err = overHTTP(t, plainAnswers.with("server/discover", status(503)), host.Target{}, nil)
	require.NoError(t, err)
	require.Len(t, r.Unchecked, 1)
	assert.Equal(t, "version", r.Unchecked[0].Part)
	assert.Contains(t, r.Unchecked[0].Reason, "503")

	r, err = overHTTP(t, plainAnswers.with("server/discover", status(404)), host.Target{}, nil)
	require.NoError(t, err)
	assert.Empty(t, r.Unchecked, "the server does not offer the version")
}
