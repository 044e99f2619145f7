package devenv

import (
	"encoding/json"
	"strings"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// FilesKey is the key, in the _meta of a bundle's content item, of the files on disk
// that the document was made of: absolute paths, given where Sources is set. After an
// edit of one of them the document is read again. Any other file that a program
// embeds is read only when the program is built.
const FilesKey = "io.github.mcpapps-go/files"

// ErrorKey is the key, in the data of a JSON-RPC error, of the problem for which a
// bundle can't be made, given where Sources is set. Its value is a [BuildError].
const ErrorKey = "io.github.mcpapps-go/buildError"

// A BuildError is the first problem of a bundle or of a build.
type BuildError struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`   // from 1
	Column int    `json:"column,omitempty"` // from 1
	Text   string `json:"text"`             // of all problems, one a line
	// Excerpt is the lines around the place, and ExcerptLine the one that is meant,
	// from 1.
	Excerpt     []string `json:"excerpt,omitempty"`
	ExcerptLine int      `json:"excerptLine,omitempty"`
}

// Bounds of an excerpt.
const (
	excerptAround = 2   // lines before and after
	excerptWidth  = 200 // bytes of a line
)

// SetExcerpt sets the excerpt of the file's source around the line.
func (e *BuildError) SetExcerpt(source string) {
	e.Excerpt, e.ExcerptLine = nil, 0
	n := 0
	for line := range strings.Lines(source) {
		switch n++; {
		case n > e.Line+excerptAround:
			return
		case e.Line > 0 && n >= e.Line-excerptAround:
			e.Excerpt = append(e.Excerpt, text.Shorten(strings.TrimRight(line, "\r\n"), excerptWidth))
			if n == e.Line {
				e.ExcerptLine = len(e.Excerpt)
			}
		}
	}
	if e.ExcerptLine == 0 { // the line is beyond the end
		e.Excerpt = nil
	}
}

// A BuildFailure is the error of a read whose document could not be made. The
// JSON-RPC error gets its data.
type BuildFailure struct {
	Err   error
	Build BuildError
}

func (f *BuildFailure) Error() string { return f.Err.Error() }

// Unwrap returns the error of the bundler.
func (f *BuildFailure) Unwrap() error { return f.Err }

// Data returns the data of the JSON-RPC error.
func (f *BuildFailure) Data() json.RawMessage {
	data, _ := json.Marshal(map[string]any{ErrorKey: f.Build})
	return data
}
