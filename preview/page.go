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

//go:embed page
var pageFiles embed.FS

var pageTemplate = template.Must(template.ParseFS(pageFiles, "page/index.html"))

// pageHandler handles the page's listener: the page itself, its one stream of
// events, and its commands. Requests must name this host, so that a name that was
// bound to this address later (DNS rebinding) reaches nothing, and commands must
// carry the page's token, its origin and JSON, none of which a page of another
// site can send.
func (p *Preview) pageHandler() http.Handler {
	files, _ := fs.Sub(pageFiles, "page")
	static := http.FileServerFS(files)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.servePage)
	names, _ := fs.Glob(files, "*.*")
	for _, name := range names {
		if name != "index.html" { // that is a template
			mux.Handle("GET /"+name, static)
		}
	}
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
			// The views' origins are names under localhost, and so is the page's.
			http.Redirect(w, r, p.origin+r.URL.RequestURI(), http.StatusTemporaryRedirect)
		default:
			p.log.Warn("refused a request for another host", "host", r.Host)
			http.Error(w, "this preview is at "+p.origin+"/", http.StatusMisdirectedRequest)
		}
	})
}

// isLabelDot reports whether s is one DNS label and a dot.
func isLabelDot(s string) bool {
	label, ok := strings.CutSuffix(s, ".")
	return ok && label != "" && !strings.Contains(label, ".")
}

// ViewURL returns the address of a page that calls a tool as soon as it is
// opened and shows the view alone, for a picture or a program that looks at it:
// document.documentElement.dataset there has result and ready once the call and
// the view are, or failed with the reason why not. The query may have tool (the
// first that opens a view), args (a JSON object), theme (light or dark), policy
// (strict or loose), locale, and a name that [Event.Page] has in the events of
// this page.
//
// The address holds this run's token, since whoever has it can call the server's
// tools: a page of another site can open addresses, but has no token.
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
		p.log.Warn("refused an address that calls a tool without this run's token")
		http.Error(w, "an address that calls a tool has this run's token", http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Security-Policy", fmt.Sprintf(
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' http://*.localhost:%d; frame-src http://*.localhost:%d; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		p.pagePort, p.sandboxPort))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	err := pageTemplate.Execute(w, map[string]any{
		"Token": p.token, "Port": p.pagePort,
		"Target": p.target,
	})
	if err != nil {
		p.log.Error("the page could not be made", "error", err)
	}
}

func (p *Preview) tokenOK(got string) bool {
	return subtle.ConstantTimeCompare([]byte(got), []byte(p.token)) == 1
}

// serveCommands takes a batch of commands from the page. The page sends one
// batch at a time, so that their order is kept.
func (p *Preview) serveCommands(w http.ResponseWriter, r *http.Request) {
	mt, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case r.Header.Get("Origin") != p.origin:
		p.log.Warn("refused a command from another origin", "origin", r.Header.Get("Origin"))
		http.Error(w, "commands come from the page itself", http.StatusForbidden)
		return
	case mt != "application/json":
		http.Error(w, "commands are application/json", http.StatusUnsupportedMediaType)
		return
	case !p.tokenOK(r.Header.Get("Mcpapps-Token")):
		p.log.Warn("refused a command without the page's token")
		http.Error(w, "the token is of another run: load the page again", http.StatusForbidden)
		return
	}
	const most = 64 << 20
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
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
		http.Error(w, "commands are an array of objects", http.StatusBadRequest)
		return
	}
	for _, c := range commands {
		if err := t.do(c); err != nil {
			t.send(map[string]any{"type": "error", "text": err.Error()})
		}
	}
	w.WriteHeader(http.StatusNoContent)
}
