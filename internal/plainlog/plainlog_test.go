package plainlog

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPlainLog(t *testing.T) {
	var lines []string
	log := New(func(s string) { lines = append(lines, s) })
	log.Debug("not shown")
	log.Info("started")
	log.Error("the server is gone", "error", errors.New("exit status 3"))
	log.With("a", 1).WithGroup("g").Warn("two", "b", "x")
	assert.Equal(t, []string{"started", "the server is gone: exit status 3", "two: 1, x"}, lines)
}
