package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check/internal/answers"
	"github.com/mcpapps-go/mcpapps/check/internal/rpc"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/devenv"
)

// Snapshot returns what a server in this process shows hosts of its apps, as
// indented JSON for people to compare: the extension's capability, the tools
// with UI metadata, the list entries of apps, and their content items without
// the documents. It is as a client sees it that declares the extension, on
// protocol version 2025-11-25. What can't be fetched is an error.
func Snapshot(ctx context.Context, s *mcp.Server) ([]byte, error) {
	if s == nil {
		return nil, errors.New("the server is nil")
	}
	o, err := (*Options)(nil).withDefaults()
	if err != nil {
		return nil, err
	}
	d, err := newDialer(&host.Target{Server: s}, &o)
	if err != nil {
		return nil, err
	}
	first := fetch(ctx, &o, d, connection{rpc.MainVersion, true, answers.Documents}, 0, o.callPolicy(false))
	if first.err != nil {
		return nil, first.err
	}
	seen := first.record
	for _, f := range seen.Failures {
		return nil, fmt.Errorf("%s %s: %w", f.Method, f.URI, f.Err)
	}
	var out struct {
		Extension any              `json:"extension"`
		Tools     []map[string]any `json:"tools"`
		Resources []map[string]any `json:"resources"`
		Contents  []map[string]any `json:"contents"`
	}
	out.Tools, out.Resources, out.Contents = []map[string]any{}, []map[string]any{}, []map[string]any{}
	ext, _ := seen.Hello.Capabilities["extensions"].(map[string]any)
	out.Extension = ext[mcpapps.ExtensionID]
	for _, t := range seen.Tools {
		if t.Meta["ui"] != nil || t.Meta[mcpapps.LegacyResourceURIKey] != nil {
			out.Tools = append(out.Tools, t.Object)
		}
	}
	for _, r := range seen.Resources {
		if strings.HasPrefix(r.URI, "ui://") {
			out.Resources = append(out.Resources, r.Object)
		}
	}
	uris := seen.AppURIs()
	slices.Sort(uris)
	for _, uri := range uris {
		for _, i := range seen.Reads[uri].Items {
			delete(i.Object, "text")
			delete(i.Object, "blob")
			if meta, ok := i.Object["_meta"].(map[string]any); ok {
				if meta = devenv.WithoutNote(meta); len(meta) > 0 {
					i.Object["_meta"] = meta
				} else {
					delete(i.Object, "_meta")
				}
			}
			out.Contents = append(out.Contents, i.Object)
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err = e.Encode(out)
	return version.ReplaceAll(b.Bytes(), []byte("${1}*")), err
}

// version is what mcpapps.Options.VersionedURIs puts behind a URI, which is
// another with each build of a view.
var version = regexp.MustCompile(`(ui://[^"\s]+[?&]v=)[0-9a-f]{12}\b`)
