package view

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestReactHooks(t *testing.T) {
	eachBridge(t, func(t *testing.T, b *bench, bridge string) {
		for _, mode := range []string{"plain", "strict"} {
			query := url.Values{"page": {"react"}, "document": {mode}}
			want := b.run(t, bridge, reference, "react", query)
			got := b.run(t, bridge, ours, "react", query)
			assert.Empty(t, got.Problems, mode)
			assert.Empty(t, got.Violations, mode)
			assert.Equal(t, want.fromView(t), got.fromView(t), mode)
			assert.Equal(t, want.reports(t), got.reports(t), mode)
		}
	})
}

// The page answers in place of a bridge.
func TestReactRefused(t *testing.T) {
	t.Parallel()
	r := newBench(t).run(t, newest, ours, "reactRefused", url.Values{"page": {"react"}})
	assert.JSONEq(t, `[]`, string(r.Result))
}
