package mcpapps_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The view is static, so it may be shown to anybody; what it shows comes from the tool.
var reportView = mcpapps.View{
	Resource: mcp.Resource{URI: "ui://report/view.html"},
	Document: mcpapps.HTML("<!doctype html><title>Report</title>"),
}

func reportServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "report", Version: "v1.0.0"}, nil)
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "show_report"}, reportView, weather)
	mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "refresh"}, mcpapps.AppOnly(""), weather)
	return s
}

func verifyToken(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	if token != "secret" {
		return nil, auth.ErrInvalidToken
	}
	return &auth.TokenInfo{UserID: "ada", Expiration: time.Now().Add(time.Hour)}, nil
}

// Behind the SDK's bearer middleware, one token is needed for all that a host does on
// one endpoint: to list tools, to read a view's document, and to call a tool for the
// view. The library adds no way around it.
func Example_bearerToken() {
	for _, stateless := range []bool{false, true} {
		s := reportServer()
		endpoint := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: stateless, JSONResponse: true})
		web := httptest.NewServer(auth.RequireBearerToken(verifyToken, nil)(endpoint))
		fmt.Println("stateless:", stateless)
		for _, token := range []string{"", "stolen", "secret"} {
			c := &httpHost{url: web.URL, token: token}
			c.open()
			fmt.Printf("  token %q: list %s, read %s, call %s\n", token,
				c.post("tools/list", `{}`), c.post("resources/read", `{"uri":"ui://report/view.html"}`), c.post("tools/call", `{"name":"refresh"}`))
		}
		web.Close()
	}
	// Output:
	// stateless: false
	//   token "": list 401, read 401, call 401
	//   token "stolen": list 401, read 401, call 401
	//   token "secret": list done, read done, call done
	// stateless: true
	//   token "": list 401, read 401, call 401
	//   token "stolen": list 401, read 401, call 401
	//   token "secret": list done, read done, call done
}

// To let documents be read without a token, on purpose, serve them from a server of
// their own, which has nothing else. A request is sent there only if it has no token and
// reads one of them, so that every other request is still answered with 401, by which
// hosts learn that they must log in.
//
// The risk is what the documents hold: anybody can read them, and shared caches may keep
// them. So a document that depends on the user, or that has a secret in its script, must
// not be registered there. A mistake in the routing reveals no more than the documents.
func Example_publicDocuments() {
	public := mcp.NewServer(&mcp.Implementation{Name: "report", Version: "v1.0.0"}, nil)
	mcpapps.RegisterAppResource(public, &reportView.Resource, reportView.UI, reportView.Document)
	uris := []string{reportView.Resource.URI}

	for _, stateless := range []bool{false, true} {
		s := reportServer()
		private := auth.RequireBearerToken(verifyToken, nil)(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
			&mcp.StreamableHTTPOptions{Stateless: stateless, JSONResponse: true}))
		documents := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return public },
			&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") == "" && readsOneOf(r, uris) {
				documents.ServeHTTP(w, r)
				return
			}
			private.ServeHTTP(w, r)
		}))
		fmt.Println("stateless:", stateless)
		for _, token := range []string{"", "stolen", "secret"} {
			c := &httpHost{url: web.URL, token: token}
			c.open()
			fmt.Printf("  token %q: list %s, read %s, read another %s, call %s\n", token,
				c.post("tools/list", `{}`), c.post("resources/read", `{"uri":"ui://report/view.html"}`),
				c.post("resources/read", `{"uri":"ui://report/users.html"}`), c.post("tools/call", `{"name":"refresh"}`))
		}
		web.Close()
	}
	// Output:
	// stateless: false
	//   token "": list 401, read done, read another 401, call 401
	//   token "stolen": list 401, read 401, read another 401, call 401
	//   token "secret": list done, read done, read another not found, call done
	// stateless: true
	//   token "": list 401, read done, read another 401, call 401
	//   token "stolen": list 401, read 401, read another 401, call 401
	//   token "secret": list done, read done, read another not found, call done
}

// readsOneOf reports whether a request is one resources/read of one of the URIs. The
// request can be handled as before.
func readsOneOf(r *http.Request, uris []string) bool {
	const most = 64 << 10 // a read is small
	body, err := io.ReadAll(io.LimitReader(r.Body, most))
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body), r.Body), r.Body}
	var msg struct {
		Method string
		Params struct{ URI string }
	}
	return err == nil && r.Method == http.MethodPost && json.Unmarshal(body, &msg) == nil &&
		msg.Method == "resources/read" && slices.Contains(uris, msg.Params.URI)
}

// An httpHost sends requests as a host of protocol version 2025-11-25 does.
type httpHost struct{ url, token, session string }

// open begins a session, if the server has them and lets this client in.
func (c *httpHost) open() {
	c.post("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"host","version":"1"}}`)
}

// post sends one request and returns what was answered.
func (c *httpHost) post(method, params string) string {
	req, err := http.NewRequest(http.MethodPost, c.url, strings.NewReader(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)))
	if err != nil {
		log.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	if c.session != "" {
		req.Header.Set("Mcp-Session-Id", c.session)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		log.Fatal(err)
	}
	defer res.Body.Close()
	if id := res.Header.Get("Mcp-Session-Id"); id != "" {
		c.session = id
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Sprint(res.StatusCode)
	}
	var msg struct{ Error any }
	if err := json.NewDecoder(res.Body).Decode(&msg); err != nil {
		log.Fatal(err)
	}
	if msg.Error != nil {
		return "not found"
	}
	return "done"
}
