package command

import (
	"regexp"
	"strings"
)

// faultLine matches the first line of what the Go runtime writes when it ends a program.
var faultLine = regexp.MustCompile(`(?m)^(panic|fatal error): `)

// BeginsFault reports whether a line is the first one of what the Go runtime writes when
// it ends a program.
func BeginsFault(line string) bool { return faultLine.MatchString(line) }

// fromFault returns the end of a standard error, at most max bytes: from where the Go
// runtime begins to say why it ends the program, whose traces can be long, or else the
// last bytes.
func fromFault(stderr []byte, max int) []byte {
	if all := faultLine.FindAllIndex(stderr, -1); all != nil { // the last is not one that was caught
		stderr = stderr[all[len(all)-1][0]:]
		return stderr[:min(len(stderr), max)]
	}
	return stderr[len(stderr)-min(len(stderr), max):]
}

// Fault returns the line with which the Go runtime says in stderr why it ended a
// program, and the place of the code at fault, as FILE:LINE. Both may be "".
func Fault(stderr string) (line, place string) {
	at := faultLine.FindStringIndex(stderr)
	if at == nil {
		return "", ""
	}
	line, trace, _ := strings.Cut(stderr[at[0]:], "\n")
	for frame := range strings.Lines(trace) {
		// In a trace, the line below a function has its place, after a tab.
		frame, ok := strings.CutPrefix(frame, "\t")
		if file, _, found := strings.Cut(frame, " +0x"); ok && found && !strings.Contains(file, "/src/runtime/") {
			return line, file
		}
	}
	return line, ""
}
