package check

import (
	"github.com/mcpapps-go/mcpapps/check/internal/answers"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

var toolOpenAIOnly = newRule(Rule{
	Code:     "tool-openai-only",
	Severity: SeverityError,
	Hosts:    []string{hostReference, hostClaude, hostVSCode},
	Summary:  `only _meta["openai/outputTemplate"] names the view`,
	Why:      "that is the OpenAI Apps SDK's key from before MCP Apps: other hosts show the tool's result as text",
	Remedy:   `serve the document also as "text/html;profile=mcp-app", at a URI of its own, and name that in _meta.ui.resourceUri; in the view, use an App class or ui/ messages instead of window.openai`,
	Spec:     "Resource Discovery",
})

// namesOpenAI reports whether a tool names a view for the OpenAI Apps SDK.
func namesOpenAI(t *answers.Tool) bool {
	uri, _ := t.Meta[metakey.OpenAITemplate].(string)
	return uri != ""
}

// judgeOpenAITool finds tools that name a view for the OpenAI Apps SDK and none for
// MCP Apps.
func (found *findings) judgeOpenAITool(t *answers.Tool, at place) {
	ui, _ := t.Meta["ui"].(map[string]any)
	if namesOpenAI(t) && ui["resourceUri"] == nil && t.Meta[metakey.LegacyURI] == nil {
		found.add(toolOpenAIOnly, at.At(pointer("_meta", metakey.OpenAITemplate)), "only the key of the OpenAI Apps SDK names the view %s", text.JSON(t.Meta[metakey.OpenAITemplate]))
	}
}
