package main

import (
	"io"
	"os"
	"runtime"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// stdio is standard output and standard error.
type stdio struct{ out, err io.Writer }

// process returns where the standard error of a server's process goes: to ours as
// it is, with the colors that its author expects.
func (s stdio) process() io.Writer { return unescaped(s.err) }

// unescaped returns the writer behind one that escapes what a terminal acts on.
func unescaped(w io.Writer) io.Writer {
	if e, ok := w.(*text.Writer); ok {
		return e.Unwrap()
	}
	return w
}

// isTerminal reports whether people see at once what is written to w. Of devices that
// are not terminals, such as /dev/null, nobody sees anything.
func isTerminal(w io.Writer) bool {
	f, ok := unescaped(w).(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// hasColors reports whether w is a terminal whose user wants colors. Nothing forces
// them on a file or a pipe.
func hasColors(w io.Writer) bool { return isTerminal(w) && wantsColors(os.Getenv, runtime.GOOS) }

// wantsColors reports whether the environment wants colors of a terminal: unless
// NO_COLOR has a value (no-color.org), and unless the terminal is a dumb one. Consoles
// of Windows understand escape sequences only if another program has switched that on;
// those that always do set a variable.
func wantsColors(getenv func(string) string, goos string) bool {
	if getenv("NO_COLOR") != "" || getenv("TERM") == "dumb" {
		return false
	}
	return goos != "windows" || getenv("WT_SESSION") != "" || getenv("TERM") != "" || getenv("ConEmuANSI") == "ON"
}
