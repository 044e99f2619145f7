package bundle

import (
	"context"
	"encoding/json"
	"io/fs"
	"sync"

	"github.com/mcpapps-go/mcpapps/internal/embedded"
)

// shared has the pages of embedded files, which handlers with the same arguments share:
// a server that is made for each request makes its handlers each time. It is bounded,
// since the options may differ each time.
var shared struct {
	sync.Mutex
	pages map[sharedKey]*page
}

type sharedKey struct {
	files embedded.Identity
	name  string
	opts  string
	data  bool
}

const maxShared = 1000

// pageFor returns the page behind a handler. An embedded one is bundled at once, and
// its problems are logged, since they are not going to be solved before the first read.
// data says whether the page has to have an element for data.
func pageFor(fsys fs.FS, name string, opts *Options, data bool) *page {
	files, ok := embedded.IdentityOf(fsys)
	if !ok {
		return newPage(fsys, name, opts.clone(), policy{open: true, data: data})
	}
	key := sharedKey{files, name, opts.key(), data}
	shared.Lock()
	v := shared.pages[key]
	if v == nil {
		v = newPage(fsys, name, opts.clone(), policy{open: true, data: data})
		if shared.pages == nil || len(shared.pages) >= maxShared {
			shared.pages = make(map[sharedKey]*page)
		}
		shared.pages[key] = v
	}
	shared.Unlock()
	v.first.Do(func() {
		if _, _, err := v.get(context.Background()); err != nil {
			v.logger().Error(err.Error())
		}
	})
	return v
}

// key returns what of the options decides what a handler serves.
func (o *Options) key() string {
	if o == nil {
		o = &Options{}
	}
	encoded, err := json.Marshal(map[string]any{"csp": o.CSP, "packaged": o.PackagedRuntime, "maps": o.SourceMaps, "unminified": o.Unminified})
	if err != nil {
		return err.Error()
	}
	return string(encoded)
}
