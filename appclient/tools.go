package appclient

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/text"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ListOptions are the options of [ListToolsForModel].
type ListOptions struct {
	// MaxTools limits how many tools the server may list, including those that
	// the model may not see. More are an error. Zero or less means 100,000.
	MaxTools int
	// Timeout limits the whole listing, in addition to the context. Zero or less
	// means 60 seconds.
	Timeout time.Duration
}

const (
	defaultMaxTools    = 100_000
	defaultListTimeout = 60 * time.Second
)

// ListToolsForModel lists all pages of the server's tools and returns those that
// the model may see, as [ModelTools] does (MCP Apps, Visibility). A repeated
// cursor, more tools or pages than MaxTools, and a timeout are errors, without a
// partial result. opts may be nil.
//
// The SDK may cache the tools: copy a tool before changing it.
func ListToolsForModel(ctx context.Context, cs *mcp.ClientSession, opts *ListOptions) ([]*mcp.Tool, error) {
	var o ListOptions
	if opts != nil {
		o = *opts
	}
	if o.MaxTools <= 0 {
		o.MaxTools = defaultMaxTools
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultListTimeout
	}
	if cs == nil {
		return nil, errors.New("appclient.ListToolsForModel: the session is nil: pass the one that Client.Connect returned")
	}
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	tools, err := within(ctx, func() ([]*mcp.Tool, error) { return listForModel(ctx, cs, o.MaxTools) })
	if err != nil {
		return nil, fmt.Errorf("appclient.ListToolsForModel: %w", err)
	}
	return tools, nil
}

func listForModel(ctx context.Context, cs *mcp.ClientSession, maxTools int) ([]*mcp.Tool, error) {
	var model []*mcp.Tool
	listed := 0
	// Hashes, because the server chooses the length of its cursors.
	seen := make(map[[sha256.Size]byte]bool)
	params := &mcp.ListToolsParams{}
	for {
		res, err := cs.ListTools(ctx, params)
		if err != nil {
			return nil, err
		}
		if listed += len(res.Tools); listed > maxTools {
			return nil, fmt.Errorf("the server lists more than %d tools", maxTools)
		}
		for _, t := range res.Tools {
			if mcpapps.VisibleTo(t, mcpapps.VisibilityModel) {
				model = append(model, t)
			}
		}
		if res.NextCursor == "" {
			return model, nil
		}
		sum := sha256.Sum256([]byte(res.NextCursor))
		if seen[sum] {
			return nil, fmt.Errorf("the server repeats the cursor %s, so its list has no end", text.Quote(res.NextCursor))
		}
		if seen[sum] = true; len(seen) > maxTools {
			return nil, fmt.Errorf("the server lists its tools in more than %d pages", maxTools)
		}
		params.Cursor = res.NextCursor
	}
}

// ModelTools returns the tools that the model may see, in the same order: those
// whose visibility includes [mcpapps.VisibilityModel], as it does by default. A
// host must hide the other tools from the model, but views may call them, so it
// keeps the whole list too. The result is a new slice of the same tools, without
// nil entries. It is never nil.
func ModelTools(tools []*mcp.Tool) []*mcp.Tool {
	model := make([]*mcp.Tool, 0, len(tools))
	for _, t := range tools {
		if mcpapps.VisibleTo(t, mcpapps.VisibilityModel) {
			model = append(model, t)
		}
	}
	return model
}
