package check_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/check"
)

// TestTextSaysThingsOnce shows that a long report repeats neither what all
// findings of a code share nor a remedy, and leaves out no remedy.
func TestTextSaysThingsOnce(t *testing.T) {
	r, err := check.Document(`<!doctype html><p>Hello</p>
<script>fetch("https://a.example/"); fetch("https://b.example/"); alert(1); print()</script>`, &check.Options{URI: "view.html"})
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, r.WriteText(&b))
	assert.Equal(t, `warning csp-undeclared: view.html:2:15: fetch uses "https://a.example", which is not in csp.connectDomains
    why:    the policy blocks the request
    remedy: declare {"connectDomains": ["https://a.example"]} in _meta.ui.csp of the resource (View.UI.CSP in Go)
    hosts:  all hosts
    spec:   Host Behavior
warning csp-undeclared: view.html:2:44: fetch uses "https://b.example", which is not in csp.connectDomains
    remedy: declare {"connectDomains": ["https://b.example"]} in _meta.ui.csp of the resource (View.UI.CSP in Go)
warning doc-dialog: view.html:2:73: the script calls alert
    why:    the sandbox does not allow modals: nothing is shown, confirm is always false, and prompt is null
    remedy: ask in the page itself: a <dialog> element works
    hosts:  the reference host (ext-apps)
    spec:   Sandbox proxy
warning doc-dialog: view.html:2:77: the script calls print
0 errors, 4 warnings, 0 notes in 1 document
`, b.String())
}
