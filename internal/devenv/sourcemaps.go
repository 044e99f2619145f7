package devenv

import (
	"os"
	"sync"
	"sync/atomic"
)

var sourceMaps = sync.OnceValue(func() *atomic.Bool {
	var on atomic.Bool
	on.Store(os.Getenv(SourceMaps) == "1")
	return &on
})

// SourceMapsEnabled reports whether bundles get source maps: the variable
// [SourceMaps] was set when this was first asked, or [EnableSourceMaps] was called.
func SourceMapsEnabled() bool { return sourceMaps().Load() }

// EnableSourceMaps gives the bundles of this process source maps from now on, for
// tests that show views in the process of their server.
func EnableSourceMaps() { sourceMaps().Store(true) }

// SourcesGiven reports whether the variable [Sources] is set.
var SourcesGiven = sync.OnceValue(func() bool { return os.Getenv(Sources) != "" })
