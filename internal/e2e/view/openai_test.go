package view

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// With both App classes, the functions of "mcp-app/openai" show what the golden file
// holds, and send the requests in it. The reference's bridge is at the other end, so
// neither App nor the bridge drops OpenAI's keys. CI leaves out the cases that use no App
// with the reference's class; ci/full runs them.
func TestOpenAI(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	cases := []string{
		"openaiLinks", "openaiLinkVectors", "openaiMessages", "openaiContext", "openaiFiles", "openaiElsewhere", "openaiKeptID",
	}
	withApp := []string{"openaiLinks", "openaiMessages", "openaiContext", "openaiFiles", "openaiElsewhere"}
	b.compareCases(t, cases, withApp, "openai.txt", record.requests)
}

// requests returns what the view reported, then the requests that it sent after
// ui/initialize, as method and params.
func (r record) requests(t *testing.T, name string) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s\n", name)
	for _, shown := range r.reports(t) {
		fmt.Fprintf(&s, "  shown %s\n", shown)
	}
	for _, m := range r.Messages {
		var request struct {
			ID     *int
			Method string
			Params map[string]any
		}
		if m.From != "view" || json.Unmarshal(m.Message, &request) != nil || request.ID == nil || request.Method == "" || request.Method == "ui/initialize" {
			continue
		}
		if meta, ok := request.Params["_meta"].(map[string]any); ok && meta["progressToken"] != nil {
			delete(meta, "progressToken") // follows from the request's id
		}
		params, err := json.Marshal(request.Params)
		require.NoError(t, err)
		fmt.Fprintf(&s, "  sent  %s %s\n", request.Method, params)
	}
	return s.String()
}
