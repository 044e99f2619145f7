package mcpapps

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/mcpapps-go/mcpapps/internal/devenv"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// versionOf returns the version of what was read at a URI, or "": a hash of the
// document and of the metadata, which hosts cache together.
func versionOf(uri string, r *mcp.ReadResourceResult) string {
	if r.InputRequests != nil || len(r.Contents) == 0 {
		return ""
	}
	if len(r.Contents) == 1 && r.Contents[0] != nil && len(r.Contents[0].Blob) == 0 {
		return versionOfText(uri, r.Contents[0])
	}
	h := sha256.New()
	for _, c := range r.Contents {
		if c == nil {
			return ""
		}
		meta, err := versionedMeta(c)
		if err != nil {
			return ""
		}
		hashItem(h, c, meta)
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// versionedMeta returns the metadata of which a version is made: all but what the
// preview is told, which is not there in production.
func versionedMeta(c *mcp.ResourceContents) ([]byte, error) {
	return json.Marshal(devenv.WithoutNote(c.Meta))
}

func hashItem(h io.Writer, c *mcp.ResourceContents, meta []byte) {
	fmt.Fprintf(h, "%d %d %d\n", len(c.Text), len(c.Blob), len(meta))
	_, _ = io.WriteString(h, c.Text)
	_, _ = h.Write(c.Blob)
	_, _ = h.Write(meta)
}

// memory remembers versions with what they were made from, by URI: a document is
// most often the same string as at the last list, and comparing a string with
// itself costs nothing. It is for the whole process, because stateless deployments
// create a server for each request.
var memory struct {
	sync.Mutex
	m map[string]remembered
}

type remembered struct {
	text    string
	meta    []byte
	version string
}

// maxRemembered bounds the URIs in memory. Above it, one of them is forgotten.
const maxRemembered = 10_000

func versionOfText(uri string, c *mcp.ResourceContents) string {
	meta, err := versionedMeta(c)
	if err != nil {
		return ""
	}
	memory.Lock()
	last := memory.m[uri]
	memory.Unlock()
	if last.version != "" && last.text == c.Text && bytes.Equal(last.meta, meta) {
		return last.version
	}
	h := sha256.New()
	hashItem(h, c, meta)
	version := hex.EncodeToString(h.Sum(nil)[:6])
	memory.Lock()
	defer memory.Unlock()
	if memory.m == nil {
		memory.m = make(map[string]remembered)
	}
	if _, ok := memory.m[uri]; !ok && len(memory.m) >= maxRemembered {
		for forgotten := range memory.m {
			delete(memory.m, forgotten)
			break
		}
	}
	memory.m[uri] = remembered{c.Text, meta, version}
	return version
}
