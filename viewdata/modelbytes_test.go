package viewdata

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/internal/golden"
	"github.com/mcpapps-go/mcpapps/internal/testenv"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
)

type customer struct {
	ID    int    `json:"id"`
	Name  string `json:"name"`
	City  string `json:"city"`
	Total int    `json:"total"`
}

type customers struct {
	Customers []customer `json:"customers"`
}

type count struct {
	N int `json:"n"`
}

func someCustomers(n int) []customer {
	rows := make([]customer, n)
	for i := range rows {
		rows[i] = customer{1000 + i, fmt.Sprintf("Customer %04d", i), "Oslo", 100 * i}
	}
	return rows
}

// TestModelBytes writes how many bytes of one call a model reads, for the ways in which
// a tool can give its view the same rows, for clients that show views and for others, and
// for what hosts pass to the model. docs/data.md quotes the table. It is the same in both
// eras of the protocol; ci/full reads the many rows in the older one too.
func TestModelBytes(t *testing.T) {
	var table bytes.Buffer
	table.WriteString("| rows | the tool | with views: text | structured content | without: text | structured content | largest result |\n| ---: | --- | ---: | ---: | ---: | ---: | ---: |\n")
	read := make(map[string]int)
	for _, n := range []int{50, 3000} {
		s := bytesServer(n)
		for _, tool := range []struct{ name, words string }{
			{"structured", "`mcpapps.TextFor` and structured content"},
			{"json", "structured content, and its JSON as text (`mcp.AddTool`)"},
			{"register", "`viewdata.Register`"},
			{"stored", "`viewdata.Register`, with a store"},
			{"pages", "`viewdata.RegisterPages`"},
		} {
			fmt.Fprintf(&table, "| %d | %s |", n, tool.words)
			largest := 0
			for _, connect := range []func(testing.TB, *mcp.Server, string) *client{showing, inMemory} {
				var text, structured [2]int // in each era
				for era, version := range []string{legacy, modern} {
					if !testenv.Full() && n == 3000 && version == legacy {
						continue
					}
					res := connect(t, s, version).call(tool.name, `{}`)
					for _, b := range res.Content {
						text[era] += len(b.Text)
					}
					structured[era] = len(res.Structured)
					largest = max(largest, len(mustJSON(t, res.members)))
				}
				if testenv.Full() || n != 3000 {
					assert.Equal(t, text[0], text[1], tool.name)
					assert.Equal(t, structured[0], structured[1], tool.name)
				}
				fmt.Fprintf(&table, " %d | %d |", text[1], structured[1])
				key := fmt.Sprint(tool.name, n)
				read[key] = max(read[key], text[1]+structured[1])
				if _, ok := read[key+" shown"]; !ok {
					read[key+" shown"] = read[key]
				}
			}
			fmt.Fprintf(&table, " %d |\n", largest)
		}
	}
	assert.NoError(t, golden.Compare(filepath.Join("testdata", "model-bytes.md"), table.Bytes()))
	assert.Less(t, read["register3000 shown"], 100, "the rows do not reach the model")
	assert.Less(t, read["pages3000 shown"], 200)
	assert.Less(t, read["pages3000"], 2*defaultInline+2000, "as text and as structured content")
	assert.Greater(t, read["structured3000"], 150_000)
}

// bytesServer has tools that give n rows to their views, in several ways.
func bytesServer(n int) *mcp.Server {
	rows := someCustomers(n)
	text := fmt.Sprintf("%d customers, on screen.", n)
	full := fmt.Sprintf("%d customers, the first of which is %s of %s.", n, rows[0].Name, rows[0].City)
	s := newServer()
	mcpapps.RegisterApp(s, readTool("structured"), testView, func(ctx context.Context, req *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, customers, error) {
		return mcpapps.TextFor(ctx, req, text, full), customers{rows}, nil
	})
	mcpapps.RegisterApp(s, readTool("json"), testView, func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, customers, error) {
		return nil, customers{rows}, nil
	})
	h := func(context.Context, *mcp.CallToolRequest, any) (Result[count, customers], error) {
		return Result[count, customers]{Text: text, FullText: full, Out: count{n}, Data: customers{rows}}, nil
	}
	Register(s, readTool("register"), testView, h, nil)
	Register(s, &mcp.Tool{Name: "stored"}, testView, h, &Options{Store: newStore()})
	RegisterPages(s, readTool("pages"), testView, func(_ context.Context, _ any, p Page) ([]customer, string, error) {
		from, _ := strconv.Atoi(p.Cursor)
		to := min(from+p.Size, n)
		next := ""
		if to < n {
			next = strconv.Itoa(to)
		}
		return rows[from:to], next, nil
	}, nil)
	return s
}
