package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadChecks(t *testing.T) {
	dir := t.TempDir()
	write := func(folder, data string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Join(dir, folder), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, folder, "checks.json"), []byte(data), 0o644))
	}
	write("server-ping-2026-11-28T15-50-16-774Z", `[{"id":"ping","status":"SUCCESS"},{"id":"wire","status":"SUCCESS"},{"id":"wire","status":"FAILURE"}]`)
	write("auth/basic-2026-11-28T15-50-16-774Z", `[{"id":"token","status":"WARNING"},{"id":"request","status":"INFO"}]`)
	got, err := readChecks(dir, "server")
	require.NoError(t, err)
	assert.Equal(t, checks{
		{"ping", "ping"}:        {"SUCCESS"},
		{"ping", "wire"}:        {"FAILURE", "SUCCESS"},
		{"auth/basic", "token"}: {"WARNING"},
	}, got, "INFO is no check")
	assert.Equal(t, 2, got.count(success))

	write("bad-2026-11-28T15-50-16-774Z", `{`)
	_, err = readChecks(dir, "server")
	assert.ErrorContains(t, err, "checks.json")
}

func TestDifferences(t *testing.T) {
	bare := checks{{"a", "1"}: {success}, {"a", "2"}: {failure, success}, {"b", "1"}: {failure}}
	for name, c := range map[string]struct {
		other checks
		want  []check
	}{
		"same":          {checks{{"a", "1"}: {success}, {"a", "2"}: {failure, success}, {"b", "1"}: {failure}}, nil},
		"fails":         {checks{{"a", "1"}: {failure}, {"a", "2"}: {failure, success}, {"b", "1"}: {failure}}, []check{{"a", "1"}}},
		"passes":        {checks{{"a", "1"}: {success}, {"a", "2"}: {failure, success}, {"b", "1"}: {success}}, []check{{"b", "1"}}},
		"missing":       {checks{{"a", "2"}: {failure, success}}, []check{{"a", "1"}, {"b", "1"}}},
		"more than one": {checks{{"a", "1"}: {success, success}, {"a", "2"}: {failure, success}, {"b", "1"}: {failure}}, []check{{"a", "1"}}},
	} {
		assert.Equal(t, c.want, differences(bare, c.other), name)
		assert.Equal(t, c.want, differences(c.other, bare), name)
	}
}

func TestReport(t *testing.T) {
	passed := app{server: "examples/hello"}
	require.NoError(t, json.Unmarshal([]byte(`{"summary":"1/1 checks passed","checks":[{"id":"ui","status":"passed"}]}`), &passed))
	same := comparison{"2026-07-28", []string{"bare", "apps"}, []checks{
		{{"tasks-a", "1"}: {failure}, {"other", "1"}: {success}},
		{{"tasks-a", "1"}: {failure}, {"other", "1"}: {success}},
	}}
	r := report{date: time.Unix(0, 0), servers: []comparison{same}, clients: []comparison{same}, apps: []app{passed}}
	assert.False(t, r.differs(), "failures of the bare SDK are not ours")
	text := string(r.markdown())
	assert.Contains(t, text, "Last run on 1970-01-01")
	assert.Contains(t, text, "| 2026-07-28 | apps | 1 | 1 | 0 | 0 | 0 |")
	assert.Contains(t, text, "| tasks-a: 1 | 2026-07-28 | 2026-07-28 | the SDK has no tasks |")

	other := same
	other.runs = []checks{same.runs[0], {{"tasks-a", "1"}: {failure}, {"other", "1"}: {failure}}}
	r.clients = []comparison{other}
	assert.True(t, r.differs())
	text = string(r.markdown())
	assert.Contains(t, text, "- 2026-07-28 apps: other: 1 has [FAILURE], and bare [SUCCESS].")
	assert.Contains(t, text, "| other: 1 | - | 2026-07-28 | unknown |")

	r.clients = []comparison{same}
	for _, status := range []string{"skipped", "failed"} {
		bad := app{server: "examples/monitor"}
		require.NoError(t, json.Unmarshal([]byte(`{"summary":"x","checks":[{"id":"ui","status":"`+status+`","error":{"message":"no tool"}}]}`), &bad))
		r.apps = []app{passed, bad}
		assert.True(t, r.differs(), status)
		assert.Contains(t, string(r.markdown()), "| | ui "+status+": no tool |")
	}
	r.apps = []app{{server: "examples/hello"}}
	assert.True(t, r.differs(), "nothing was checked")
}
