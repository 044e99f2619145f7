package main

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An entry is a tool at an endpoint: whose it is, and what that backend calls it.
type entry struct {
	backend   *backend
	name      string
	viewsOnly bool // the model does not see it
	refused   bool // not at this endpoint
}

// A catalog has the tools of an endpoint, by the names that they have there.
type catalog struct {
	list    []*mcp.Tool
	entries map[string]entry
}

// tools lists the tools of all backends for clients of one kind.
//
// A tool keeps its name, which views use too, unless two backends have it: both are
// then listed as BACKEND__NAME. A name that might be taken for such a one is prefixed
// too, so that no backend can take the name of another's tool. At the common endpoint a
// view may call no tool, see the comment of the package: tools that only views call are
// left out there and the others are listed for the model only. With trust this applies
// only to prefixed names, which views do not know.
func (f *front) tools(ctx context.Context, s mcpapps.Support) catalog {
	lists := make([][]*host.Tool, len(f.backends))
	var listing sync.WaitGroup
	for i, b := range f.backends {
		listing.Go(func() { lists[i] = b.forLists(s).listTools(ctx) })
	}
	listing.Wait()
	count := make(map[string]int)
	for _, list := range lists {
		for _, t := range list {
			count[t.Tool.Name]++
		}
	}
	c := catalog{list: []*mcp.Tool{}, entries: make(map[string]entry)}
	for i, b := range f.backends {
		for _, t := range lists[i] {
			tool := f.renamer(b).Tool(t.Tool)
			e := entry{backend: b, name: tool.Name, viewsOnly: !mcpapps.VisibleTo(tool, mcpapps.VisibilityModel)}
			prefixed := f.common && (count[tool.Name] > 1 || strings.Contains(tool.Name, "__"))
			if prefixed {
				tool.Name = b.name + "__" + tool.Name
			}
			if prefixed || f.common && !f.trust {
				e.refused = e.viewsOnly
				forModel(tool)
			}
			if _, twice := c.entries[tool.Name]; twice {
				continue // its backend has listed it before
			}
			c.entries[tool.Name] = e
			if !e.refused {
				c.list = append(c.list, tool)
			}
		}
	}
	return c
}

// forModel makes hosts refuse a tool to views. tool is this program's copy, and so is
// its Meta.
func forModel(tool *mcp.Tool) {
	delete(tool.Meta, "openai/widgetAccessible") // what "app" is to the hosts before MCP Apps
	ui, _ := tool.Meta["ui"].(map[string]any)
	ui = maps.Clone(ui)
	if ui == nil {
		ui = make(map[string]any)
	}
	if tool.Meta == nil {
		tool.Meta = make(mcp.Meta)
	}
	ui["visibility"] = []any{string(mcpapps.VisibilityModel)}
	tool.Meta["ui"] = ui
}

// find finds a tool by the name that it has at this endpoint. It looks into the newest
// list of the client's kind, so that a backend that hangs does not delay calls of
// another's tools.
func (f *front) find(ctx context.Context, s mcpapps.Support, name string) (entry, error) {
	e, ok := f.listed(s).entries[name]
	if !ok {
		e, ok = f.list(ctx, s).entries[name]
	}
	if !ok {
		return entry{}, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown tool %q", name)}
	}
	if e.refused {
		return entry{}, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(
			"the tool %q is for views of the backend %q only, which the gateway can't tell from views of others here: connect the host to /mcp/%s", name, e.backend.name, e.backend.name)}
	}
	return e, nil
}

// list is tools, and keeps the result.
func (f *front) list(ctx context.Context, s mcpapps.Support) catalog {
	f.mu.Lock()
	version := f.version
	f.mu.Unlock()
	c := f.tools(ctx, s)
	f.mu.Lock()
	defer f.mu.Unlock()
	if version == f.version { // else a change was announced meanwhile
		f.catalogs[s] = c
	}
	return c
}

func (f *front) listed(s mcpapps.Support) catalog {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.catalogs[s]
}
