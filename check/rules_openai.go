package check

import (
	"strings"

	"github.com/mcpapps-go/mcpapps/check/internal/answers"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/openairules"
)

// The rules of OpenAI's layer on MCP Apps, of which internal/openairules says what
// ChatGPT accepts. It is optional: these rules say nothing about a server that does not
// use it. An error is what OpenAI's specification requires, or what its own SDKs refuse
// to decode as an entrypoint or as the content of a page; a warning is what the SDKs
// reject, where it is not known how much ChatGPT drops with it.
var (
	openaiType = newRule(Rule{
		Code:     "openai-type",
		Severity: SeverityWarning,
		Hosts:    []string{hostChatGPT},
		Summary:  "a value of one of OpenAI's keys has the wrong type",
		Why:      "OpenAI's SDKs reject the whole object that has it; whether ChatGPT drops more is not known",
		Remedy:   "use the type that OpenAI's specification defines",
	})

	openaiKey = newRule(Rule{
		Code:     "openai-key",
		Severity: SeverityWarning,
		Hosts:    []string{hostChatGPT},
		Summary:  "an object of OpenAI's layer has a key that is unknown there",
		Why:      "OpenAI's SDKs reject the whole object for one unknown key, and no client reads the key",
		Remedy:   "remove the key, or write it as OpenAI's specification spells it",
	})

	openaiEntrypoint = newRule(Rule{
		Code:     "openai-entrypoint",
		Severity: SeverityError,
		Hosts:    []string{hostChatGPT},
		Summary:  "an entrypoint that ChatGPT does not accept",
		Why:      "users can't open the view from there",
		Remedy:   `write {"type": "global"}, {"type": "thread"} or {"type": "file", "extensions": [".note"]}, on a tool that opens a view`,
	})

	openaiInput = newRule(Rule{
		Code:     "openai-input",
		Severity: SeverityError,
		Hosts:    []string{hostChatGPT},
		Summary:  "the tool of an entrypoint does not accept the arguments with which ChatGPT calls it",
		Why:      "ChatGPT calls it with {}, or for a file with its name and URI: the call fails, and there is no view",
		Remedy:   `make all arguments optional; for a file, declare the object "file" with the strings name and resourceUri, and allow further keys`,
	})

	openaiDisplayMode = newRule(Rule{
		Code:     "openai-display-mode",
		Severity: SeverityWarning,
		Hosts:    []string{hostChatGPT},
		Summary:  "a display mode that ChatGPT does not have",
		Why:      "OpenAI's SDKs reject the whole object; the view opens in a mode that ChatGPT chooses",
		Remedy:   `use "inline" and "fullscreen"`,
	})

	openaiStatus = newRule(Rule{
		Code:     "openai-status",
		Severity: SeverityWarning,
		Hosts:    []string{hostChatGPT},
		Summary:  "the status text of a tool is longer than 64 characters",
		Why:      "OpenAI's reference allows no more; what ChatGPT shows of it is not known",
		Remedy:   "write at most 64 characters",
	})

	openaiFile = newRule(Rule{
		Code:     "openai-file",
		Severity: SeverityError,
		Hosts:    []string{hostChatGPT},
		Summary:  `an argument that _meta["openai/fileParams"] names is not declared as a file`,
		Why:      "ChatGPT can't pass the file, and OpenAI does not accept the app for its directory",
		Remedy:   "declare an object, or an array of objects, with the strings download_url, file_id, mime_type and file_name, of which exactly the first two are required",
	})

	// Only servers of which something is for ChatGPT are told: the published apps, and
	// most others, lack these annotations, and work in every host without.
	openaiAnnotations = newRule(Rule{
		Code:     "openai-annotations",
		Severity: SeverityWarning,
		Hosts:    []string{hostChatGPT},
		Summary:  "a tool lacks annotations that ChatGPT requires, in a server with keys of OpenAI's layer",
		Why:      "hosts assume the worst of what a tool does not say: that it destroys, and that it reaches beyond the server",
		Remedy:   "write readOnlyHint, destructiveHint and openWorldHint, each as true or false",
	})

	openaiOrigin = newRule(Rule{
		Code:     "openai-origin",
		Severity: SeverityWarning,
		Hosts:    []string{hostChatGPT},
		Summary:  `an entry of redirect_domains in _meta["openai/widgetCSP"] is not an origin of links`,
		Why:      "it matches no link of the view",
		Remedy:   `write one origin per entry, such as "https://pay.example.com"`,
	})

	openaiAuth = newRule(Rule{
		Code:     "openai-auth",
		Severity: SeverityWarning,
		Hosts:    []string{hostChatGPT},
		Summary:  "what a tool or a result says about signing in is malformed, or contradicts itself",
		Why:      "ChatGPT does not ask the user to sign in, or asks for another scheme than the server expects",
		Remedy:   `write securitySchemes as [{"type": "oauth2", "scopes": […]}], and mcp/www_authenticate as strings, as AuthRequired of package openai does`,
	})

	openaiIneffective = newRule(Rule{
		Code:     "openai-ineffective",
		Severity: SeverityWarning,
		Hosts:    []string{hostChatGPT},
		Summary:  "a declaration that OpenAI's SDKs accept, and that has no effect",
		Why:      "ChatGPT has nothing that corresponds to it",
		Remedy:   "declare what ChatGPT has, or leave it out",
	})

	openaiPlace = newRule(Rule{
		Code:     "openai-place",
		Severity: SeverityWarning,
		Hosts:    []string{hostChatGPT},
		Summary:  `_meta["openai/ui"] is in resources/list and not on the content item of resources/read`,
		Why:      "ChatGPT reads it on the content item only",
		Remedy:   "put it on the content item",
	})
)

// openaiRules are the rules by what internal/openairules finds. Forms are not among
// them: servers send them only to clients that show forms, which a check does not.
var openaiRules = map[openairules.Kind]*Rule{
	openairules.Type:        openaiType,
	openairules.Key:         openaiKey,
	openairules.Entrypoint:  openaiEntrypoint,
	openairules.Input:       openaiInput,
	openairules.DisplayMode: openaiDisplayMode,
	openairules.Status:      openaiStatus,
	openairules.FileParam:   openaiFile,
	openairules.Annotation:  openaiAnnotations,
	openairules.Origin:      openaiOrigin,
	openairules.Capability:  openaiCapability,
	openairules.Setting:     openaiSettings,
	openairules.Mention:     openaiMentions,
	openairules.Ineffective: openaiIneffective,
	openairules.Auth:        openaiAuth,
}

// addOpenAI adds a finding for each problem, with pointers in the value at a place.
func (found *findings) addOpenAI(at place, problems []openairules.Problem) {
	for _, p := range problems {
		rule := openaiRules[p.Kind]
		if rule == nil {
			continue
		}
		f := found.add(rule, at.At(at.Pointer+p.Pointer), "%s", p.Text)
		if p.Remedy != "" {
			f.Remedy = p.Remedy
		}
	}
}

// maxOpened bounds how many tools are judged of those that declare entrypoints, because
// their schemas are applied. It is more than an app may have.
const maxOpened = 30

// judgeOpenAI applies the rules of OpenAI's layer to the tools and capabilities of a
// server that declares any of it.
func (found *findings) judgeOpenAI(s *answers.Record) {
	if !s.DeclaresOpenAI() {
		return
	}
	left := maxOpened
	for _, t := range s.Tools {
		at := place{Tool: t.Name, Method: "tools/list"}
		ui, _ := t.Meta[metakey.OpenAIUI].(map[string]any)
		opened := has(ui, "entrypoints")
		if opened {
			left--
		}
		if answers.HasOpenAIKey(t.Meta) && (!opened || left >= 0) {
			found.addOpenAI(at, openairules.Tool(t.Object))
		}
		found.judgeAnnotations(t, at)
	}
	found.judgeEntrypoints(s)
	found.judgeOpenAICapability(s)
	found.judgeSettings(s)
	found.judgeMentions(s)
}

// judgeAnnotations finds which of the annotations that ChatGPT requires a tool lacks.
// They are one finding.
func (found *findings) judgeAnnotations(t *answers.Tool, at place) {
	problems := openairules.Annotations(t.Object)
	if len(problems) == 0 {
		return
	}
	texts := make([]string, len(problems))
	for i, p := range problems {
		texts[i] = p.Text
	}
	at.Pointer = "/annotations"
	if len(problems) == 1 {
		at.Pointer = problems[0].Pointer
	}
	f := found.add(openaiAnnotations, at, "%s", strings.Join(texts, "; "))
	if len(problems) == 1 {
		f.Remedy = problems[0].Remedy
	}
}

// judgeOpenAIContent judges the keys of OpenAI's layer on an app's content item. listed
// is its entry in the list, nil if it is not listed.
func (found *findings) judgeOpenAIContent(listed *answers.Resource, it *answers.Item, listAt, at place) {
	meta, _ := it.Object["_meta"].(map[string]any)
	if listed != nil && has(listed.Meta, metakey.OpenAIUI) && !has(meta, metakey.OpenAIUI) {
		found.add(openaiPlace, listAt.At(pointer("_meta", metakey.OpenAIUI)), "the list entry has openai/ui, the content item does not")
	}
	if !answers.HasOpenAIKey(meta) {
		return
	}
	found.addOpenAI(at.At("/_meta"), openairules.Content(meta))
}
