package htmlscan

import "strings"

// A ScriptType is what a browser takes the text of a script element for.
type ScriptType int

const (
	DataBlock ScriptType = iota // not run
	ClassicScript
	ModuleScript
	ImportMap
)

// ScriptType returns the type of the script element that has these attributes
// ("prepare the script element" in the HTML standard). It ignores nomodule.
func (as Attributes) ScriptType() ScriptType {
	written, ok := as.Lookup("type")
	if language, has := as.Lookup("language"); !ok && has && language != "" {
		written = "text/" + language
	} else if written == "" {
		return ClassicScript
	}
	switch Lower(strings.Trim(written, spaces)) {
	case "module":
		return ModuleScript
	case "importmap":
		return ImportMap
	case "text/javascript", "application/javascript", "application/ecmascript", "application/x-ecmascript",
		"application/x-javascript", "text/ecmascript", "text/x-ecmascript", "text/x-javascript", "text/jscript",
		"text/livescript", "text/javascript1.0", "text/javascript1.1", "text/javascript1.2", "text/javascript1.3",
		"text/javascript1.4", "text/javascript1.5":
		return ClassicScript
	}
	return DataBlock
}
