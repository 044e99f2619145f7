package mcpappstest_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/mcpappstest"
)

// printing stands for the t of a test, func TestApps(t *testing.T). It prints what
// fails.
type printing struct{ testing.TB }

func (t *printing) Helper()                  {}
func (t *printing) Context() context.Context { return context.Background() }
func (t *printing) Cleanup(func())           {}
func (t *printing) Log(args ...any)          {}
func (t *printing) Logf(string, ...any)      {}
func (t *printing) Error(args ...any)        { fmt.Println(args...) }
func (t *printing) Errorf(format string, args ...any) {
	fmt.Printf(format+"\n", args...)
}
func (t *printing) Fatalf(format string, args ...any) {
	panic(fmt.Sprintf(format, args...))
}

// newServer returns the server under test, whose tool names the given resource.
func newServer(uri string) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "clock", Version: "1.0.0"}, nil)
	mcpapps.RegisterAppTool(s, &mcp.Tool{Name: "show-time"}, mcpapps.ToolUIMetadata{ResourceURI: uri},
		func(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
			return mcpapps.TextFor(ctx, req, "The clock is on screen.", "It is noon."), nil, nil
		})
	mcpapps.RegisterAppResource(s, &mcp.Resource{URI: "ui://clock/view.html", Name: "clock"}, mcpapps.ResourceUIMetadata{}, mcpapps.HTML("<!doctype html><p>12:00"))
	return s
}

func ExampleCheck() {
	t := &printing{}
	mcpappstest.Check(t, newServer("ui://clock/veiw.html"))
	// Output:
	// error resource-unreadable: tool "show-time", ui://clock/veiw.html, resources/read: the answer is the error -32602: "Resource not found"
	//     why:    hosts read it before or during the first call, and show nothing if that fails
	//     remedy: name "ui://clock/view.html", which is listed, or serve the resource at exactly the URI that the tool names
	//     hosts:  all hosts
	//     spec:   Resource Discovery
}

func ExampleClient() {
	t := &printing{}
	for _, support := range []mcpapps.Support{mcpapps.SupportUI, mcpapps.SupportNone} {
		result, err := mcpappstest.Client(t, newServer("ui://clock/view.html"), support).CallTool(t.Context(), &mcp.CallToolParams{Name: "show-time"})
		if err != nil {
			t.Fatalf("%v", err)
		}
		fmt.Println(result.Content[0].(*mcp.TextContent).Text)
	}
	// Output:
	// The clock is on screen.
	// It is noon.
}

// MCPAPPS_UPDATE=1 go test writes the file.
func ExampleGolden() {
	t := &printing{}
	mcpappstest.Golden(t, newServer("ui://clock/view.html"), "testdata/clock.json")
	// Output:
}

// A test uses a view as a person does.
func ExampleOpen() {
	test := func(t *testing.T) {
		page := mcpappstest.Open(t, newServer("ui://clock/view.html"), "show-time", nil)
		page.Locator("#zone").Fill("Europe/Oslo")
		page.ByRole("button", "Show").Click()
		page.ByText("12:00").Wait()
		for _, call := range page.Calls() {
			t.Log(call.Tool, string(call.Arguments))
		}
		for _, barrier := range page.Accessibility() {
			t.Error(barrier)
		}
	}
	_ = test // go test calls it
}
