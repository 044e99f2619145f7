package main

import (
	"io"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// process is where a server's process writes its standard error: as it is, with
// the colours that its author expects.
func (s stdio) process() io.Writer {
	if w, ok := s.err.(*text.Writer); ok {
		return w.Unwrap()
	}
	return s.err
}
