package check

import (
	"fmt"
	"strings"

	"github.com/mcpapps-go/mcpapps/check/internal/page"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

var (
	docBareImport = newRule(Rule{
		Code:     "doc-bare-import",
		Severity: SeverityError,
		Hosts:    []string{hostAll},
		Summary:  "a module is imported by a bare name",
		Why:      "browsers can't resolve the name, and the whole script does not run",
		Remedy:   "bundle the module into the document: in Go, serve the page with bundle.Handler, or bundle.TemplateHandler for a template (package view/bundle)",
	})

	docEval = newRule(Rule{
		Code:     "doc-eval",
		Severity: SeverityWarning,
		Hosts:    []string{hostVSCode, hostPostHog, hostGoose},
		Summary:  "a script makes code from text (eval, Function)",
		Why:      "no metadata allows it; only hosts less strict than the specification run it",
		Remedy:   "use a build without it",
		Spec:     "Host Behavior",
	})

	docNavigation = newRule(Rule{
		Code:     "doc-navigation",
		Severity: SeverityWarning,
		Hosts:    []string{hostAll},
		Summary:  "the document navigates, opens a window or submits a form",
		Why:      "the sandbox blocks it, or a blank frame replaces the view",
		Remedy:   "ask the host with ui/open-link (App.openLink), and call a tool instead of submitting a form",
		Spec:     "Sandbox proxy",
	})

	docDialog = newRule(Rule{
		Code:     "doc-dialog",
		Severity: SeverityWarning,
		Hosts:    []string{hostReference},
		Summary:  "a script opens a browser dialog (alert, confirm, prompt, print)",
		Why:      "the sandbox does not allow modals: nothing is shown, confirm is always false, and prompt is null",
		Remedy:   "ask in the page itself: a <dialog> element works",
		Spec:     "Sandbox proxy",
	})

	docDownload = newRule(Rule{
		Code:     "doc-download",
		Severity: SeverityNote,
		Hosts:    []string{hostReference},
		Summary:  "the document asks the browser to save a file",
		Why:      "the sandbox does not allow downloads, so nothing happens",
		Remedy:   "ask the host with ui/download-file (App.downloadFile), where its capabilities have downloadFile",
		Spec:     "Sandbox proxy",
	})

	docToolUnknown = newRule(Rule{
		Code:     "doc-tool-unknown",
		Severity: SeverityWarning,
		Hosts:    []string{hostAll},
		Summary:  "the document calls a tool that the server does not have",
		Why:      "the call fails",
		Remedy:   "call a tool by its name in tools/list",
		Spec:     "Standard MCP Messages",
	})

	docToolHidden = newRule(Rule{
		Code:     "doc-tool-hidden",
		Severity: SeverityWarning,
		Hosts:    []string{hostAll},
		Summary:  "the document calls a tool that views may not call",
		Why:      "hosts must refuse the call",
		Remedy:   `add "app" to the tool's visibility`,
		Spec:     "Visibility",
	})
)

// judgeFacts judges what a document does independently of the declaration.
func (found *findings) judgeFacts(p *page.Page, d document) {
	if p.SelfSubmitAt >= 0 && !preventsSubmit(p.Doc) {
		found.addAt(p, d.at, docNavigation, p.SelfSubmitAt, "the form has no action, and no script keeps it from loading the document again")
	}
	byHost := downloadsByHost(p.Doc)
	for _, f := range p.Facts {
		add := func(r *Rule, remedy, format string, args ...any) {
			if f := found.addAt(p, d.at, r, f.Offset, format, args...); remedy != "" {
				f.Remedy = remedy
			}
		}
		switch f.Kind {
		case page.BareImport:
			add(docBareImport, "", "%s %q: a browser can't resolve the name", f.What, text.Shorten(f.Name, maxValue))
		case page.Eval:
			add(docEval, "", "the script makes code from text with %s", f.What)
		case page.TimerText:
			add(docEval, "pass a function", "%s is given code as text", f.What)
		case page.Dialog:
			add(docDialog, "", "the script calls %s", f.What)
		case page.Download:
			if !byHost {
				add(docDownload, "", "%s asks the browser to save a file", f.What)
			}
		case page.Reload:
			add(docNavigation, "call a tool for new data, and draw again", "%s loads the document again", f.What)
		case page.Leave:
			add(docNavigation, "", "the script leaves the document by %s", f.What)
		case page.OpenWindow:
			add(docNavigation, "", "the script opens a window")
		case page.ServiceWorker:
			add(docBlockedSource, "", "the script registers a service worker, which needs a file next to the document")
		case page.BlobWorker:
			add(docBlockedSource, "do the work in the page", "the script starts a worker from a blob: address")
		case page.WebAssembly:
			add(docBlockedSource, "provide a way without it, in JavaScript", "the script compiles WebAssembly, which needs 'wasm-unsafe-eval'")
		case page.Unread:
			add(checkScriptUnread, "", "%s", text.Shorten(f.What, maxValue))
		}
	}
}

// preventsSubmit reports whether a script of the document probably keeps forms from
// being submitted.
func preventsSubmit(doc string) bool {
	return strings.Contains(doc, "preventDefault") || strings.Contains(doc, "returnValue") ||
		strings.Contains(doc, "return false") || strings.Contains(doc, "return!1")
}

// downloadsByHost reports whether the document asks its host to save files. Then a
// download in its markup is for hosts that can't.
func downloadsByHost(doc string) bool {
	return strings.Contains(doc, ".downloadFile(") ||
		strings.Contains(doc, "ui/download-file") && !strings.Contains(doc, "downloadFile")
}

// judgeToolCalls compares the tools that the document names with those that the
// server has.
func (found *findings) judgeToolCalls(p *page.Page, d document) {
	if d.tools == nil {
		return
	}
	for _, call := range p.ToolCalls {
		t := d.tools.byName[call.Name]
		switch {
		case t == nil:
			f := found.addAt(p, d.at, docToolUnknown, call.Offset, "the view calls the tool %q, which the server does not have", text.Shorten(call.Name, maxValue))
			if f.Code == "" {
				continue
			}
			if n := d.tools.nearest(call.Name); n != "" {
				f.Remedy = fmt.Sprintf("call %q, which is the nearest, or add the tool", n)
			}
		case !t.App:
			found.addAt(p, d.at, docToolHidden, call.Offset, "the view calls the tool %q, which is not visible to views", text.Shorten(call.Name, maxValue))
		}
	}
}
