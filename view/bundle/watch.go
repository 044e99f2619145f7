package bundle

import (
	"context"
	"slices"
	"time"
)

// interval is the time between two looks at a watched folder.
const interval = 500 * time.Millisecond

func (d *dir) watch(ctx context.Context) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			d.refresh(ctx)
		}
	}
}

// refresh updates the server to what the folder contains. A page that can't be
// bundled, as in the middle of an edit, stays registered; reading it returns the
// reasons.
func (d *dir) refresh(ctx context.Context) {
	names, err := d.list()
	if err != nil {
		return // a build has emptied the folder and will fill it
	}
	d.mu.Lock()
	for _, name := range names {
		if d.views[name] == nil {
			d.views[name] = newPage(d.fsys, name, d.opts, policy{})
		}
	}
	for name := range d.views {
		if !slices.Contains(names, name) {
			delete(d.views, name)
			d.server.RemoveResources(d.uri(name))
		}
	}
	views := make([]*page, 0, len(names))
	for _, name := range names {
		views = append(views, d.views[name])
	}
	d.mu.Unlock()
	made := make(map[*page]*Document)
	for _, v := range views {
		if doc, now, err := v.get(ctx); err == nil && now {
			made[v] = doc
		}
	}
	// All together, so that clients are notified once.
	for _, v := range views {
		if doc := made[v]; doc != nil {
			if view, err := d.view(v, doc); err == nil { // else reading it returns the error
				d.register(v, view)
			}
		}
	}
}
