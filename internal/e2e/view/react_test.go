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
		query := url.Values{"page": {"react"}}
		assert.JSONEq(t, `[]`, string(b.run(t, bridge, ours, "reactRefused", query).Result))
	})
}
