package preview

import (
	"crypto/subtle"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"strings"
)

//go:embed page/index.html page/*.css page/*.svg
var pageFiles embed.FS

// pageModule is made of page/*.js by internal/viewgen.
//
//go:generate go run ../internal/viewgen ..
//go:embed page.min.js
var pageModule string

var pageTemplate = template.Must(template.ParseFS(pageFiles, "page/index.html"))

// pageHandler serves the page, its stream of events and its commands. Requests must
// name this host, so that a name that is bound to this address later (DNS rebinding)
// reaches nothing. Commands must carry the page's token, its origin and the media
// type of JSON. A page of another site can send none of the three.
func (p *Preview) pageHandler() http.Handler {
	files, _ := fs.Sub(pageFiles, "page")
	static := http.FileServerFS(files)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.servePage)
	names, _ := fs.Glob(files, "*.*")
	for _, name := range names {
		if name != "index.html" { // a template
			mux.Handle("GET /"+name, static)
		}
	}
	mux.HandleFunc("GET /app.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		io.WriteString(w, pageModule)
	})
	mux.HandleFunc("POST /commands", p.serveCommands)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		switch name, ok := strings.CutSuffix(r.Host, fmt.Sprintf("localhost:%d", p.pagePort)); {
		case ok && name == "":
			h.Set("Cross-Origin-Resource-Policy", "same-origin")
			mux.ServeHTTP(w, r)
		case ok && isLabelDot(name):
			p.serveEvents(w, r)
		case r.Host == fmt.Sprintf("127.0.0.1:%d", p.pagePort) || r.Host == fmt.Sprintf("[::1]:%d", p.pagePort):
			// The views' origins are names under localhost, so the page must be too.
			http.Redirect(w, r, p.origin+r.URL.RequestURI(), http.StatusTemporaryRedirect)
		default:
			p.log.Warn("rejected a request for another host", "host", r.Host)
			http.Error(w, "this preview is at "+p.origin+"/", http.StatusMisdirectedRequest)
		}
	})
}

// isLabelDot reports whether s is one DNS label and a dot.
func isLabelDot(s string) bool {
	label, ok := strings.CutSuffix(s, ".")
	return ok && label != "" && !strings.Contains(label, ".")
}

// ViewURL returns the address of a page that calls a tool as soon as it is opened
// and shows only the view, for a screenshot or a program that looks at it. There,
// document.documentElement.dataset has result once the call has ended, ready once
// the view is initialized, and failed with the reason if there is no view.
//
// The query may have tool (default: the first tool that opens a view), args (a JSON
// object), theme (light or dark), policy (strict or loose), locale, host (the ID of a
// host to emulate, as in package compat), and name, which [Event.Page] has in the events of this page.
//
// The address contains this run's token, so whoever has the address can call the
// server's tools. A page of another site can open addresses of the preview, but does
// not know the token.
func (p *Preview) ViewURL(query url.Values) string {
	q := maps.Clone(query)
	if q == nil {
		q = url.Values{}
	}
	q.Set("bare", p.token)
	return p.URL() + "?" + q.Encode()
}

func (p *Preview) servePage(w http.ResponseWriter, r *http.Request) {
	if q := r.URL.Query(); q.Has("bare") && !p.tokenOK(q.Get("bare")) {
		p.log.Warn("rejected an address that calls a tool without this run's token")
		http.Error(w, "an address that calls a tool needs this run's token", http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Security-Policy", fmt.Sprintf(
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' http://*.localhost:%d; frame-src http://*.localhost:%d; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		p.pagePort, p.sandboxPort))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	err := pageTemplate.Execute(w, map[string]any{
		"Token": p.token, "Port": p.pagePort,
		"Target": p.target, "MaxFile": maxFile,
	})
	if err != nil {
		p.log.Error("rendering the page failed", "error", err)
	}
}

func (p *Preview) tokenOK(got string) bool {
	return subtle.ConstantTimeCompare([]byte(got), []byte(p.token)) == 1
}

// serveCommands executes a batch of commands from the page. The page sends one
// batch at a time, so that commands keep their order.
func (p *Preview) serveCommands(w http.ResponseWriter, r *http.Request) {
	mt, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case r.Header.Get("Origin") != p.origin:
		p.log.Warn("rejected a command from another origin", "origin", r.Header.Get("Origin"))
		http.Error(w, "only the preview's own page may send commands", http.StatusForbidden)
		return
	case mt != "application/json":
		http.Error(w, "commands must be application/json", http.StatusUnsupportedMediaType)
		return
	case !p.tokenOK(r.Header.Get("Mcpapps-Token")):
		p.log.Warn("rejected a command without the page's token")
		http.Error(w, "the token is not of this run: reload the page", http.StatusForbidden)
		return
	}
	const maxBody = 64 << 20
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "the commands are too large", http.StatusRequestEntityTooLarge)
		return
	}
	t := p.tab(r.Header.Get("Mcpapps-Tab"))
	if t == nil {
		http.Error(w, "this tab is not connected", http.StatusGone)
		return
	}
	var commands []json.RawMessage
	if err := json.Unmarshal(body, &commands); err != nil {
		http.Error(w, "commands must be an array of objects", http.StatusBadRequest)
		return
	}
	for _, c := range commands {
		if err := t.do(c); err != nil {
			t.send(map[string]any{"type": "error", "text": err.Error()})
		}
	}
	w.WriteHeader(http.StatusNoContent)
}
