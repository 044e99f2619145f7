package openai

import (
	"fmt"
	"runtime"
	"sync"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// registered is what this package has added to one server.
type registered struct {
	parts map[string]bool   // each of which a server has once
	tools map[string]string // the part of each tool
}

// servers has what was added to each server that is in use. It must not keep them from
// being collected: some programs make one for each request.
var servers struct {
	sync.Mutex
	m map[weak.Pointer[mcp.Server]]*registered
}

// claim records that a part with some tools is about to be added to a server. It returns an
// error, and records nothing, if the server has the part or one of the tools from another
// part.
func claim(s *mcp.Server, part string, tools ...string) error {
	key := weak.Make(s)
	servers.Lock()
	defer servers.Unlock()
	r, ok := servers.m[key]
	if !ok {
		r = &registered{parts: make(map[string]bool), tools: make(map[string]string)}
	}
	if r.parts[part] {
		return fmt.Errorf("the server has %s already: clients know one only", part)
	}
	for _, name := range tools {
		if other, ok := r.tools[name]; ok {
			return fmt.Errorf("the server has the tool %q for its %s: give this one another name", name, other)
		}
	}
	r.parts[part] = true
	for _, name := range tools {
		r.tools[name] = part
	}
	if !ok {
		if servers.m == nil {
			servers.m = make(map[weak.Pointer[mcp.Server]]*registered)
		}
		servers.m[key] = r
		runtime.AddCleanup(s, forget, key)
	}
	return nil
}

func forget(key weak.Pointer[mcp.Server]) {
	servers.Lock()
	defer servers.Unlock()
	delete(servers.m, key)
}
