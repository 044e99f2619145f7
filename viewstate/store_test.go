package viewstate

import (
	"context"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func requestOf(user string) *mcp.CallToolRequest {
	return &mcp.CallToolRequest{Extra: &mcp.RequestExtra{TokenInfo: &auth.TokenInfo{UserID: user}, Header: http.Header{}}}
}

func TestKeys(t *testing.T) {
	ctx := t.Context()
	inHTTP := context.WithValue(ctx, http.ServerContextKey, &http.Server{})
	anonymous := &mcp.CallToolRequest{Extra: &mcp.RequestExtra{Header: http.Header{}}}
	callers := map[string]func(id string) Key{
		"local": func(id string) Key { return KeyFor(ctx, nil, id) },
		"ada":   func(id string) Key { return KeyFor(ctx, requestOf("ada"), id) },
		"bob":   func(id string) Key { return KeyFor(ctx, requestOf("bob"), id) },
		// Names that look like what the library says of others.
		"a user named local":      func(id string) Key { return KeyFor(ctx, requestOf("local"), id) },
		"a user named user:ada":   func(id string) Key { return KeyFor(ctx, requestOf("user:ada"), id) },
		"a user named id:a":       func(id string) Key { return KeyFor(ctx, requestOf("id:a"), id) },
		"without a user":          func(id string) Key { return KeyFor(ctx, anonymous, id) },
		"a name that ends in \\0": func(id string) Key { return KeyFor(ctx, requestOf("ada\x00"), id) },
	}
	seen := make(map[Key]string)
	owners := make(map[ownerKey]string)
	for caller, key := range callers {
		for _, id := range []string{"a", "b", "", "local", "user:ada"} {
			k := key(id)
			assert.Empty(t, seen[k], "%s %q", caller, id)
			seen[k] = caller + " " + id
			if was := owners[k.owner()]; caller == "without a user" {
				assert.Empty(t, was)
			} else if was != "" {
				assert.Equal(t, caller, was)
			}
			owners[k.owner()] = caller
			assert.Equal(t, caller == "without a user", k.anonymous())
			assert.Equal(t, k, key(id))
		}
	}
	same := []*mcp.CallToolRequest{{}, {Extra: &mcp.RequestExtra{}}}
	for _, req := range same {
		assert.Equal(t, KeyFor(ctx, nil, "a"), KeyFor(ctx, req, "a"))
		assert.Equal(t, KeyFor(ctx, anonymous, "a"), KeyFor(inHTTP, req, "a"), "HTTP+SSE")
	}
	assert.Equal(t, KeyFor(ctx, anonymous, "a"), KeyFor(ctx, requestOf(""), "a"), "a token without a user")
	assert.Equal(t, KeyFor(ctx, requestOf("ada"), "a"), KeyFor(inHTTP, requestOf("ada"), "a"))
}

func TestDerivedIDs(t *testing.T) {
	ctx := t.Context()
	id := func(secret, user, subject string) string {
		id, ok := For(ctx, requestOf(user), []byte(secret), subject)
		require.True(t, ok)
		return id
	}
	all := []string{id("s", "ada", "board"), id("s", "bob", "board"), id("s", "ada", "other"), id("t", "ada", "board"), id("s", "ada", "")}
	for i, a := range all {
		assert.NoError(t, validateID(a))
		for _, b := range all[:i] {
			assert.NotEqual(t, a, b)
		}
	}
	assert.Equal(t, all[0], id("s", "ada", "board"))
	_, ok := For(ctx, requestOf(""), []byte("s"), "board")
	assert.False(t, ok)
	assert.NoError(t, validateID(New()))
	assert.NotEqual(t, New(), New())
}

// TestMemoryDump: the store has no user and no id, in whatever form one would look for.
func TestMemoryDump(t *testing.T) {
	m := NewMemory(nil)
	const user, subject = "ada@example.com", "quarterly-board"
	derived, _ := For(t.Context(), requestOf(user), []byte("secret"), subject)
	ids := []string{New(), derived, "chosen-by-the-author"}
	for _, id := range ids {
		_, err := m.Put(t.Context(), KeyFor(t.Context(), requestOf(user), id), []byte(`{"filter":"open"}`), 0)
		require.NoError(t, err)
		m.rates.allow(KeyFor(t.Context(), requestOf(user), id).owner(), 20)
	}
	var dump strings.Builder
	for k, d := range m.docs {
		fmt.Fprintf(&dump, "%s %x %+v %s %x\n", k[:], k[:], d, d.record.Value, d.record.Value)
	}
	for k, l := range m.owners {
		fmt.Fprintf(&dump, "%s %x %+v\n", k[:], k[:], l)
	}
	fmt.Fprintf(&dump, "%v", m.rates.full)
	assert.Contains(t, dump.String(), hex.EncodeToString([]byte("open")), "the values are there")
	for _, secret := range append(ids, user, subject) {
		assert.NotContains(t, dump.String(), secret)
		assert.NotContains(t, dump.String(), hex.EncodeToString([]byte(secret)))
	}
}
