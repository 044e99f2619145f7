package main

import (
	"context"
	"crypto/rand"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/view/bundle"
	"github.com/mcpapps-go/mcpapps/viewdata"
	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// To update ui/tools.d.ts: mcpapps types -o ui -- go run .
//
//go:embed ui
var files embed.FS

const viewURI = "ui://monitor/monitor.html"

// ShowInput has the arguments with which the model opens the monitor.
type ShowInput struct {
	Seconds int `json:"seconds,omitempty" jsonschema:"how far to look back, in seconds"`
}

// ShowOutput is what the model reads.
type ShowOutput struct {
	Process Process `json:"process"`
	Latest  Sample  `json:"latest"`
	Window  Window  `json:"window"`
}

// ShowData is what the view reads, and the model does not.
type ShowData struct {
	Process Process  `json:"process"`
	Samples []Sample `json:"samples"`
	// State is the id under which the view keeps whether it is paused.
	State string `json:"state"`
}

// Process identifies the monitored process.
type Process struct {
	PID        int    `json:"pid"`
	GoVersion  string `json:"goVersion"`
	GOMAXPROCS int    `json:"gomaxprocs"`
	Started    int64  `json:"started" jsonschema:"when the monitor started, in Unix milliseconds"`
}

// Live is what a view polls: the newest samples. A view that lacks those before them, or
// that saw another process, fetches its window again.
type Live struct {
	Started int64    `json:"started"`
	Samples []Sample `json:"samples"`
}

const (
	// The number of samples in an answer to a poll. A view that polls each second
	// needs two, and may miss some polls.
	liveSamples = 5
	// Data of up to this size travels with the result: three minutes of samples. So does
	// the id of the view's state, which is random for clients without a user.
	inlineBytes = 48 << 10
)

// newServer returns an MCP server with the monitor's tools and its view.
func newServer(s *sampler) *mcp.Server {
	process := Process{PID: os.Getpid(), GoVersion: runtime.Version(), GOMAXPROCS: runtime.GOMAXPROCS(0), Started: time.Now().UnixMilli()}
	server := mcp.NewServer(&mcp.Implementation{Name: "monitor", Title: "Go process monitor", Version: "1.0.0"}, nil)

	border := true
	view := mcpapps.View{
		Resource: mcp.Resource{URI: viewURI, Name: "monitor", Title: "Go process monitor"},
		UI:       mcpapps.ResourceUIMetadata{PrefersBorder: &border},
		Document: bundle.Handler(files, "ui/index.html", nil),
	}
	// The states of views are in memory and end with the process, as does the secret.
	secret := []byte(rand.Text())
	viewstate.Register(server, viewstate.NewMemory(nil), nil)

	// For the model and the view: opens the view. Its twin show_monitor_data, which the
	// model does not see, gives the view a window that does not fit the result.
	viewdata.Register(server, &mcp.Tool{
		Name:        "show_monitor",
		Title:       "Show monitor",
		Description: "Shows the running Go process as live charts: heap, goroutines, garbage collection pauses and scheduler latency.",
		InputSchema: withSeconds(must(jsonschema.For[ShowInput](nil))),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, view, func(ctx context.Context, req *mcp.CallToolRequest, in ShowInput) (viewdata.Result[ShowOutput, ShowData], error) {
		latest := s.sample()
		samples := s.recent(time.Duration(in.Seconds) * time.Second)
		out := ShowOutput{Process: process, Latest: latest, Window: summarize(samples)}
		id, ok := viewstate.For(ctx, req, secret, "monitor")
		if !ok {
			id = viewstate.New()
		}
		return viewdata.Result[ShowOutput, ShowData]{
			Text: out.short(), FullText: out.full(), Out: out,
			Data: ShowData{Process: process, Samples: samples, State: id},
		}, nil
	}, &viewdata.Options{InlineBytes: inlineBytes})

	// For the view only, which polls it every second. It is hidden from the model. All
	// views share one sample per second.
	viewdata.RegisterLive(server, &mcp.Tool{
		Name:        "sample_metrics",
		Title:       "Sample metrics",
		Description: "Takes a sample of the process and returns the newest samples.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, func(context.Context, *mcp.CallToolRequest, struct{}) (key struct{}, err error) {
		return key, nil // there is one process to show
	}, func(context.Context, struct{}) (Live, error) {
		s.sample()
		return Live{Started: process.Started, Samples: s.newest(liveSamples)}, nil
	}, nil)
	return server
}

// withSeconds adds the bounds and the default of seconds to the schema. The SDK
// enforces them in every call.
func withSeconds(schema *jsonschema.Schema) *jsonschema.Schema {
	seconds := schema.Properties["seconds"]
	seconds.Minimum = jsonschema.Ptr(10.0)
	seconds.Maximum = jsonschema.Ptr(historyLength.Seconds())
	seconds.Default = json.RawMessage("120")
	return schema
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("monitor: %v", err))
	}
	return v
}
