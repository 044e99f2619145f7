package host

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps/internal/command"
)

// stdio is the transport to a command.
type stdio struct {
	args []string
	opts command.Options
}

func (t *stdio) Connect(context.Context) (mcp.Connection, error) {
	p, err := command.Start(t.args, t.opts)
	if err != nil {
		return nil, err
	}
	return p, nil
}
