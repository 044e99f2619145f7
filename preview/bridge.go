package preview

import "github.com/mcpapps-go/mcpapps/host"

// Bridge returns the bridge of the view that the page with a name shows, nil if it
// shows none. [Preview.ViewURL] gives the page its name. A program that looks at the
// view can change its host context, call its tools, and close it. The page sets the
// context, too, when its own size or theme changes.
func (p *Preview) Bridge(page string) *host.Bridge {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, v := range p.views {
		if v.page == page && v.bridge.Err() == nil {
			return v.bridge
		}
	}
	return nil
}
