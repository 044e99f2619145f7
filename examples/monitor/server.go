package main

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/view/bundle"
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

// ShowOutput is small on purpose, because some hosts pass it to the model. The view
// fetches the samples with sample_metrics.
type ShowOutput struct {
	Process Process `json:"process"`
	Latest  Sample  `json:"latest"`
	Window  Window  `json:"window"`
}

// Process identifies the monitored process.
type Process struct {
	PID        int    `json:"pid"`
	GoVersion  string `json:"goVersion"`
	GOMAXPROCS int    `json:"gomaxprocs"`
	Started    int64  `json:"started" jsonschema:"when the monitor started, in Unix milliseconds"`
}

// SampleInput requests the samples that the view does not have yet.
type SampleInput struct {
	Since   int64 `json:"since,omitempty" jsonschema:"number of the newest sample that the caller has; 0 for none"`
	Seconds int   `json:"seconds,omitempty" jsonschema:"how far to look back, in seconds"`
}

// SampleOutput has at least one sample, unless the newest is younger than sampleGap
// and the caller already has it.
type SampleOutput struct {
	Process Process  `json:"process"`
	Samples []Sample `json:"samples"`
}

// newServer returns an MCP server with the monitor's two tools and its view.
func newServer(s *sampler) *mcp.Server {
	process := Process{PID: os.Getpid(), GoVersion: runtime.Version(), GOMAXPROCS: runtime.GOMAXPROCS(0), Started: time.Now().UnixMilli()}
	server := mcp.NewServer(&mcp.Implementation{Name: "monitor", Title: "Go process monitor", Version: "1.0.0"}, nil)

	border := true
	view := mcpapps.View{
		Resource: mcp.Resource{URI: viewURI, Name: "monitor", Title: "Go process monitor"},
		UI:       mcpapps.ResourceUIMetadata{PrefersBorder: &border},
		Document: bundle.Handler(files, "ui/index.html", nil),
	}
	// For the model and the view: opens the view.
	mcpapps.RegisterApp(server, &mcp.Tool{
		Name:        "show_monitor",
		Title:       "Show monitor",
		Description: "Shows the running Go process as live charts: heap, goroutines, garbage collection pauses and scheduler latency.",
		InputSchema: withSeconds(must(jsonschema.For[ShowInput](nil))),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, view, func(ctx context.Context, req *mcp.CallToolRequest, in ShowInput) (*mcp.CallToolResult, ShowOutput, error) {
		out := ShowOutput{Process: process, Latest: s.sample()}
		out.Window = summarize(s.since(0, time.Duration(in.Seconds)*time.Second))
		return mcpapps.TextFor(ctx, req, out.short(), out.full()), out, nil
	})
	// For the view only, which polls it every second. It is hidden from the model.
	mcpapps.RegisterAppTool(server, &mcp.Tool{
		Name:        "sample_metrics",
		Title:       "Sample metrics",
		Description: "Takes a sample of the process and returns the samples that the view does not have yet.",
		InputSchema: withSeconds(must(jsonschema.For[SampleInput](nil))),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	}, mcpapps.AppOnly(viewURI), func(_ context.Context, _ *mcp.CallToolRequest, in SampleInput) (*mcp.CallToolResult, SampleOutput, error) {
		s.sample()
		return nil, SampleOutput{Process: process, Samples: s.since(in.Since, time.Duration(in.Seconds)*time.Second)}, nil
	})
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
