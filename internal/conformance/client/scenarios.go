package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// given is what a scenario tells the client beside its URL.
type given struct {
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	ToolCalls    []struct {
		Name      string         `json:"name"`
		Arguments map[string]any `json:"arguments"`
	} `json:"toolCalls"`
}

type run func(context.Context, peer, given) error

// scenario returns what the client does in a scenario, once it is connected.
func scenario(name string) (run, bool) {
	if strings.HasPrefix(name, "auth/") {
		// These need more than the authorization code flow. The SDK has no DPoP.
		for _, other := range []string{"client-credentials", "enterprise", "dpop", "wif"} {
			if strings.HasPrefix(name, "auth/"+other) {
				return nil, false
			}
		}
		return listAndCall("test-tool", nil), true
	}
	r, ok := map[string]run{
		"initialize":                          list,
		"tools_call":                          listAndCall("add_numbers", map[string]any{"a": 5, "b": 3}),
		"elicitation-sep1034-client-defaults": listAndCall("test_client_elicitation_defaults", nil),
		"sse-retry":                           listAndCall("test_reconnection", nil),
		"request-metadata":                    func(context.Context, peer, given) error { return nil },
		"sep-2322-client-request-state":       callWithState,
		"http-standard-headers":               useAll,
		"http-custom-headers":                 callAsGiven,
		"http-invalid-tool-headers":           callListed,
		"json-schema-ref-no-deref":            list,
		"json-schema-2020-12-preservation":    echoSchema,
	}[name]
	return r, ok
}

// report prints an error that a scenario may expect.
func report(what string, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", what, err)
	}
}

func list(ctx context.Context, p peer, _ given) error {
	_, err := p.tools(ctx)
	return err
}

func listAndCall(tool string, args map[string]any) run {
	return func(ctx context.Context, p peer, g given) error {
		if err := list(ctx, p, g); err != nil {
			return err
		}
		return p.call(ctx, tool, args)
	}
}

func callWithState(ctx context.Context, p peer, _ given) error {
	for _, tool := range []string{"echo_state", "no_state", "unrelated", "no_result_type"} {
		report(tool, p.call(ctx, "test_mrtr_"+tool, nil))
	}
	return nil
}

func useAll(ctx context.Context, p peer, _ given) error {
	tools, err := p.tools(ctx)
	if err != nil || len(tools) == 0 {
		return fmt.Errorf("no tools: %w", err)
	}
	report("call", p.call(ctx, tools[0].Name, nil))
	s := p.session()
	resources, err := s.ListResources(ctx, nil)
	if err != nil || len(resources.Resources) == 0 {
		return fmt.Errorf("no resources: %w", err)
	}
	_, err = s.ReadResource(ctx, &mcp.ReadResourceParams{URI: resources.Resources[0].URI})
	report("read", err)
	prompts, err := s.ListPrompts(ctx, nil)
	if err != nil || len(prompts.Prompts) == 0 {
		return fmt.Errorf("no prompts: %w", err)
	}
	_, err = s.GetPrompt(ctx, &mcp.GetPromptParams{Name: prompts.Prompts[0].Name})
	report("prompt", err)
	return nil
}

func callAsGiven(ctx context.Context, p peer, g given) error {
	if err := list(ctx, p, g); err != nil { // the schemas say which arguments are headers
		return err
	}
	for _, c := range g.ToolCalls {
		report(c.Name, p.call(ctx, c.Name, c.Arguments))
	}
	return nil
}

func callListed(ctx context.Context, p peer, _ given) error {
	tools, err := p.tools(ctx)
	for _, t := range tools {
		report(t.Name, p.call(ctx, t.Name, map[string]any{"region": "us-west1"}))
	}
	return err
}

func echoSchema(ctx context.Context, p peer, _ given) error {
	tools, err := p.tools(ctx)
	if err != nil {
		return err
	}
	for _, t := range tools {
		if t.Name == "json_schema_2020_12_tool" {
			return p.call(ctx, "json_schema_echo", map[string]any{"schema": t.InputSchema})
		}
	}
	return fmt.Errorf("the server lists no tool with the schema")
}
