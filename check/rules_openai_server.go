package check

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"

	"github.com/mcpapps-go/mcpapps/check/internal/answers"
	"github.com/mcpapps-go/mcpapps/check/internal/rpc"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/openairules"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

var (
	openaiCapability = newRule(Rule{
		Code:     "openai-capability",
		Severity: SeverityError,
		Hosts:    []string{hostChatGPT},
		Summary:  "a capability for settings or mentions names a tool that is not as OpenAI's specification requires",
		Why:      "ChatGPT does not use the tool: there are no settings, or no mentions",
		Remedy:   "name listed tools: one that reads settings has readOnlyHint, an outputSchema and accepts {}; one that searches mentions has readOnlyHint, app in its visibility and the argument query",
	})

	openaiCapabilityPlace = newRule(Rule{
		Code:     "openai-capability-place",
		Severity: SeverityNote,
		Hosts:    []string{hostChatGPT},
		Summary:  "a capability of OpenAI's layer is not everywhere where a version of ChatGPT looks for it",
		Why:      "before protocol version 2026-07-28 clients may read only experimental, since then only extensions, in the answer to server/discover",
		Remedy:   "write the same value in capabilities.extensions and in capabilities.experimental, in the answers to initialize and server/discover",
	})

	openaiEntrypoints = newRule(Rule{
		Code:     "openai-entrypoints",
		Severity: SeverityWarning,
		Hosts:    []string{hostChatGPT},
		Summary:  "the server has more than three entrypoints, or two of one tool or under one title",
		Why:      "ChatGPT shows up to three of an app, and users can't tell two of one title apart",
		Remedy:   "declare at most three entrypoints, each on a tool of its own with a title of its own",
	})

	openaiTool = newRule(Rule{
		Code:     "openai-tool",
		Severity: SeverityError,
		Hosts:    []string{hostChatGPT},
		Summary:  "a button calls a tool that the server does not list, or that does not accept the arguments",
		Why:      "quick actions and the buttons of settings call tools of the same server, the latter with {}: the call fails",
		Remedy:   "name a tool of the same server that accepts the arguments",
	})

	openaiSettings = newRule(Rule{
		Code:     "openai-settings",
		Severity: SeverityError,
		Hosts:    []string{hostChatGPT},
		Summary:  "what the tool that reads settings returns is not a page of settings",
		Why:      "OpenAI's SDKs reject it: there are no settings to show",
		Remedy:   "return {schema, values, layout?} in structuredContent: a schema of titled booleans, strings and numbers, and a value for each",
	})

	openaiMentions = newRule(Rule{
		Code:     "openai-mentions",
		Severity: SeverityError,
		Hosts:    []string{hostChatGPT},
		Summary:  "what the tool that searches mentions returns is not a list of mentions",
		Why:      "OpenAI's SDKs reject it: there are no mentions to offer",
		Remedy:   `return {"items": [{"type": "resource_link", "uri": "…", "name": "…"}]} in structuredContent`,
	})

	openaiUnchecked = newRule(Rule{
		Code:     "openai-unchecked",
		Severity: SeverityNote,
		Summary:  "a tool for settings or mentions was not called",
		Why:      "nothing is known of what it returns",
		Remedy:   "name the tool and arguments that do no harm, as -call TOOL={…} or in Options.Calls; on this machine a tool with readOnlyHint that needs no other arguments than ChatGPT's is called anyway",
	})
)

// judgeEntrypoints judges all entrypoints of a server together, and the tools of their
// quick actions.
func (found *findings) judgeEntrypoints(s *answers.Record) {
	var buttons []button
	titles := make(map[string]string) // from a title to the tool
	n := 0
	for _, t := range s.Tools {
		value, ok := t.Meta[metakey.OpenAIUI]
		if !ok {
			continue
		}
		at := place{Tool: t.Name, Method: "tools/list", Pointer: pointer("_meta", metakey.OpenAIUI, "entrypoints")}
		ui, _ := openairules.ReadToolUI(value)
		if len(ui.Entrypoints) == 0 {
			continue
		}
		if n <= openairules.MaxEntrypoints && n+len(ui.Entrypoints) > openairules.MaxEntrypoints {
			found.add(openaiEntrypoints, at, "the server has more than %d entrypoints with those of this tool", openairules.MaxEntrypoints)
		}
		n += len(ui.Entrypoints)
		if len(ui.Entrypoints) > 1 {
			found.add(openaiEntrypoints, at, "the tool has %d entrypoints, which have its one title", len(ui.Entrypoints))
		}
		title := titleOf(t)
		if other, ok := titles[title]; ok && other != t.Name {
			found.add(openaiEntrypoints, at, "the entrypoint has the title %s, which is that of %s too", text.Quote(title), text.Quote(other))
		} else {
			titles[title] = t.Name
		}
		for _, e := range ui.Entrypoints {
			if e.ShortcutTool != "" {
				buttons = append(buttons, button{at.At(at.Pointer + pointer(e.Index, "quickAction", "target")), "quick action", e.ShortcutTool, e.ShortcutArguments})
			}
		}
	}
	found.judgeButtons(s, buttons)
}

// calledByChatGPT returns the names of the tools that ChatGPT calls though neither the
// model nor a view does: those with entrypoints, and others.
func calledByChatGPT(s *answers.Record) (entrypoints, others map[string]bool) {
	entrypoints, others = make(map[string]bool), make(map[string]bool)
	for _, t := range s.Tools {
		value, ok := t.Meta[metakey.OpenAIUI]
		if !ok {
			continue
		}
		ui, _ := openairules.ReadToolUI(value)
		entrypoints[t.Name] = len(ui.Entrypoints) > 0
		for _, e := range ui.Entrypoints {
			others[e.ShortcutTool] = true
		}
	}
	named, _ := openairules.ReadCapabilities(s.Hello.Capabilities)
	others[named.ReadSettings], others[named.UpdateSettings], others[named.SearchMentions] = true, true, true
	if s.Settings != nil {
		for _, b := range openairules.SettingsButtons(s.Settings.Object["structuredContent"]) {
			others[b.Tool] = true
		}
	}
	return entrypoints, others
}

// A button calls a tool of the server.
type button struct {
	at         place
	kind, tool string
	args       map[string]any
}

// maxButtons bounds how many buttons are judged, since the schemas of their tools are
// applied.
const maxButtons = 30

// judgeButtons judges the tools that buttons call.
func (found *findings) judgeButtons(s *answers.Record, buttons []button) {
	tools := s.ToolsByName()
	for _, b := range buttons[:min(len(buttons), maxButtons)] {
		args := b.args
		if args == nil {
			args = map[string]any{}
		}
		if t := tools[b.tool]; t == nil && !s.Failed("tools/list") {
			found.add(openaiTool, b.at, "the %s calls the tool %s, which the server does not list", b.kind, text.Quote(b.tool))
		} else if t != nil && !openairules.Accepts(t.Object, args) {
			found.add(openaiTool, b.at, "the %s calls the tool %s with %s, and its input schema does not accept that", b.kind, text.Quote(b.tool), text.JSON(args)).
				Remedy = "make the arguments optional that the call does not give"
		}
	}
}

// titleOf returns the title under which ChatGPT shows a tool.
func titleOf(t *answers.Tool) string {
	title, _ := t.Object["title"].(string)
	hints, _ := t.Object["annotations"].(map[string]any)
	hint, _ := hints["title"].(string)
	return cmp.Or(title, hint, t.Name)
}

// judgeOpenAICapability judges the capabilities for settings and mentions, and the
// tools that they name.
func (found *findings) judgeOpenAICapability(s *answers.Record) {
	at := place{Method: s.Hello.Method, Pointer: "/capabilities"}
	named, problems := openairules.ReadCapabilities(s.Hello.Capabilities)
	found.addOpenAI(at, problems)
	found.judgeCapabilityPlaces(s.Hello)
	if named.SearchMentions == "" {
		found.judgeMarkers(s)
	}
	tools := s.ToolsByName()
	for _, c := range []struct {
		name  string
		judge func(map[string]any) []openairules.Problem
	}{
		{named.ReadSettings, openairules.SettingsReadTool},
		{named.UpdateSettings, openairules.SettingsUpdateTool},
		{named.SearchMentions, openairules.MentionsTool},
	} {
		at := place{Tool: c.name, Method: "tools/list"}
		if t := tools[c.name]; t != nil {
			found.addOpenAI(at, c.judge(t.Object))
		} else if c.name != "" && !s.Failed("tools/list") {
			found.addOpenAI(at, c.judge(nil))
		}
	}
}

// judgeMarkers finds tools that say by the deprecated key that they search mentions, in a
// server without the capability.
func (found *findings) judgeMarkers(s *answers.Record) {
	for _, t := range s.Tools {
		marks, _ := t.Meta[metakey.OpenAIExtensions].(map[string]any)
		if _, ok := marks["mentions/search"]; ok {
			found.add(openaiCapabilityPlace, place{Tool: t.Name, Method: "tools/list", Pointer: pointer("_meta", metakey.OpenAIExtensions)},
				"only the deprecated key says that the tool searches mentions").
				Remedy = fmt.Sprintf(`write the capability "openai/mentions": {"searchTool": %s}`, text.Quote(t.Name))
		}
	}
}

// judgeCapabilityPlaces finds capabilities that are in one of the two maps only.
func (found *findings) judgeCapabilityPlaces(h *rpc.Hello) {
	newer, _ := h.Capabilities["extensions"].(map[string]any)
	older, _ := h.Capabilities["experimental"].(map[string]any)
	for _, key := range []string{metakey.OpenAISettings, metakey.OpenAIMentions} {
		for _, c := range []struct {
			in, out         map[string]any
			inName, outName string
		}{
			{newer, older, "extensions", "experimental"},
			{older, newer, "experimental", "extensions"},
		} {
			if !has(c.in, key) || has(c.out, key) || c.inName == "extensions" && h.Method != "initialize" {
				continue
			}
			found.add(openaiCapabilityPlace, place{Method: h.Method, Pointer: pointer("capabilities", c.inName, key)},
				"%s is in %s and not in %s", key, c.inName, c.outName)
		}
	}
}

// judgeOpenAIVersions compares what the two handshakes say of OpenAI's layer.
func (found *findings) judgeOpenAIVersions(a, b *answers.Record) {
	if b.Hello.Method == a.Hello.Method {
		return
	}
	found.judgeCapabilityPlaces(b.Hello)
	mine, _ := openairules.ReadCapabilities(a.Hello.Capabilities)
	theirs, _ := openairules.ReadCapabilities(b.Hello.Capabilities)
	if !reflect.DeepEqual(mine, theirs) {
		found.add(openaiCapabilityPlace, place{Method: b.Hello.Method, Pointer: "/capabilities"}, "the tools that openai/settings and openai/mentions name differ between %s and %s", a.Hello.Version, b.Hello.Version)
	}
}

// judgeSettings judges what the tool that reads settings returned, and the tools of its
// buttons.
func (found *findings) judgeSettings(s *answers.Record) {
	named, _ := openairules.ReadCapabilities(s.Hello.Capabilities)
	content, at, ok := found.hostResult(s, named.ReadSettings, s.Settings)
	if !ok {
		return
	}
	found.addOpenAI(at, openairules.Settings(content))
	var buttons []button
	for _, b := range openairules.SettingsButtons(content) {
		buttons = append(buttons, button{at.At(at.Pointer + b.Pointer + "/tool"), "button", b.Tool, nil})
	}
	found.judgeButtons(s, buttons)
}

// judgeMentions judges what the tool that searches mentions returned.
func (found *findings) judgeMentions(s *answers.Record) {
	named, _ := openairules.ReadCapabilities(s.Hello.Capabilities)
	if content, at, ok := found.hostResult(s, named.SearchMentions, s.Mentions); ok {
		found.addOpenAI(at, openairules.Mentions(content))
	}
}

// hostResult returns the structured content of what a tool answered that ChatGPT calls
// by itself. Not ok means that it returned nothing to judge, which is a finding unless it was
// found before.
func (found *findings) hostResult(s *answers.Record, name string, r *answers.Result) (content any, at place, ok bool) {
	at = place{Tool: name, Method: "tools/call"}
	if r == nil {
		if s.ToolsByName()[name] != nil && !s.Ended {
			found.add(openaiUnchecked, at, "the tool was not called")
		}
		return nil, at, false
	}
	for _, other := range s.Results {
		if other == r { // its failure is judged with the others
			return r.Object["structuredContent"], at.At("/structuredContent"), r.Err == nil && r.Object["isError"] != true
		}
	}
	found.addOpenAI(at, openairules.Result(r.Object))
	switch {
	case rpc.EndsSession(r.Err) || errors.Is(r.Err, rpc.ErrTimeout):
		return nil, at, false // said by the rules of servers
	case r.Err != nil:
		found.add(resultFailed, at, "%s", answered(r.Err))
		return nil, at, false
	case r.Object["isError"] == true:
		found.add(resultFailed, at, "the call's result is an error: %s", errorText(r.Object["content"]))
		return nil, at, false
	}
	return r.Object["structuredContent"], at.At("/structuredContent"), true
}
