package forge

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"golang.org/x/tools/txtar"

	"github.com/mcpapps-go/mcpapps/internal/golden"
	"github.com/mcpapps-go/mcpapps/internal/rawclient"
)

// complete is what a build with its front end has.
var complete = fstest.MapFS{
	"ui/profile.html": page("Profile"),
	"ui/issue.html":   page("New issue: submit_issue"),
	"ui/pull.html":    page("Pull request: merge_pull"),
}

func page(text string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("<!doctype html><meta charset=utf-8><img src=\"https://avatars.forge.example/none.png\" alt=\"\">" + text)}
}

// A setting is a deployment, and what its clients ask for.
type setting struct {
	name   string
	config Config
	header http.Header
	asks   []message
}

var (
	tools     = message{"tools", "tools/list", "", ""}
	resources = message{"resources", "resources/list", "", ""}
)

func settings() []setting {
	header := func(pairs ...string) http.Header {
		h := http.Header{"Forge-User": {"ada"}}
		for i := 0; i < len(pairs); i += 2 {
			h.Set(pairs[i], pairs[i+1])
		}
		return h
	}
	return []setting{
		{"default", Config{}, header(), []message{
			tools, resources,
			read("view", "ui://forge/profile.html"), read("view that is not built", "ui://forge/pull.html"),
			call("profile", "get_me", `{}`),
			call("form", "create_issue", `{"title":"Typo"}`), call("submit", "submit_issue", `{"title":"Typo"}`),
		}},
		{"apps-off", Config{}, header("Forge-Apps", "off"), []message{
			tools, resources, read("view", "ui://forge/profile.html"), call("profile", "get_me", `{}`), call("form", "create_issue", `{"title":"Typo"}`),
			call("submit", "submit_issue", `{"title":"Typo"}`),
		}},
		{"insiders", Config{}, header("Forge-Insiders", "true", "Forge-Toolsets", "issues"), []message{tools}},
		{"pulls", Config{}, header("Forge-Toolsets", "pulls"), []message{tools, call("merge", "merge_pull", `{}`)}},
		{"pulls-built", Config{Views: complete}, header("Forge-Toolsets", "pulls"), []message{
			tools, read("view", "ui://forge/pull.html"), read("view of another toolset", "ui://forge/issue.html"),
			call("merge", "merge_pull", `{}`),
		}},
	}
}

// TestWire compares what goes over the wire with the transcripts, one for each
// kind of client. Exchanges that differ in the protocol version only stand there
// once.
func TestWire(t *testing.T) {
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			var log transcript
			for _, s := range settings() {
				for _, version := range mcp.SupportedProtocolVersions() {
					asks := append([]message{handshake(version)}, s.asks...)
					h := Handler(s.config)
					for i, m := range asks {
						log.add(s.name+"/"+m.name, "HTTP", version, c.line(version, i+1, m.method, m.params), post(t, h, c, version, s.header, i+1, m))
					}
					r := &http.Request{Header: s.header.Clone()}
					r.Header.Set("User-Agent", c.userAgent)
					pipe := rawclient.Stdio(t, NewServer(s.config, RequestOf(r)), rawclient.Config{NoHandshake: true})
					for i, m := range asks {
						line := c.line(version, i+1, m.method, m.params)
						log.add(s.name+"/"+m.name, "stdio", version, line, pipe.Line(t, line))
						if m.method == "initialize" {
							pipe.Line(t, initialized)
						}
					}
				}
			}
			file := filepath.Join("testdata", "wire", c.name+".txtar")
			var ar txtar.Archive
			if data, err := os.ReadFile(file); err == nil {
				ar.Comment = txtar.Parse(data).Comment // the prose is written by hand
			}
			ar.Files = log.files()
			assert.Greater(t, len(bytes.TrimSpace(ar.Comment)), 80, "the transcript has no header that says what it guards against")
			assert.NoError(t, golden.Compare(file, txtar.Format(&ar)))
		})
	}
}

// A transcript has the variants of each exchange, in the order of their coming.
type transcript struct{ exchanges []*exchange }

type exchange struct {
	name     string
	variants []*variant
}

// A variant is what one or several transports and versions have on the wire.
type variant struct {
	wires          []string
	sent, received string
}

func (l *transcript) add(name, transport, version, sent, received string) {
	var e *exchange
	for _, known := range l.exchanges {
		if known.name == name {
			e = known
		}
	}
	if e == nil {
		e = &exchange{name: name}
		l.exchanges = append(l.exchanges, e)
	}
	sent, received = strings.ReplaceAll(sent, version, "VERSION"), strings.ReplaceAll(received, version, "VERSION")
	wire := transport + " " + version
	for _, v := range e.variants {
		if v.sent == sent && v.received == received {
			v.wires = append(v.wires, wire)
			return
		}
	}
	e.variants = append(e.variants, &variant{[]string{wire}, sent, received})
}

func (l *transcript) files() (files []txtar.File) {
	for _, e := range l.exchanges {
		var data bytes.Buffer
		for _, v := range e.variants {
			fmt.Fprintf(&data, "# %s\n> %s\n< %s\n", strings.Join(v.wires, ", "), v.sent, v.received)
		}
		files = append(files, txtar.File{Name: e.name, Data: data.Bytes()})
	}
	return files
}
