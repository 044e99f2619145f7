package check

import (
	"fmt"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

var (
	docBareImport = newRule(Rule{
		Code:     "doc-bare-import",
		Severity: SeverityError,
		Hosts:    []string{hostAll},
		Summary:  "a module is imported by a bare name",
		Why:      "browsers can't resolve the name, and the whole script does not run",
		Remedy:   "bundle the module into the document",
	})

	docEval = newRule(Rule{
		Code:     "doc-eval",
		Severity: SeverityWarning,
		Hosts:    []string{hostVSCode, hostPostHog, hostGoose},
		Summary:  "a script makes code from text (eval, Function)",
		Why:      "no metadata allows it, and only hosts that are looser than the specification run it",
		Remedy:   "use a build without it",
		Spec:     "Host Behavior",
	})

	docNavigation = newRule(Rule{
		Code:     "doc-navigation",
		Severity: SeverityWarning,
		Hosts:    []string{hostAll},
		Summary:  "the document navigates, opens a window or submits a form",
		Why:      "the sandbox blocks it, or the view is gone for a blank frame",
		Remedy:   "ask the host with ui/open-link (App.openLink), and call a tool instead of submitting a form",
		Spec:     "Sandbox proxy",
	})

	docDialog = newRule(Rule{
		Code:     "doc-dialog",
		Severity: SeverityWarning,
		Hosts:    []string{hostReference},
		Summary:  "a script opens a dialog of the browser's (alert, confirm, prompt, print)",
		Why:      "the sandbox does not allow modals: nothing is shown, confirm is always false, and prompt is null",
		Remedy:   "ask in the page itself: a <dialog> element works",
		Spec:     "Sandbox proxy",
	})

	docDownload = newRule(Rule{
		Code:     "doc-download",
		Severity: SeverityNote,
		Hosts:    []string{hostReference},
		Summary:  "the document asks the browser to save a file",
		Why:      "the sandbox does not allow downloads: nothing happens, if it comes to that",
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

// judgeToolCalls compares the tools that the document names with those that the
// server has.
func (found *findings) judgeToolCalls(p *page, d document) {
	if d.tools == nil {
		return
	}
	for _, call := range p.calls {
		t := d.tools.byName[call.name]
		switch {
		case t == nil:
			f := found.addAt(p, d.at, docToolUnknown, call.offset, "the view calls the tool %q, which the server does not have", text.Shorten(call.name, maxValue))
			if f.Code == "" {
				continue
			}
			if n := d.tools.nearest(call.name); n != "" {
				f.Remedy = fmt.Sprintf("call %q, which is the nearest, or add the tool", n)
			}
		case !t.App:
			found.addAt(p, d.at, docToolHidden, call.offset, "the view calls the tool %q, which is not visible to views", text.Shorten(call.name, maxValue))
		}
	}
}
