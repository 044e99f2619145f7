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
)

// Surface returns what a server in this process shows hosts of its apps, as
// indented JSON for people to compare: the extension's capability, the tools
// with UI metadata, the list entries of apps, and their content items without
// the documents. It is as a client sees it that declares the extension, on
// protocol version 2025-11-25. What can't be fetched is an error.
func Surface(ctx context.Context, s *mcp.Server) ([]byte, error) {
	if s == nil {
		return nil, errors.New("check: the server is nil")
	}
	o, err := (*Options)(nil).withDefaults()
	if err != nil {
		return nil, err
	}
	seen, _, err := look(ctx, &o, extra{versionMain, true, documents}, false, func(ctx context.Context) (wire, error) { return connectMemory(ctx, s) })
	if err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	for _, f := range seen.failures {
		return nil, fmt.Errorf("check: %s %s: %w", f.at.method, f.at.uri, f.err)
	}
	var out struct {
		Extension any              `json:"extension"`
		Tools     []map[string]any `json:"tools"`
		Resources []map[string]any `json:"resources"`
		Contents  []map[string]any `json:"contents"`
	}
	out.Tools, out.Resources, out.Contents = []map[string]any{}, []map[string]any{}, []map[string]any{}
	ext, _ := seen.hello.caps["extensions"].(map[string]any)
	out.Extension = ext[mcpapps.ExtensionID]
	for _, t := range seen.tools {
		if t.meta["ui"] != nil || t.meta[mcpapps.LegacyResourceURIKey] != nil {
			out.Tools = append(out.Tools, t.obj)
		}
	}
	for _, r := range seen.resources {
		if strings.HasPrefix(r.uri, "ui://") {
			out.Resources = append(out.Resources, r.obj)
		}
	}
	uris := seen.appURIs()
	slices.Sort(uris)
	for _, uri := range uris {
		for _, i := range seen.reads[uri].items {
			delete(i.obj, "text")
			delete(i.obj, "blob")
			out.Contents = append(out.Contents, i.obj)
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
