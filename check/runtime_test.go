package check_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/check"
	"github.com/mcpapps-go/mcpapps/view"
)

// TestRuntime shows that the view runtime of this library raises nothing: what
// is wrong in a document with it is its author's.
func TestRuntime(t *testing.T) {
	doc := "<!doctype html>\n<p>Hello</p>\n<script type=\"module\">" + view.Script() + "</script>\n"
	r, err := check.Document(doc, nil)
	require.NoError(t, err)
	assert.Empty(t, r.Findings)

	r, err = check.Document(doc+"<script>eval(code)</script>", nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"doc-eval"}, codes(r), "and that it is read")
}
