package spelling

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"chek", "check", 1}, {"check", "chekc", 2}, {"abc", "abc", 0}, {"abc", "xyz", 3}} {
		assert.Equal(t, c.want, Distance(c.a, c.b), "%q %q", c.a, c.b)
	}
	assert.Equal(t, "check", Nearest("chek", []string{"types", "check", "cheat"}))
	assert.Equal(t, "ab", Nearest("a", []string{"ab", "ac"}), "the first of equals")
	assert.Empty(t, Nearest("a", nil))
}
