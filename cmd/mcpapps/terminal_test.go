package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What a server says does not reach the terminal's own language.
func TestAServersErrorIsPrintedPlain(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		var req struct{ ID json.RawMessage }
		_ = json.NewDecoder(r.Body).Decode(&req)
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"no \u001b[31mred\u001b]0;owned\u0007 \u202egnp"}}`, req.ID)
	}))
	defer server.Close()
	for _, args := range [][]string{{"preview", server.URL}, {"check", server.URL}} {
		var out, errs bytes.Buffer
		assert.NotZero(t, run(t.Context(), args, stdio{&out, &errs}), args)
		text := out.String() + errs.String()
		assert.Contains(t, text, `\x1b[31mred`, args)
		assert.NotContains(t, text, "\x1b", args)
		assert.NotContains(t, text, "\u202e", args)
	}
}

// TestWantsColors shows which consoles of Windows get colors.
func TestWantsColors(t *testing.T) {
	for _, c := range []struct {
		goos string
		env  map[string]string
		want bool
	}{
		{"linux", nil, true},
		{"windows", nil, false},
		{"windows", map[string]string{"WT_SESSION": "x"}, true},
		{"windows", map[string]string{"TERM": "xterm-256color"}, true},
		{"windows", map[string]string{"ConEmuANSI": "ON"}, true},
		{"windows", map[string]string{"ConEmuANSI": "OFF"}, false},
		{"windows", map[string]string{"WT_SESSION": "x", "NO_COLOR": "1"}, false},
	} {
		assert.Equal(t, c.want, wantsColors(func(key string) string { return c.env[key] }, c.goos), "%s %v", c.goos, c.env)
	}
}
