package forge

import (
	"fmt"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcpapps-go/mcpapps"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Tool is an entry of the registry, which requests share and nobody changes.
type Tool struct {
	mcp.Tool                        // with the UI in its Meta
	UI       mcpapps.ToolUIMetadata // or here
	Needs    string                 // the view that may not be built
	Toolset  string
	Insiders bool
	Call     mcp.ToolHandler
}

// wanted reports whether a request asks for the tool.
func (t *Tool) wanted(r Request) bool {
	if t.Insiders && !r.Insiders {
		return false
	}
	sets := r.Toolsets
	if sets == nil {
		sets = []string{"context", "issues"}
	}
	return slices.Contains(sets, t.Toolset) || slices.Contains(sets, "all")
}

func (t *Tool) appOnly() bool {
	return slices.Equal(t.UI.Visibility, []mcpapps.Visibility{mcpapps.VisibilityApp})
}

var registry = slices.Concat([]Tool{
	{
		Tool: mcp.Tool{
			Name: "get_me", Description: "Shows the profile of the user.",
			InputSchema: object(nil), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
			Meta: mcpapps.ToolMeta(mcpapps.ToolUIMetadata{ResourceURI: uri("profile")}),
		},
		Toolset: "context", Call: getMe,
	},
	{
		Tool: mcp.Tool{
			Name: "create_issue", Description: "Creates an issue. Where views are shown, the user fills in a form first.",
			InputSchema: object(properties{"title": "what the issue is about", "body": "the text, as Markdown"}, "title"),
			Meta:        mcpapps.ToolMeta(mcpapps.ToolUIMetadata{ResourceURI: uri("issue")}),
		},
		Toolset: "issues", Call: createIssue,
	},
	{
		Tool: mcp.Tool{
			Name: "submit_issue", Description: "Creates the issue of a form.",
			InputSchema: object(properties{"title": "what the issue is about", "body": "the text, as Markdown"}, "title"),
		},
		UI:      mcpapps.AppOnly(uri("issue")),
		Toolset: "issues", Call: submitIssue,
	},
	{
		Tool: mcp.Tool{
			Name: "triage", Description: "Sorts the open issues.", InputSchema: object(nil),
			Meta: mcp.Meta{"forge.example/stage": "preview"},
		},
		UI:      mcpapps.ToolUIMetadata{ResourceURI: uri("issue")},
		Toolset: "issues", Insiders: true, Call: echo("triage"),
	},
	{
		Tool:    mcp.Tool{Name: "review_pull", Description: "Shows a pull request.", InputSchema: object(properties{"number": "its number"})},
		UI:      mcpapps.ToolUIMetadata{ResourceURI: uri("pull")},
		Needs:   "pull",
		Toolset: "pulls", Call: echo("review_pull"),
	},
	{
		Tool: mcp.Tool{
			Name: "list_pulls", Description: "Lists the pull requests.", InputSchema: object(nil),
			Meta: mcpapps.ToolMeta(mcpapps.ToolUIMetadata{ResourceURI: uri("pull")}),
		},
		Needs:   "pull",
		Toolset: "pulls", Call: echo("list_pulls"),
	},
	{
		Tool:    mcp.Tool{Name: "merge_pull", Description: "Merges the pull request of a view.", InputSchema: object(properties{"number": "its number"})},
		UI:      mcpapps.AppOnly(uri("pull")),
		Needs:   "pull",
		Toolset: "pulls", Call: echo("merge_pull"),
	},
}, plainTools())

// plainTools returns the 60 tools without a view that the registry has besides.
func plainTools() (all []Tool) {
	for _, set := range []string{"repos", "users", "actions", "gists", "labels", "releases", "security", "orgs", "projects", "wikis"} {
		for _, verb := range []string{"list", "get", "create", "update", "delete", "search"} {
			name := verb + "_" + set
			all = append(all, Tool{
				Tool: mcp.Tool{
					Name: name, Description: fmt.Sprintf("Can %s the %s of a repository.", verb, set),
					InputSchema: object(properties{
						"owner": "the account that owns the repository, without regard to case",
						"repo":  "the name of the repository, without the extension .git",
						"id":    "the identifier of one of the " + set,
						"query": "words, \"quoted phrases\" and field:value pairs",
						"sort":  "the field by which the results are sorted",
						"page":  "the page of the results, > 0",
					}, "owner", "repo"),
					Annotations: &mcp.ToolAnnotations{ReadOnlyHint: verb == "list" || verb == "get" || verb == "search"},
				},
				Toolset: set, Call: echo(name),
			})
		}
	}
	return all
}

type properties map[string]string

// object returns the schema of an object whose properties are strings.
func object(p properties, required ...string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, Required: required}
	for name, description := range p {
		s.Properties[name] = &jsonschema.Schema{Type: "string", Description: description}
	}
	return s
}
