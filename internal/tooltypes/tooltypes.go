// Package tooltypes declares a server's tools to TypeScript, for the command
// mcpapps types.
package tooltypes

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
)

// Declare returns TypeScript declarations of a server's tools, which give types to
// app.callServerTool: to the tool's name, its arguments, and the structured
// content of its result. The text is a .d.ts file, used together with that of
// view.Types.
//
// The tools are those that a client gets from ListTools, because the schemas that
// mcp.AddTool infers are only there. A tool without an input schema is an error.
// Tools that views may not call are left out. The declarations are in the order
// of the names; a repeated name is an error. A schema may be of any type that
// encodes to a JSON object; others are errors.
//
// For a tool "forecast" the types are ServerTools["forecast"]["arguments"] and
// ServerTools["forecast"]["structuredContent"]. callServerTool returns a
// ServerToolResult<"forecast">, which has structuredContent once isError is
// excluded. Which tool opened the view is known to its author only, who adds a
// type assertion:
//
//	import { App, type ServerToolResult } from "mcp-app"
//
//	app.ontoolresult = (params) => {
//		const result = params as ServerToolResult<"forecast">
//		if (result.isError) return
//		show(result.structuredContent)
//	}
//
// A type never excludes a value that its schema allows. Constraints that
// TypeScript can't express, such as a range or a pattern, are left out. A schema
// that is not understood, such as a $ref into another document, becomes unknown.
func Declare(tools []*mcp.Tool) (string, error) {
	tools = slices.DeleteFunc(slices.Clone(tools), func(t *mcp.Tool) bool { return !mcpapps.VisibleTo(t, mcpapps.VisibilityApp) })
	sort.SliceStable(tools, func(i, j int) bool { return tools[i].Name < tools[j].Name })
	names := map[string]bool{}
	var types, entries strings.Builder
	for i, t := range tools {
		if i > 0 && tools[i-1].Name == t.Name {
			return "", fmt.Errorf("tool %q is listed twice", t.Name)
		}
		if t.InputSchema == nil {
			return "", fmt.Errorf("tool %q has no input schema: pass the tools that a client gets from ListTools, which have the schemas that mcp.AddTool infers", t.Name)
		}
		in, err := decodeSchema(t.InputSchema)
		if err != nil {
			return "", fmt.Errorf("tool %q: input schema: %w", t.Name, err)
		}
		out, err := decodeSchema(t.OutputSchema)
		if err != nil {
			return "", fmt.Errorf("tool %q: output schema: %w", t.Name, err)
		}

		entries.WriteString(comment(t.Description, "    "))
		fmt.Fprintf(&entries, "    %s: {\n", propertyName(t.Name))
		c := newConverter(in, names, "ServerTool_"+t.Name+"_in")
		// Arguments are an object even if the schema does not say so (Tool in the
		// core specification).
		arguments := c.convert(in, kinds{"object": true}, "      ")
		if arguments == "unknown" {
			arguments = "{ [key: string]: unknown }"
		}
		fmt.Fprintf(&entries, "      arguments: %s;\n", arguments)
		types.WriteString(c.aliases())
		if t.OutputSchema != nil {
			c := newConverter(out, names, "ServerTool_"+t.Name+"_out")
			fmt.Fprintf(&entries, "      structuredContent: %s;\n", c.convert(out, nil, "      "))
			types.WriteString(c.aliases())
		}
		entries.WriteString("    };\n")
	}
	return "// The tools of the server, for app.callServerTool. Written by mcpapps types.\n\n" +
		"declare module \"mcp-app\" {\n" + types.String() +
		"  interface ServerTools {\n" + entries.String() + "  }\n}\n", nil
}

// decodeSchema returns a schema of any Go type as generic JSON, with numbers as
// they are written. nil becomes {}, which allows anything.
func decodeSchema(schema any) (any, error) {
	if schema == nil {
		return map[string]any{}, nil
	}
	data, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	var v any
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, ok := v.(map[string]any); !ok {
		return nil, fmt.Errorf("%.40q is not a JSON object", data)
	}
	return v, nil
}

// quote returns a string as a TypeScript literal, which its JSON is.
func quote(s string) string {
	data, _ := json.Marshal(s) // does not fail for a string
	return string(data)
}

// comment writes a description as a doc comment.
func comment(text, indent string) string {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text))
	if text == "" {
		return ""
	}
	text = strings.ReplaceAll(text, "*/", `*\/`)
	lines := strings.Split(text, "\n")
	if len(lines) == 1 {
		return indent + "/** " + text + " */\n"
	}
	var b strings.Builder
	b.WriteString(indent + "/**\n")
	for _, line := range lines {
		b.WriteString(strings.TrimRight(indent+" * "+strings.TrimSpace(line), " ") + "\n")
	}
	b.WriteString(indent + " */\n")
	return b.String()
}
