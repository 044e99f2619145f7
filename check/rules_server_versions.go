package check

import (
	"maps"
	"reflect"
	"slices"

	"github.com/mcpapps-go/mcpapps/check/internal/answers"
)

var (
	serverVersions = newRule(Rule{
		Code:     "server-versions",
		Severity: SeverityWarning,
		Summary:  "tools or documents differ between protocol versions",
		Why:      "hosts use different versions, so some get a different app from the one you tested",
		Remedy:   "serve the same metadata and documents on every version",
	})
)

// judgeVersions compares what the server answers in two protocol versions.
func (found *findings) judgeVersions(a, b *answers.Record) {
	if b.Ended || len(b.Failures) > 0 {
		return
	}
	at := place{Method: "tools/list"}
	mine, theirs := a.ToolsByName(), b.ToolsByName()
	for _, name := range slices.Sorted(maps.Keys(mine)) {
		at := place{Method: "tools/list", Tool: name}
		if t := theirs[name]; t == nil {
			found.add(serverVersions, at, "the tool is listed on %s and not on %s", a.Hello.Version, b.Hello.Version)
		} else if key := differs(mine[name].Object, t.Object); key != "" {
			found.add(serverVersions, at.At(pointer(key)), "%s differs between %s and %s", key, a.Hello.Version, b.Hello.Version)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(theirs)) {
		if mine[name] == nil {
			at.Tool = name
			found.add(serverVersions, at, "the tool is listed on %s and not on %s", b.Hello.Version, a.Hello.Version)
		}
	}
	first := a.ResourcesByURI()
	for _, r := range b.Resources {
		if q := first[r.URI]; q != nil && !reflect.DeepEqual(r.Meta["ui"], q.Meta["ui"]) {
			at := place{Method: "resources/list", URI: r.URI}
			found.add(serverVersions, at.At("/_meta/ui"), "_meta.ui differs between %s and %s", a.Hello.Version, b.Hello.Version)
		}
	}
	for _, uri := range slices.Sorted(maps.Keys(b.Reads)) {
		r, q := a.Reads[uri], b.Reads[uri]
		at := place{Method: "resources/read", URI: uri}
		if r == nil || r.Err != nil || q.Err != nil || len(r.Items) == 0 || len(q.Items) == 0 {
			continue
		}
		i, j := r.Items[0], q.Items[0]
		switch {
		case !equal(i.Text, j.Text) || !equal(i.Blob, j.Blob):
			found.add(serverVersions, at, "the document differs between %s and %s", a.Hello.Version, b.Hello.Version)
		case i.MIMEType != j.MIMEType:
			found.add(serverVersions, at.At("/mimeType"), "the media type differs between %s and %s", a.Hello.Version, b.Hello.Version)
		case !reflect.DeepEqual(i.UI(), j.UI()):
			found.add(serverVersions, at.At("/_meta/ui"), "_meta.ui differs between %s and %s", a.Hello.Version, b.Hello.Version)
		}
	}
}

func equal(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// differs returns the first key whose value differs between two objects, "" if there
// is none.
func differs(a, b map[string]any) string {
	for _, k := range slices.Sorted(maps.Keys(a)) {
		if !reflect.DeepEqual(a[k], b[k]) {
			return k
		}
	}
	for _, k := range slices.Sorted(maps.Keys(b)) {
		if _, ok := a[k]; !ok {
			return k
		}
	}
	return ""
}
