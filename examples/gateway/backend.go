package main

import (
	"fmt"
	"strings"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/gateway"
	"github.com/mcpapps-go/mcpapps/host"
)

// A backend is a server behind the gateway.
type backend struct {
	name    string
	renamer gateway.Backend
	// One connection for each kind of client, because a server may answer by what
	// its client declares: with another list, another text.
	ui, text *upstream
	fronts   []*front // complete before the first connection
}

// newBackend returns a backend, which connects when it is first needed.
func newBackend(name string, target host.Target) (*backend, error) {
	renamer, err := gateway.New(name)
	if err != nil {
		return nil, err
	}
	if strings.Contains(name, "_") {
		return nil, fmt.Errorf("the backend name %q has an underscore: two of them separate it from a tool's name", name)
	}
	b := &backend{name: name, renamer: renamer}
	b.ui = newUpstream(name, target, false, b.changed)
	b.text = newUpstream(name, target, true, b.changed)
	return b, nil
}

// parseBackend parses a flag, NAME=URL or NAME=COMMAND ARGUMENT…. Arguments can't be
// quoted.
func parseBackend(flag string) (*backend, error) {
	name, server, ok := strings.Cut(flag, "=")
	if !ok {
		return nil, fmt.Errorf("%q has no name: write NAME=URL or NAME=COMMAND", flag)
	}
	target, err := host.ParseTarget(strings.Fields(server))
	if err != nil {
		return nil, err
	}
	return newBackend(name, target)
}

// changed is called when one of the backend's lists may have changed.
func (b *backend) changed() {
	for _, f := range b.fronts {
		f.changed()
	}
}

// forLists returns the connection whose lists and documents a client gets. Clients
// that are not known get apps, because some show them without declaring it.
func (b *backend) forLists(s mcpapps.Support) *upstream {
	if s == mcpapps.SupportNone {
		return b.text
	}
	return b.ui
}

// forCall returns the connection on which a tool is called. Clients that are not
// known get the full text, but a tool that the model does not see is called by a
// view.
func (b *backend) forCall(s mcpapps.Support, e entry) *upstream {
	if s == mcpapps.SupportUI || s == mcpapps.SupportUnknown && e.viewsOnly {
		return b.ui
	}
	return b.text
}

func (b *backend) close() {
	b.ui.close()
	b.text.close()
}
