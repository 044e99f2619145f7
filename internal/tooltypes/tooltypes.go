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

// Declare returns TypeScript declarations of a server's tools, which type
// app.callServerTool from end to end: the name, the arguments, and the
// structured content of the result. The text is a .d.ts file of its own, to
// stand beside the one of view.Types.
//
// The tools are those of a list, as a client gets it from ListTools: what
// mcp.AddTool infers stands only there, and a tool without an input schema,
// which no list has, is an error. Those that views may not call, by their
// visibility, are left out, and the order is that of the names. A schema may be
// of any type that encodes to a JSON object; another one is an error, and so is
// a name that is there twice.
//
// For a tool "forecast" the types are ServerTools["forecast"]["arguments"] and
// ServerTools["forecast"]["structuredContent"]. callServerTool gives a
// ServerToolResult<"forecast">, whose structuredContent is there once isError is
// excluded. Of the call that opened the view only its author knows which tool it
// was, and says so by a type assertion:
//
//	import { App, type ServerToolResult } from "mcp-app"
//
//	app.ontoolresult = (params) => {
//		const result = params as ServerToolResult<"forecast">
//		if (result.isError) return
//		show(result.structuredContent)
//	}
//
// A type never excludes a value that its schema allows. What TypeScript can't
// say, such as a range or a pattern, is left out, and what is not understood,
// such as a $ref into another document, is unknown.
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
			return "", fmt.Errorf("tool %q has no input schema, so it is not from a list: pass the tools of a client's ListTools, where the schemas that mcp.AddTool infers are", t.Name)
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
		// Arguments are an object, whether the schema says it or not (Tool in
		// the core specification).
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

// decodeSchema brings a schema of any Go type to what encoding/json gives, with
// numbers kept as they are written. No schema is the one that allows anything.
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
		return nil, fmt.Errorf("%.40q is no JSON object", data)
	}
	return v, nil
}

// quote writes a string as a TypeScript literal. JSON is one.
func quote(s string) string {
	data, _ := json.Marshal(s) // of a string it does not fail
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
