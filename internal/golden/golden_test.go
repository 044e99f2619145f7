package golden

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCompare(t *testing.T) {
	t.Setenv(variable, "")
	file := filepath.Join(t.TempDir(), "new", "file.txt")
	assert.ErrorContains(t, Compare(file, []byte("a\nb\n")), "MCPAPPS_UPDATE=1 go test")

	t.Setenv(variable, "1")
	require.NoError(t, Compare(file, []byte("a\nb\n")))

	t.Setenv(variable, "")
	assert.NoError(t, Compare(file, []byte("a\nb\n")))
	assert.ErrorContains(t, Compare(file, []byte("a\nc\n")), "line 2 is\n\tb\nand the test has\n\tc\n")
	assert.ErrorContains(t, Compare(file, []byte("a")), "line 2 is\n\tb\nand the test has\n\t(the end)\n")
	assert.ErrorContains(t, Compare(file, []byte("a\nb\n\nd")), "line 4 is\n\t(the end)\nand the test has\n\td\n")

	require.NoError(t, os.WriteFile(file, []byte("a\r\nb\r\n"), 0o644))
	assert.NoError(t, Compare(file, []byte("a\nb\n")), "as some checkouts have it")
}
