package openai_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"golang.org/x/tools/txtar"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/golden"
	"github.com/mcpapps-go/mcpapps/internal/rawclient"
	"github.com/mcpapps-go/mcpapps/openai"
)

// TestTranscript compares what a server with every declaration, versioned URIs and the
// older keys answers with a transcript, in each era. TestDeclared shows that the other
// transports carry the same.
func TestTranscript(t *testing.T) {
	for _, version := range []string{rawclient.Older, rawclient.Modern} {
		t.Run(version, func(t *testing.T) {
			s := newDeclared(&mcpapps.Options{VersionedURIs: true}, true)
			openai.EnableAliases(s)
			c := rawclient.Stdio(t, s, rawclient.Config{Version: version, Capabilities: capsUI})
			file := filepath.Join("testdata", "declared-"+version+".txtar")
			var ar txtar.Archive
			if data, err := os.ReadFile(file); err == nil {
				ar.Comment = txtar.Parse(data).Comment // the prose is written by hand
			}
			add := func(name, request, answer string) {
				var data bytes.Buffer
				fmt.Fprintf(&data, "> %s\n< %s\n", request, answer)
				ar.Files = append(ar.Files, txtar.File{Name: name, Data: data.Bytes()})
			}
			handshake := "initialize"
			if version >= rawclient.Modern {
				handshake = "server/discover"
			}
			add("handshake", handshake, c.Handshake)
			for _, m := range []struct{ name, method, params string }{
				{"tools list", "tools/list", `{}`},
				{"resources list", "resources/list", `{}`},
				{"read", "resources/read", `{"uri":"ui://notes/board"}`},
				{"call from the sidebar", "tools/call", `{"name":"notes.board","arguments":{}}`},
				{"call with a file", "tools/call", `{"name":"notes.open","arguments":{"file":{"name":"a.note","resourceUri":"host-resource://1"}}}`},
				{"call with a malformed path", "tools/call", `{"name":"notes.open","arguments":{},"_meta":{"openai/resource":{"path":"a.note"}}}`},
			} {
				add(m.name, m.method+" "+m.params, c.Result(t, m.method, m.params))
			}
			assert.Greater(t, len(bytes.TrimSpace(ar.Comment)), 80, "the transcript has no header that says what it guards against")
			assert.NoError(t, golden.Compare(file, txtar.Format(&ar)))
		})
	}
}
