package rpc

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPeerAnswers shows what a server's own requests are answered: a ping with {}, and
// others with an error.
func TestPeerAnswers(t *testing.T) {
	answers := make(chan *jsonrpc.Response, 2)
	p := newPeer(func(m jsonrpc.Message) error {
		answers <- m.(*jsonrpc.Response)
		return nil
	}, func() {})
	requests := []string{"ping", "roots/list"}
	p.serve(func() (jsonrpc.Message, error) {
		if len(requests) == 0 {
			return nil, errors.New("that was all")
		}
		id, err := jsonrpc.MakeID(requests[0])
		require.NoError(t, err)
		m := &jsonrpc.Request{ID: id, Method: requests[0]}
		requests = requests[1:]
		return m, nil
	})
	for range 2 {
		a := <-answers
		if a.ID.Raw() == "ping" {
			require.NoError(t, a.Error)
			assert.Equal(t, json.RawMessage("{}"), a.Result)
			continue
		}
		var wire *jsonrpc.Error
		require.ErrorAs(t, a.Error, &wire)
		assert.EqualValues(t, jsonrpc.CodeMethodNotFound, wire.Code)
	}
	<-p.Ended()
	assert.ErrorIs(t, p.Failure(), ErrClosed)
}
