package viewform_test

import (
	"encoding/json"
	"testing"

	"github.com/mcpapps-go/mcpapps/viewform"
	"github.com/stretchr/testify/require"
)

// No arguments and no record cause a panic, and the work is done once at most.
func FuzzCalls(f *testing.F) {
	for _, seed := range []string{`{}`, `[]`, `null`, `7`, `{"confirm":null}`, `{"confirm":"KEY"}`, `{"ids":[1]}`, `{"confirm":"KEY","values":{"ids":[1]}}`, `{"confirm":"KEY","values":null}`, `{"ids":[1e400]}`, `{"confirm":"KEY","ids":[]}`} {
		f.Add(seed, `{"state":"open"}`)
	}
	for _, seed := range []string{``, `{`, `null`, `[]`, `{"state":7}`, `{"state":"running","until":1e99}`, `{"state":"done","value":{}}`, `{"state":"done","value":null}`, `{"state":"open","error":"x"}`} {
		f.Add(`{"confirm":"KEY","values":{"ids":[1]}}`, seed)
	}
	f.Fuzz(func(t *testing.T, arguments, stored string) {
		if !json.Valid([]byte(arguments)) {
			return // the SDK rejects the message
		}
		var o orders
		s, st := newServer(viewform.Form[removal, removed]{Do: o.remove})
		c := dial(t, s, modern, unsaid)
		key := c.open()
		st.replace(stored)
		var m map[string]any
		if json.Unmarshal([]byte(arguments), &m) == nil && m["confirm"] == "KEY" {
			m["confirm"] = key
			data, err := json.Marshal(m)
			require.NoError(t, err)
			arguments = string(data)
		}
		for range 2 {
			c.call("remove_submit", arguments)
			c.call("remove", arguments)
		}
		require.LessOrEqual(t, o.count(), 1)
	})
}
