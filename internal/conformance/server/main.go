// Server is an MCP server with the tools, resources and prompts that the server
// scenarios of @modelcontextprotocol/conformance use. Its tools are registered
// through mcpapps, or with -mode bare through the SDK alone, so that the results
// of the two can be compared.
package main

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	mode := flag.String("mode", "apps", "bare: the SDK alone; apps: through mcpapps; options: with each other option set; off: with DisableApps")
	stateless := flag.Bool("stateless", false, "keep no sessions")
	flag.Parse()
	server, err := newServer(*mode)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fatal(err)
	}
	fmt.Printf("http://%s\n", listener.Addr())
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: *stateless})
	fatal(http.Serve(listener, handler))
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
