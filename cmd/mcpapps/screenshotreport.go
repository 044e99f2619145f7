package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// report says what went wrong in a view, likely causes first. Its error is the first
// thing of which the view or its tool failed.
func report(w io.Writer, o liveview.Outcome) (failed error) {
	const most = 10 // lines of each severity
	written, more := map[string]int{}, 0
	for _, f := range o.Failures() {
		severity := "note"
		if f.Fails() {
			severity, failed = "error", cmp.Or(failed, errors.New(text.Shorten(f.String(), 500)))
		}
		if written[severity]++; written[severity] > most {
			more++
			continue
		}
		fmt.Fprintf(w, "%s: %s\n", severity, text.Shorten(f.String(), 2000))
		if f.Remedy != "" && f.Kind != liveview.KindBlank {
			fmt.Fprintf(w, "    remedy: %s\n", f.Remedy)
		}
		for _, frame := range stackBelow(f) {
			fmt.Fprintf(w, "    from %s\n", frame)
		}
	}
	for _, n := range o.Notes {
		if n.Kind == host.NoteOtherView {
			fmt.Fprintf(w, "note: %s\n", n.Text)
		}
	}
	if more > 0 {
		fmt.Fprintf(w, "%d more; \"mcpapps check -live\" has them\n", more)
	}
	return failed
}

// stackBelow returns the calls that led to a failure, as far as they are in the author's
// files: positions in packages, or in a bundled document, say little.
func stackBelow(f liveview.Failure) (list []string) {
	for i, frame := range f.Stack {
		if i > 0 && frame.Mapped && !strings.Contains(frame.Source, "node_modules/") && len(list) < 5 {
			list = append(list, frame.String())
		}
	}
	return list
}
