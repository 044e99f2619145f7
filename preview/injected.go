package preview

import (
	"bytes"
	"net/http"

	"github.com/mcpapps-go/mcpapps/internal/inject"
)

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
		body, _ = inject.Into(body, v.preview.script)
	}
	w.WriteHeader(max(kept.status, http.StatusOK))
	_, _ = w.Write([]byte(body))
}
