// Package inject puts a script into the documents of the preview's views, by which its
// page learns what a document writes to the console and what fails in it. The script
// changes nothing in the document, and positions in the document that was served are
// turned back into those in the document as it was.
package inject

import (
	_ "embed"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/mcpapps-go/mcpapps/internal/htmlscan"
)

//go:embed console.js
var consoleSource string

//go:embed blank.js
var blankSource string

// IsBlank returns a function of JavaScript that reports whether its document shows
// nothing: no text, picture, control or color.
func IsBlank() string { return oneLine(blankSource) }

// oneLine joins the lines of a script and leaves out those with comments.
func oneLine(source string) string {
	var code strings.Builder
	for line := range strings.Lines(source) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			code.WriteString(line)
			code.WriteByte(' ')
		}
	}
	return code.String()
}

// Script returns the element that is put into documents. It posts to the page at an
// origin that frames the frame of the document, and looks for something to be seen some
// time after the result. It is one line, so that the lines of the document stay, and
// ASCII. A source map tells the browser's developer tools that the lines in it are not
// the author's, so that they name the caller of the console.
func Script(pageOrigin string, blank time.Duration) string {
	script := strings.NewReplacer("{page}", pageOrigin, "{blank}", strconv.FormatInt(blank.Milliseconds(), 10), "{isBlank}", IsBlank()).Replace(oneLine(consoleSource))
	// {"version":3,"sources":["mcpapps-preview.js"],"mappings":"AAAA","ignoreList":[0],"x_google_ignoreList":[0]}
	const ignore = "eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbIm1jcGFwcHMtcHJldmlldy5qcyJdLCJtYXBwaW5ncyI6IkFBQUEiLCJpZ25vcmVMaXN0IjpbMF0sInhfZ29vZ2xlX2lnbm9yZUxpc3QiOlswXX0="
	return "<script>" + script + "//# sourceMappingURL=data:application/json;base64," + ignore + "</script>"
}

// offset returns the offset in a document at which a script element that removes
// itself leaves the same document: before the first token that stands in the head or
// after it.
func offset(doc string) int {
	at := 0
	for token := range htmlscan.Tokens(doc) {
		at = token.Start
		switch token.Kind {
		case htmlscan.ByteOrderMark, htmlscan.Doctype, htmlscan.Comment:
			continue
		case htmlscan.Text:
			// The parser drops white space here. It keeps white space that follows a script.
			if n := len(token.Inner) - len(strings.TrimLeft(token.Inner, "\t\n\f\r ")); n < len(token.Inner) {
				return token.InnerStart + n
			}
			continue
		case htmlscan.StartTag:
			switch token.Name {
			case "html":
				continue
			case "head":
				return token.End
			}
		}
		return at
	}
	return len(doc)
}

// A Place is where a script was put into a document, and how it moves what follows. Lines and columns count from 1, columns in UTF-16 units, as browsers count.
type Place struct {
	line, column int
	length       int
}

// Into puts a script into a document.
func Into(doc, script string) (string, Place) {
	at := offset(doc)
	before := doc[:at]
	in := Place{line: 1 + strings.Count(before, "\n"), length: len(script)}
	// Browsers end a line at CR, too.
	in.line += strings.Count(before, "\r") - strings.Count(before, "\r\n")
	start := strings.LastIndexAny(before, "\r\n") + 1
	in.column = 1 + len(utf16.Encode([]rune(strings.TrimPrefix(before[start:], "\ufeff"))))
	return before + script + doc[at:], in
}

// Undo returns where a position stands in the document without the script. ok is false
// for one in the script.
func (in Place) Undo(line, column int) (int, int, bool) {
	switch {
	case line != in.line || column < in.column:
		return line, column, true
	case column < in.column+in.length:
		return 0, 0, false
	}
	return line, column - in.length, true
}
