package preview

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/host"
)

// TestMain runs one of the servers that the tests start as a command, if
// PREVIEW_TEST_SERVER names its mode.
func TestMain(m *testing.M) {
	switch os.Getenv("PREVIEW_TEST_SERVER") {
	case "banner":
		serve()
		os.Exit(0)
	case "locks":
		serveLocked()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// testCommand returns a target that runs this binary as a server.
func testCommand(t *testing.T, mode string) host.Target {
	self, err := os.Executable()
	require.NoError(t, err)
	return host.Target{Command: []string{self}, Env: []string{"PREVIEW_TEST_SERVER=" + mode}}
}

// lockingCommand returns a command that listens on an address while it runs, and takes
// 100 ms to exit. A second process of it fails meanwhile.
func lockingCommand(t *testing.T) host.Target {
	target := testCommand(t, "locks")
	target.Env = append(target.Env, "PREVIEW_TEST_LOCK="+lockAddress(t))
	return target
}

// lockAddress returns an address that one process at a time can listen on. Linux has
// names for it, which nothing else on the machine uses. Elsewhere it is a free port.
func lockAddress(t *testing.T) string {
	if runtime.GOOS == "linux" {
		return "unix @mcpapps-test-" + rand.Text()
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return "tcp " + l.Addr().String()
}

// serveLocked serves while it listens on the address in PREVIEW_TEST_LOCK.
func serveLocked() {
	network, address, _ := strings.Cut(os.Getenv("PREVIEW_TEST_LOCK"), " ")
	lock, err := net.Listen(network, address)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(9)
	}
	defer lock.Close()
	_ = testServer().Run(context.Background(), &mcp.StdioTransport{})
	time.Sleep(100 * time.Millisecond)
}

// serve serves without the SDK, and prints a banner on standard output first.
func serve() {
	fmt.Println("Welcome to the server v1")
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var req struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(in.Bytes(), &req) != nil || req.ID == nil {
			continue
		}
		switch req.Method {
		case "initialize":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"raw","version":"1"}}}`+"\n", req.ID)
		case "tools/list":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"raw","inputSchema":{"type":"object"}}]}}`+"\n", req.ID)
		default:
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`+"\n", req.ID)
		}
	}
}

const initializeParams = `{"appInfo":{"name":"v","version":"1"},"appCapabilities":%s,"protocolVersion":"2026-01-26"}`

func ui(fields map[string]any) mcp.Meta { return mcp.Meta{"ui": fields} }

// testServer returns a server with the tool "both", which opens a view, and the tool
// "missing-view", whose view does not exist.
func testServer() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "t", Version: "1"}, nil)
	add := func(name, uri string) {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"number"}}}`), Meta: ui(map[string]any{"resourceUri": uri})},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: name}}}, nil
			})
	}
	add("both", "ui://t/view.html")
	add("missing-view", "ui://t/none.html")
	s.AddResource(&mcp.Resource{URI: "ui://t/view.html", Name: "view", MIMEType: "text/html;profile=mcp-app"}, appHandler("<!doctype html><title>v</title>", nil))
	return s
}

// appHandler serves text as a view's document. If meta is not nil, it is the content
// item's _meta.ui.
func appHandler(text string, meta map[string]any) mcp.ResourceHandler {
	return func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		c := &mcp.ResourceContents{URI: req.Params.URI, MIMEType: "text/html;profile=mcp-app", Text: text}
		if meta != nil {
			c.Meta = ui(meta)
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{c}}, nil
	}
}
