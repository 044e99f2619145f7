// Package devenv names what the preview and the check tell a server that they
// start, through its environment, and what it tells them in return.
package devenv

const (
	// SourceMaps is a variable of the environment. If it is "1", a bundle's content
	// item carries its source map in _meta, under MapKey.
	SourceMaps = "MCPAPPS_SOURCE_MAPS"
	// Sources is a variable of the environment: the folders, joined as in PATH, that
	// have the files which the program embeds. Bundles are then made of the files on
	// disk.
	Sources = "MCPAPPS_SOURCES"
)

// MapKey is the key of a bundle's source map in the _meta of its content item. Its
// value is a source map (ECMA-426) of the whole document, with sections.
const MapKey = "io.github.mcpapps-go/sourceMap"

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
