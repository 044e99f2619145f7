// Data has the programs of docs/data.md, one in each of the other files. The name of
// the file chooses one:
//
//	go run ./cmd/mcpapps preview -- go run ./examples/data pages
package main

import (
	"context"
	"embed"
	"log"
	"os"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

//go:embed ui
var ui embed.FS

var programs = map[string]func(*mcp.Server){
	"result": addSales, "pages": addStations, "state": addBoard, "live": addLoad, "form": addInvitation,
}

// serverOf returns the server of a program.
func serverOf(name string) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: name, Version: "v1.0.0"}, nil)
	programs[name](server)
	return server
}

// page returns the view of a program.
func page(name string) mcpapps.View {
	return mcpapps.View{
		Resource: mcp.Resource{URI: "ui://data/" + name + ".html", Name: name},
		Document: bundle.Handler(ui, "ui/"+name+".html", nil),
	}
}

func main() {
	if len(os.Args) != 2 || programs[os.Args[1]] == nil {
		log.Fatal("usage: data result|pages|state|live|form")
	}
	if err := serverOf(os.Args[1]).Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Fatal(err)
	}
}
