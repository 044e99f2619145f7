package factwords

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestValue(t *testing.T) {
	for value, want := range map[string]string{
		``: "unknown", `true`: "yes", `false`: "no", `"content-only"`: "content-only", `150000`: "150000",
		`[]`: "none", `["inline","pip"]`: "inline, pip", `{}`: "none",
		`{"width":400,"maxHeight":768}`: "400 wide, at most 768 high", `{"maxWidth":768,"height":400}`: "at most 768 wide, 400 high",
	} {
		assert.Equal(t, want, Value(value), value)
	}
}
