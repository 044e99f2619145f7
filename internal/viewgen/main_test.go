package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFilesAreCurrent(t *testing.T) {
	dir := filepath.Join("..", "..")
	files, err := build(dir)
	require.NoError(t, err)
	require.Len(t, files, len(modules))
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		assert.Equal(t, string(want), string(got), "%s is not what its sources give: run go generate ./view ./preview", name)
	}
}
