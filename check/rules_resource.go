package check

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check/internal/answers"
	"github.com/mcpapps-go/mcpapps/internal/oldformats"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

var (
	resourceUnreadable = newRule(Rule{
		Code:     "resource-unreadable",
		Severity: SeverityError,
		Hosts:    []string{hostAll},
		Summary:  "the resource that a tool names can't be read",
		Why:      "hosts read it before or during the first call, and show nothing if that fails",
		Remedy:   "serve the resource at exactly the URI that the tool names, on every transport, also before the first call; if it is registered there, its file may be missing: build it first",
		Spec:     "Resource Discovery",
	})

	resourceContents = newRule(Rule{
		Code:     "resource-contents",
		Severity: SeverityError,
		Hosts:    []string{hostReference, hostMCPUI},
		Summary:  "the result does not have exactly one content item",
		Why:      "the reference host refuses any other number, and others take the first",
		Remedy:   "return one content item: the document",
		Spec:     "Content Requirements",
	})

	resourceMediaType = newRule(Rule{
		Code:     "resource-media-type",
		Severity: SeverityError,
		Hosts:    []string{hostReference, hostMCPUI},
		Summary:  "the content item's media type is not that of apps",
		Why:      "the reference host compares the exact string and refuses the document",
		Remedy:   `write "mimeType": "text/html;profile=mcp-app" on the content item`,
		Spec:     "Content Requirements",
	})

	resourceListMediaType = newRule(Rule{
		Code:     "resource-list-media-type",
		Severity: SeverityWarning,
		Summary:  "the list entry's media type is not that of apps",
		Why:      "hosts that find apps in the list miss this one",
		Remedy:   `write "mimeType": "text/html;profile=mcp-app" on the list entry`,
		Spec:     "UI Resource Format",
	})

	resourceURI = newRule(Rule{
		Code:     "resource-uri",
		Severity: SeverityWarning,
		Summary:  "the content item has a different URI from the one requested",
		Why:      "hosts that look up the item by its URI do not find it",
		Remedy:   "return the URI of the request",
		Spec:     "Content Requirements",
	})

	resourceEmpty = newRule(Rule{
		Code:     "resource-empty",
		Severity: SeverityError,
		Hosts:    []string{hostAll},
		Summary:  "the document is empty",
		Why:      "hosts show a blank frame; an item without text and blob fails strict clients",
		Remedy:   "return the document in text, or an error if there is none",
		Spec:     "Content Requirements",
	})

	resourceEncoding = newRule(Rule{
		Code:     "resource-encoding",
		Severity: SeverityError,
		Hosts:    []string{hostReference},
		Summary:  "the document's encoding is broken",
		Why:      "the document is lost or shows wrong characters",
		Remedy:   "return UTF-8, in text or as padded base64 in blob, not in both",
		Spec:     "Content Requirements",
	})

	resourceSize = newRule(Rule{
		Code:     "resource-size",
		Severity: SeverityWarning,
		Hosts:    []string{hostQwen, hostLibreChat},
		Summary:  "the document is larger than 1 MiB",
		Why:      "some hosts silently drop documents of that size",
		Remedy:   "make it smaller: minify, leave out source maps and data, load data with a tool",
	})

	resourceUnused = newRule(Rule{
		Code:     "resource-unused",
		Severity: SeverityNote,
		Summary:  "a listed app that no tool names",
		Why:      "hosts find apps by tools",
		Remedy:   "name it in a tool's _meta.ui.resourceUri, or remove it",
		Spec:     "Resource Discovery",
	})
)

// maxDocument is the size, in bytes, above which some hosts drop a document.
const maxDocument = 1 << 20

// judgeApp judges one app: its list entry, nil if it is not listed, and the answer to
// resources/read, nil if it was not read. It returns the document, "" if there is
// none.
func (found *findings) judgeApp(uri string, listed *answers.Resource, r *answers.Read, tools *toolbox) string {
	listAt := place{URI: uri, Method: "resources/list"}
	var listUI map[string]any
	if listed != nil {
		if m, ok := listed.Object["mimeType"]; ok && m != mcpapps.MIMEType || !ok {
			found.judgeMediaType(resourceListMediaType, listAt.At("/mimeType"), fmt.Sprint(orNothing(m, ok)))
		}
		found.judgeRootKeys(listed.Object, listAt)
		listUI = found.judgeMeta(listed.Object["_meta"], listAt)
	}
	if r == nil || r.Err != nil {
		if listUI != nil {
			found.judgeResourceUI(listUI, listAt)
		}
		return ""
	}
	at := place{URI: uri, Method: "resources/read"}
	if r.Malformed || len(r.Items) != 1 {
		found.add(resourceContents, at.At("/contents"), "the result has %s, not exactly one", contentItems(r))
		if r.Malformed || len(r.Items) == 0 {
			return ""
		}
	}
	it := &r.Items[0]
	for i := range r.Items {
		if r.Items[i].MIMEType == mcpapps.MIMEType {
			it = &r.Items[i]
			break
		}
	}
	if it.MIMEType != mcpapps.MIMEType {
		_, ok := it.Object["mimeType"]
		found.judgeMediaType(resourceMediaType, at.At("/mimeType"), fmt.Sprint(orNothing(it.MIMEType, ok)))
	}
	if it.URI != uri {
		found.add(resourceURI, at.At("/uri"), "the content item has the URI %s", text.Quote(it.URI))
	}
	found.judgeRootKeys(it.Object, at)
	if v, ok := it.Object["_meta"]; ok && v == nil {
		found.add(metaType, at.At("/_meta"), "_meta is null, and clients on the TypeScript SDK reject such a content item: omit it")
	}
	readUI := found.judgeMeta(it.Object["_meta"], at)
	found.judgeMetaPlaces(listed != nil, listUI, readUI, r, listAt, at)
	found.judgeOpenAIContent(listed, it, listAt, at)
	ui := listUI
	if readUI != nil {
		ui = readUI
		found.judgeResourceUI(readUI, at)
		if listUI != nil && !reflect.DeepEqual(listUI, readUI) {
			found.judgeResourceUI(listUI, listAt)
		}
	} else if listUI != nil {
		found.judgeResourceUI(listUI, listAt)
	}
	html, ok := found.judgeContent(it, at)
	if !ok {
		return ""
	}
	d := document{at: at, tools: tools}
	if ui != nil {
		if raw, err := json.Marshal(ui); err == nil {
			_ = d.ui.UnmarshalJSON(raw) // its faults are found already
		}
	}
	found.judgeDocument(html, d)
	return html
}

func orNothing(v any, ok bool) any {
	if !ok || v == nil {
		return ""
	}
	return v
}

func contentItems(r *answers.Read) string {
	if r.Malformed {
		return "contents that are not a list of objects"
	}
	return plural(len(r.Items), "content item")
}

func (found *findings) judgeMediaType(r *Rule, at place, got string) {
	if got == "" {
		found.add(r, at, "there is no mimeType; it must be %q", mcpapps.MIMEType)
		return
	}
	what := oldformats.Note(got)
	if mcpapps.IsMIMEType(got) {
		what = ", which is equivalent, but hosts compare the text"
	}
	found.add(r, at, "the media type is %s%s; it must be %q", text.Quote(got), what, mcpapps.MIMEType)
}

// content returns the document of an item.
func (found *findings) judgeContent(it *answers.Item, at place) (string, bool) {
	var html string
	switch {
	case it.Text != nil && it.Blob != nil:
		found.add(resourceEncoding, at, "the content item has both text and blob")
		html = *it.Text
	case it.Text != nil:
		html = *it.Text
	case it.Blob != nil:
		data, err := base64.StdEncoding.DecodeString(*it.Blob)
		if err != nil {
			found.add(resourceEncoding, at.At("/blob"), "the blob is not base64: %v", err)
			return "", false
		}
		html = string(data)
	default:
		found.add(resourceEmpty, at, "the content item has neither text nor blob")
		return "", false
	}
	switch {
	case strings.TrimSpace(html) == "":
		found.add(resourceEmpty, at, "the document is empty")
		return "", false
	case strings.HasPrefix(html, "\xff\xfe") || strings.HasPrefix(html, "\xfe\xff"):
		found.add(resourceEncoding, at, "the document is UTF-16, not UTF-8")
		return "", false
	case !utf8.ValidString(html):
		found.add(resourceEncoding, at, "the document is not UTF-8")
		html = strings.ToValidUTF8(html, "\ufffd")
	}
	if len(html) > maxDocument {
		found.add(resourceSize, at, "the document has %d bytes; some hosts accept 1,048,576", len(html))
	}
	return html, true
}
