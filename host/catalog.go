package host

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A link connects a view with the one server session that owns it.
type link struct {
	session *mcp.ClientSession
	catalog *catalog
	own     *session // nil on a session made elsewhere
}

func (l *link) forget(b *Bridge) {
	if l != nil && l.own != nil {
		l.own.remove(b)
	}
}

// features returns what the view is told about the server's tools and resources, nil
// for none.
func (l *link) features() (tools, resources map[string]any) {
	if l == nil {
		return nil, nil
	}
	caps := l.serverCapabilities()
	listens := l.own != nil
	if caps.Tools != nil {
		tools = map[string]any{}
		if listens && caps.Tools.ListChanged {
			tools["listChanged"] = true
		}
	}
	if caps.Resources != nil {
		resources = map[string]any{}
		if listens && caps.Resources.ListChanged {
			resources["listChanged"] = true
		}
	}
	return tools, resources
}

func (l *link) serverCapabilities() *mcp.ServerCapabilities {
	if res := l.session.InitializeResult(); res != nil && res.Capabilities != nil {
		return res.Capabilities
	}
	return &mcp.ServerCapabilities{}
}

// listBounds bound what a server's lists may cost.
type listBounds struct {
	pages   int
	items   int
	bytes   int
	timeout time.Duration
}

// A catalog keeps a server's list of tools, which decides about the calls of views.
type catalog struct {
	session *mcp.ClientSession
	own     *session // nil on a session made elsewhere
	bounds  listBounds

	loading lock // one list at a time
	mu      sync.Mutex
	tools   []*Tool
	byName  map[string]*Tool
	fetched time.Time
	version int           // of the server's list: each announced change makes another
	listed  int           // the version of tools
	max     time.Duration // how long the list is used; 0: until invalidate
}

func newCatalog(session *mcp.ClientSession, bounds listBounds) *catalog {
	// On a session made elsewhere nothing tells when the list changed.
	return &catalog{session: session, bounds: bounds.withDefaults(), loading: newLock(), max: 10 * time.Second}
}

func (c *catalog) invalidate() {
	c.mu.Lock()
	c.version++
	c.mu.Unlock()
}

func (c *catalog) cached() ([]*Tool, map[string]*Tool, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	fresh := !c.fetched.IsZero() && c.listed == c.version && (c.max == 0 || time.Since(c.fetched) < c.max)
	return c.tools, c.byName, fresh
}

func (c *catalog) list(ctx context.Context) ([]*Tool, error) {
	if tools, _, fresh := c.cached(); fresh {
		return tools, nil
	}
	if err := c.loading.take(ctx); err != nil {
		return nil, err
	}
	defer c.loading.release()
	if tools, _, fresh := c.cached(); fresh {
		return tools, nil
	}
	c.mu.Lock()
	version := c.version // before fetching, so that a change announced meanwhile counts
	c.mu.Unlock()
	tools, err := c.fetch(ctx)
	if err != nil {
		return nil, err
	}
	byName := make(map[string]*Tool, len(tools))
	for _, t := range tools {
		if name := t.Tool.Name; byName[name] == nil {
			byName[name] = t
		}
	}
	c.mu.Lock()
	c.tools, c.byName, c.fetched, c.listed = tools, byName, time.Now(), version
	c.mu.Unlock()
	return tools, nil
}

// lookup finds a tool, nil if there is none. For a name that is not on the list it
// fetches the list again, at most once a second.
func (c *catalog) lookup(ctx context.Context, name string) (*Tool, error) {
	if _, err := c.list(ctx); err != nil {
		return nil, fmt.Errorf("listing the server's tools: %w", err)
	}
	c.mu.Lock()
	t, again := c.byName[name], time.Since(c.fetched) >= time.Second
	if t == nil && again {
		c.version++
	}
	c.mu.Unlock()
	if t != nil || !again {
		return t, nil
	}
	if _, err := c.list(ctx); err != nil {
		return nil, fmt.Errorf("listing the server's tools: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byName[name], nil
}

func (c *catalog) fetch(ctx context.Context) ([]*Tool, error) {
	if c.own != nil {
		var end context.CancelCauseFunc
		ctx, end = c.own.bound(ctx)
		defer end(nil)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, c.bounds.timeout, fmt.Errorf("tools/list took longer than %v", c.bounds.timeout))
	defer cancel()
	var tools []*Tool
	cursor, size := "", 0
	for range c.bounds.pages {
		var page *mcp.ListToolsResult
		start := time.Now()
		raw, err := do(ctx, &exchange{most: c.bounds.items}, func(ctx context.Context) (res *mcp.ListToolsResult, err error) {
			page, err = c.session.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
			return page, err
		})
		if err != nil {
			if c.own != nil {
				err = c.own.explain(ctx, err, start)
			}
			return nil, err
		}
		if size += len(raw); size > c.bounds.bytes {
			return nil, fmt.Errorf("the server's list of tools has more than %d bytes", c.bounds.bytes)
		}
		if page == nil { // the SDK could not decode it
			if err := json.Unmarshal(raw, &page); err != nil {
				return nil, fmt.Errorf("the server's tools/list is malformed: %w", err)
			}
		}
		var items struct{ Tools []json.RawMessage }
		_ = json.Unmarshal(raw, &items)
		for i, t := range page.Tools {
			if t == nil {
				continue
			}
			var item json.RawMessage
			if len(items.Tools) == len(page.Tools) {
				item = items.Tools[i]
			}
			tools = append(tools, newTool(t, item))
		}
		if len(tools) > c.bounds.items {
			return nil, fmt.Errorf("the server lists more than %d tools", c.bounds.items)
		}
		if page.NextCursor == "" {
			return tools, nil
		}
		if page.NextCursor == cursor {
			return nil, fmt.Errorf("the server's tools/list does not end: the page after the cursor %q has the same cursor", short(cursor))
		}
		cursor = page.NextCursor
	}
	return nil, fmt.Errorf("the server's tools/list has more than %d pages", c.bounds.pages)
}
