package hosts

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/internal/factwords"
)

// A row is a fact of a host that a view can see, and how.
type row struct {
	key   string // that of the fact
	title string // "" means that of the fact
	// seen says what the view saw, in the words of the fact's value.
	seen func(*seen) string
	// shows says what a view sees where the fact has a value, if that is something
	// else than the value.
	shows func(value string) string
	// app is the URI of the app that package check judges by this fact, "" if it
	// judges none.
	app string
}

// groups are the rows by what they are about.
var groups = []struct {
	title string
	rows  []row
}{
	{"What the host shows, and tells of it", []row{
		{key: "displayModes", seen: (*seen).modes, app: rowsURI},
		{key: "size", seen: func(s *seen) string { return inWords(mustJSON(s.first.Host.HostContext.ContainerDimensions)) }},
		{key: "platform", seen: func(s *seen) string { return orNone(s.first.Host.HostContext.Platform) }},
		{key: "prefersBorder", seen: func(s *seen) string { return yesNo(s.border) }},
		{key: "toolInfo", seen: func(s *seen) string { return yesNo(s.first.Host.HostContext.ToolInfo != nil) }},
	}},
	{"What the view receives", []row{
		{key: "partialInput", seen: func(s *seen) string { return yesNo(s.first.got("ui/notifications/tool-input-partial")) }},
		{key: "cancelled", seen: func(s *seen) string { return yesNo(s.slow.got("ui/notifications/tool-cancelled")) }},
		{key: "contextChanged", seen: func(s *seen) string { return yesNo(s.first.got("ui/notifications/host-context-changed")) }},
		{key: "teardown", seen: func(s *seen) string { return yesNo(s.closed.got("ui/resource-teardown")) }},
		{key: "result", seen: (*seen).parts, app: rowsURI},
		{key: "resultLimit", title: fmt.Sprintf("a result of more than %d characters", longResult), seen: (*seen).longResult, shows: limited(longResult, "whole", "replaced"), app: rowsURI},
		{key: "reload", seen: (*seen).reloaded},
	}},
	{"What the view can ask for", []row{
		asked("openLink", "openLinks"),
		asked("message", "message"),
		asked("updateModelContext", "updateModelContext"),
		asked("downloadFile", "downloadFile"),
		asked("serverTools", "serverTools"),
		asked("serverResources", "serverResources"),
		{key: "requestTeardown", seen: func(s *seen) string { return yesNo(s.left) }, app: rowsURI},
		{key: "appTools", seen: func(s *seen) string { return yesNo(s.called) }, app: rowsURI},
	}},
	{"What counts of the declaration", []row{
		loaded("connectDomains"),
		loaded("resourceDomains"),
		loaded("frameDomains"),
		loaded("baseUriDomains"),
		{key: "permissions", seen: (*seen).permissions, app: rowsURI},
		{key: "documentLimit", title: "a document of more than 1 MiB", seen: func(s *seen) string { return choose(s.large, "read", "refused") }, shows: limited(largeDocument, "read", "refused"), app: largeURI},
	}},
}

// untried are the facts that no view can see in a bridge, and why.
var untried = map[string]string{
	"permissionsDenied": "what is seen of it stands under permissions granted",
	"clientNames":       "what the server is told",
	"protocolVersions":  "what the server is told",
	"declares":          "what the server is told",
	"engine":            "the browser is always Chromium",
	"callTimeout":       "it would take minutes",
	"domain":            "each view has an origin of its own",
	"hidesAppTools":     "what the model is told",
	"listsKept":         "what the server is asked",
	"documentsKept":     "what the server is asked",
	"modelReads":        "what the model is told",
	"openaiKeys":        "what the server declares besides",
	"entrypoints":       "what the user of the preview opens",
	"openaiForms":       "what the server asks",
}

// asked is the row of a request, which a capability announces.
func asked(key, capability string) row {
	return row{key: key, app: rowsURI, seen: func(s *seen) string {
		_, advertised := s.first.Host.HostCapabilities[capability]
		switch works := s.first.Answers[key]; {
		case works && advertised:
			return string(compat.Yes)
		case works:
			return string(compat.Unadvertised)
		case advertised:
			return string(compat.Refused)
		default:
			return string(compat.No)
		}
	}}
}

// loaded is the row of a field of the CSP. A host that honours it in some cases only is
// shown as one that does not.
func loaded(key string) row {
	return row{key: key, app: rowsURI,
		seen: func(s *seen) string { return yesNo(s.first.Answers[key]) },
		shows: func(value string) string {
			return strings.Replace(value, string(compat.Restricted), string(compat.No), 1)
		},
	}
}

// name returns the title of the row.
func (r *row) name() string { return cmp.Or(r.title, titleOf(r.key)) }

// limited says what is seen of something with a size where a host has a limit.
func limited(size int, within, above string) func(string) string {
	return func(limit string) string {
		var n int
		_, err := fmt.Sscan(limit, &n)
		return choose(err != nil || n <= 0 || size <= n, within, above)
	}
}

// modes are the modes that are offered. One that is offered and not given, or the other
// way round, is marked.
func (s *seen) modes() string {
	offered := s.first.Host.HostContext.AvailableDisplayModes
	var list []string
	for i, mode := range []string{"pip", "fullscreen", "inline"} {
		given := i < len(s.first.Modes) && s.first.Modes[i] == mode
		switch offers := slices.Contains(offered, mode); {
		case given && offers:
			list = append(list, mode)
		case given && mode != "inline": // in which it is
			list = append(list, mode+" (not offered)")
		case offers:
			list = append(list, mode+" (not given)")
		}
	}
	return inWords(mustJSON(list))
}

// parts says which parts of the result came.
func (s *seen) parts() string {
	r, got := s.first.result()
	switch content, data, private := len(r.Content) == 1, r.StructuredContent.Data == "short", r.Meta.Private == resultMeta; {
	case !got || !content:
		return "nothing"
	case data && private:
		return string(compat.ResultWhole)
	case data:
		return string(compat.ResultWithoutMeta)
	case private:
		return "without structured content"
	default:
		return string(compat.ResultContentOnly)
	}
}

// longResult says whether the long result came. Where structured content never comes,
// nothing of it is long.
func (s *seen) longResult() string {
	r, got := s.long.result()
	usual, _ := s.first.result()
	same := len(r.Content) == 1 && len(usual.Content) == 1 && r.Content[0].Text == usual.Content[0].Text
	return choose(got && same, "whole", "replaced")
}

// reloaded says what came of input and result when the document was loaded again.
func (s *seen) reloaded() string {
	r, got := s.again.result()
	first := s.first.params("ui/notifications/tool-result")
	switch input := s.again.got("ui/notifications/tool-input"); {
	case !got && !input:
		return string(compat.ReloadNothing)
	case !input:
		return "the result alone"
	case !got:
		return string(compat.ReloadNoResult)
	case string(s.again.params("ui/notifications/tool-result")) == string(first):
		return string(compat.ReloadWhole)
	case len(r.Content) == 0 && r.StructuredContent.Data == nil && r.Meta.Private == "":
		return string(compat.ReloadEmptied)
	default:
		return "something else"
	}
}

func (s *seen) permissions() string {
	granted := []string{}
	for _, name := range slices.Sorted(maps.Keys(s.first.Permissions)) {
		if s.first.Permissions[name] {
			granted = append(granted, name)
		}
	}
	return inWords(mustJSON(granted))
}

// inWords returns the JSON of a value for people. The order of a list does not count.
func inWords(value string) string {
	var list []string
	if json.Unmarshal([]byte(value), &list) == nil {
		slices.Sort(list)
		value = mustJSON(list)
	}
	return factwords.Value(value)
}

func yesNo(b bool) string { return choose(b, string(compat.Yes), string(compat.No)) }

func orNone(s string) string { return choose(s != "", s, "none") }

func choose(b bool, yes, no string) string {
	if b {
		return yes
	}
	return no
}

func mustJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}
