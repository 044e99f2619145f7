package unasked

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestOnThisMachine shows which URLs are this machine's: what is called unasked depends
// on it.
func TestOnThisMachine(t *testing.T) {
	for raw, want := range map[string]bool{
		"http://localhost:8080/mcp":     true,
		"http://127.0.0.1/mcp":          true,
		"http://127.9.9.9:1/":           true,
		"http://[::1]:8080/":            true,
		"http://notlocalhost/":          false,
		"http://app.localhost/":         false,
		"http://localhost.example.com/": false,
		"http://192.168.0.1/":           false,
		"http://127.0.0.1.example.com/": false,
		"http://0.0.0.0/":               false,
		"http://%zz/":                   false,
		"":                              false,
	} {
		assert.Equal(t, want, OnThisMachine(raw), raw)
	}
}
