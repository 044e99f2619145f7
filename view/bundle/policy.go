package bundle

import (
	"context"
	"fmt"

	"github.com/mcpapps-go/mcpapps"
)

// policy says which CSP decides what a page may load, and what it must have.
type policy struct {
	data     bool         // an element for the data of a template
	declared *mcpapps.CSP // by the resource, if handler is true
	handler  bool         // the page is bundled for the read of a resource
	open     bool         // the CSP is not known yet: everything is listed
}

// allows returns what the policy allows, nil if everything that a CSP can allow.
func (p policy) allows(opts *Options) func(directive, origin string) bool {
	switch {
	case p.open:
		return nil
	case p.handler && opts.CSP != nil:
		both := [2]func(directive, origin string) bool{p.declared.Matcher(), opts.CSP.Matcher()}
		return func(directive, origin string) bool { return both[0](directive, origin) && both[1](directive, origin) }
	case p.handler:
		return p.declared.Matcher()
	case opts.CSP != nil:
		return opts.CSP.Matcher()
	}
	return nil
}

// remedy returns why an origin is blocked, and what allows it.
func (p policy) remedy(opts *Options, directive, origin, field string) string {
	switch {
	case !p.handler:
		return fmt.Sprintf("since Options.CSP does not allow it: add %q to its %s, and to View.UI.CSP, which hosts enforce", origin, field)
	case p.declared.Allows(directive, origin):
		return "since Options.CSP does not allow it, although View.UI.CSP does: leave Options.CSP nil"
	case opts.CSP != nil && opts.CSP.Allows(directive, origin):
		return fmt.Sprintf("since hosts enforce View.UI.CSP, which does not allow it, although Options.CSP does: move %q to the %s of View.UI.CSP", origin, field)
	}
	return fmt.Sprintf("since View.UI.CSP does not allow it: add %q to its %s", origin, field)
}

// declaredCSP returns the CSP that the resource declares whose document is read.
// Without a registration of this module's it is that of the options.
func declaredCSP(ctx context.Context, opts *Options) *mcpapps.CSP {
	if ui, ok := mcpapps.DeclaredUI(ctx); ok {
		return ui.CSP
	}
	return opts.CSP
}
