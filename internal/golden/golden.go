// Package golden compares what a test produced with a file, and rewrites the
// file where the environment has MCPAPPS_UPDATE=1. It is a variable and not a
// flag, since a flag would be registered in the test binary of everyone who
// imports mcpappstest.
package golden

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

const variable = "MCPAPPS_UPDATE"

// Updating reports whether files are rewritten.
func Updating() bool { return os.Getenv(variable) == "1" }

// Compare returns an error that shows the first line in which got differs from
// the file, whatever the file's line ends, and how to rewrite it. With
// MCPAPPS_UPDATE=1 it writes the file, and its folder, instead.
func Compare(file string, got []byte) error {
	if Updating() {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		return os.WriteFile(file, got, 0o644)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("%w: write it with %s=1 go test", err, variable)
	}
	want = bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n")) // as some checkouts have it
	if bytes.Equal(got, want) {
		return nil
	}
	line, w, g := firstDifference(want, got)
	return fmt.Errorf("%s: line %d is\n\t%s\nand the test has\n\t%s\nIf that is meant, run %s=1 go test and read the difference", file, line, w, g, variable)
}

func firstDifference(want, got []byte) (line int, w, g []byte) {
	a, b := bytes.Split(want, []byte("\n")), bytes.Split(got, []byte("\n"))
	for i := 0; ; i++ {
		switch {
		case i >= len(a):
			return i + 1, []byte("(the end)"), b[i]
		case i >= len(b):
			return i + 1, a[i], []byte("(the end)")
		case !bytes.Equal(a[i], b[i]):
			return i + 1, a[i], b[i]
		}
	}
}
