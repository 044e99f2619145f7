package preview

import (
	"bytes"
	_ "embed"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/mcpapps-go/mcpapps/internal/htmlscan"
)

//go:embed inject/console.js
var consoleSource string

// consoleScript returns the element that is put into the documents of a page's views.
// It is one line, so that the lines of the document stay, and ASCII. A source map tells
// the browser's developer tools that the lines in it are not the author's, so that they
// name the caller of the console.
func consoleScript(pageOrigin string, blank time.Duration) string {
	var code strings.Builder
	for line := range strings.Lines(consoleSource) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			code.WriteString(line)
			code.WriteByte(' ')
		}
	}
	script := strings.NewReplacer("{page}", pageOrigin, "{blank}", strconv.FormatInt(blank.Milliseconds(), 10)).Replace(code.String())
	// {"version":3,"sources":["mcpapps-preview.js"],"mappings":"AAAA","ignoreList":[0],"x_google_ignoreList":[0]}
	const ignore = "eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbIm1jcGFwcHMtcHJldmlldy5qcyJdLCJtYXBwaW5ncyI6IkFBQUEiLCJpZ25vcmVMaXN0IjpbMF0sInhfZ29vZ2xlX2lnbm9yZUxpc3QiOlswXX0="
	return "<script>" + script + "//# sourceMappingURL=data:application/json;base64," + ignore + "</script>"
}

// scriptOffset returns the offset in a document at which a script element that removes
// itself leaves the same document: before the first token that stands in the head or
// after it.
func scriptOffset(doc string) int {
	at := 0
	for token := range htmlscan.Tokens(doc) {
		at = token.Start
		switch token.Kind {
		case htmlscan.ByteOrderMark, htmlscan.Doctype, htmlscan.Comment:
			continue
		case htmlscan.Text:
			// White space here is no part of the document. It is if it follows a script.
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

// An injection is where a script was put into a document, and how it moves what
// follows. Lines and columns count from 1, columns in UTF-16 units, as browsers count.
type injection struct {
	line, column int
	length       int
}

// inject puts a script into a document.
func inject(doc, script string) (string, injection) {
	at := scriptOffset(doc)
	before := doc[:at]
	in := injection{line: 1 + strings.Count(before, "\n"), length: len(script)}
	// Browsers end a line at CR, too.
	in.line += strings.Count(before, "\r") - strings.Count(before, "\r\n")
	start := strings.LastIndexAny(before, "\r\n") + 1
	in.column = 1 + len(utf16.Encode([]rune(strings.TrimPrefix(before[start:], "\ufeff"))))
	return before + script + doc[at:], in
}

// undo returns where a position stands in the document without the script. ok is false
// for one in the script.
func (in injection) undo(line, column int) (int, int, bool) {
	switch {
	case line != in.line || column < in.column:
		return line, column, true
	case column < in.column+in.length:
		return 0, 0, false
	}
	return line, column - in.length, true
}

// A documentWriter keeps a response, to change the document in it.
type documentWriter struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (w *documentWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *documentWriter) Write(data []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(data)
}

// serveInjected serves a view's document with the script of the page's console.
func (v *view) serveInjected(sandbox http.Handler, w http.ResponseWriter, r *http.Request) {
	kept := &documentWriter{ResponseWriter: w}
	sandbox.ServeHTTP(kept, r)
	body := kept.body.String()
	if kept.status == http.StatusOK {
		body, _ = inject(body, v.preview.script)
	}
	w.WriteHeader(max(kept.status, http.StatusOK))
	_, _ = w.Write([]byte(body))
}
