package main

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"log"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/host"
)

// A chat is the page of one user and the views that are open on it.
type chat struct {
	server             *host.Connection
	pageHost, viewHost string

	mu    sync.Mutex
	views map[string]*view
}

// A view is an open view: its bridge, and the messages that are queued for it.
type view struct {
	bridge *host.Bridge
	toView chan json.RawMessage
}

func newChat(server *host.Connection, pageHost, viewHost string) *chat {
	return &chat{server: server, pageHost: pageHost, viewHost: viewHost, views: make(map[string]*view)}
}

//go:embed page.html
var pageHTML string

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// page serves the user's page. Other sites can neither frame it nor send requests
// to it. A front end that another origin serves needs four changes: trust its origin
// with [http.CrossOriginProtection.AddTrustedOrigin], answer with
// Access-Control-Allow-Origin (examples/monitor does both), move frame-src to that
// page's own policy, and pass its origin to [host.SandboxHandler].
func (c *chat) page() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", c.show)
	mux.HandleFunc("POST /open", c.open)
	mux.HandleFunc("GET /to-view/{name}", c.toView)
	mux.HandleFunc("POST /from-view/{name}", c.fromView)
	sameSite := http.NewCrossOriginProtection().Handler(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != c.pageHost { // DNS rebinding: another site's name for this address
			http.Error(w, "this page is at http://"+c.pageHost, http.StatusMisdirectedRequest)
			return
		}
		// Only frame-src prevents a view from navigating its frame to another site.
		w.Header().Set("Content-Security-Policy", "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'unsafe-inline'; "+
			"frame-src http://*."+c.viewHost+"; frame-ancestors 'none'")
		sameSite.ServeHTTP(w, r)
	})
}

// sandbox serves the views, each at http://NAME.localhost.
func (c *chat) sandbox() http.Handler {
	return host.SandboxHandler("http://"+c.pageHost, func(r *http.Request) *host.Bridge {
		name, ok := strings.CutSuffix(r.Host, "."+c.viewHost)
		if v := c.view(name); ok && v != nil {
			return v.bridge
		}
		return nil
	}, nil)
}

func (c *chat) view(name string) *view {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.views[name]
}

// show lists the tools that open a view. The server chooses their names, so the
// template escapes them.
func (c *chat) show(w http.ResponseWriter, r *http.Request) {
	tools, err := c.server.Tools(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	type option struct{ Name, Arguments string }
	var options []option
	for _, t := range tools {
		if mcpapps.VisibleTo(t.Tool, mcpapps.VisibilityModel) && t.UI.ResourceURI != "" {
			options = append(options, option{t.Tool.Name, requiredArguments(t.InputSchemaJSON())})
		}
	}
	if err := pageTemplate.Execute(w, options); err != nil {
		log.Print(err)
	}
}

// open calls a tool and sends the page what it needs to frame the view.
func (c *chat) open(w http.ResponseWriter, r *http.Request) {
	var call struct {
		Tool      string
		Arguments json.RawMessage
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&call); err != nil {
		http.Error(w, "the arguments must be a JSON object: "+err.Error(), http.StatusBadRequest)
		return
	}
	v := &view{toView: make(chan json.RawMessage, 100)}
	name := strings.ToLower(rand.Text())
	bridge, err := c.server.Open(context.WithoutCancel(r.Context()), call.Tool, call.Arguments, c.options(name, v))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	v.bridge = bridge
	app, err := bridge.WaitApp(r.Context())
	if err != nil {
		bridge.Close(context.Background(), err)
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	c.mu.Lock()
	c.views[name] = v
	c.mu.Unlock()
	bridge.Attach(host.TransportFunc(func(msg json.RawMessage) error {
		select {
		case v.toView <- msg:
			return nil
		case <-bridge.Done():
			return host.ErrClosed
		}
	}))
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]string{
		"name": name, "origin": "http://" + name + "." + c.viewHost,
		"sandbox": host.SandboxAttribute, "allow": app.UI.Permissions.Allow(),
	})
}

// options returns what this host supports. The bridge declares no capability for
// anything that is left out.
func (c *chat) options(name string, v *view) *host.BridgeOptions {
	return &host.BridgeOptions{
		OpenLink: func(_ context.Context, link *url.URL) error {
			fmt.Println("a view asks to open", link) // a real host asks the user
			return errors.New("this host does not open links")
		},
		UpdateModelContext: func(_ context.Context, m *host.ModelContext) error {
			fmt.Printf("for the model's next turn: %s\n", m.Raw)
			return nil
		},
		Trace: func(e host.TraceEntry) {
			if e.Direction == host.Note && e.Level != host.LevelInfo {
				log.Print(e.Text)
			}
		},
		Closed: func(error) {
			c.mu.Lock()
			defer c.mu.Unlock()
			delete(c.views, name)
		},
	}
}

// toView streams a view's messages to the page until the page removes the view's
// frame. Then it closes the view.
func (c *chat) toView(w http.ResponseWriter, r *http.Request) {
	v := c.view(r.PathValue("name"))
	if v == nil {
		http.NotFound(w, r)
		return
	}
	defer v.bridge.Close(r.Context(), errors.New("the page was closed"))
	w.Header().Set("Content-Type", "text/event-stream")
	flush := http.NewResponseController(w)
	for flush.Flush() == nil {
		select {
		case msg := <-v.toView:
			line, _ := json.Marshal(msg) // compact: a line break from the server would end the event
			fmt.Fprintf(w, "data: %s\n\n", line)
		case <-v.bridge.Done():
			return
		case <-r.Context().Done():
			return
		}
	}
}

// fromView passes one message from a view to its bridge.
func (c *chat) fromView(w http.ResponseWriter, r *http.Request) {
	v := c.view(r.PathValue("name"))
	msg, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4<<20))
	if v == nil || err != nil {
		http.Error(w, "no such view, or the message is longer than 4 MiB", http.StatusBadRequest)
		return
	}
	v.bridge.Receive(msg)
}
