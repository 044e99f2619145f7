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
