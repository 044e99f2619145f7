package openai

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/owner"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// formState is what the client keeps between the rounds of a call.
type formState struct {
	Expires int64            `json:"expires"` // in Unix seconds, for all forms of the call
	Form    string           `json:"form"`    // the form that is asked
	Asked   int              `json:"asked"`   // how often it was
	Answers map[string]given `json:"answers,omitempty"`
}

const (
	// maxAnswers bounds the answers to all forms of a call, in bytes of JSON.
	maxAnswers = 16 << 10
	// maxState bounds the JSON of a state, whose other parts are of bounded length.
	maxState = maxAnswers + 2048
)

var (
	stateEncoding = base64.RawURLEncoding
	maxSealed     = stateEncoding.EncodedLen(sha256.Size + maxState)
)

var errState = errors.New("the state of the call is not valid, or not valid any more: call the tool again, without requestState and inputResponses, to start again")

func tooLong(n int) error {
	return fmt.Errorf("the answers to the forms of this call have %d bytes, and may have %d: call the tool again and answer with less", n, maxAnswers)
}

// seal returns the state for the client.
func (f *Forms) seal(ctx context.Context, req *mcp.CallToolRequest, s formState) (string, error) {
	answers, err := json.Marshal(s.Answers)
	if err != nil {
		return "", err
	}
	if len(answers) > maxAnswers {
		return "", tooLong(len(answers))
	}
	payload, err := json.Marshal(s)
	if err != nil {
		return "", err
	}
	mac, err := f.mac(ctx, req, payload)
	if err != nil {
		return "", err
	}
	return stateEncoding.EncodeToString(append(mac, payload...)), nil
}

// open returns the state of a call with the answer that came with it, or a new state. An
// answer without a state counts for nothing: it would be for a form that nobody asked.
func (f *Forms) open(ctx context.Context, req *mcp.CallToolRequest) (formState, error) {
	if req.Params.RequestState == "" {
		return formState{Expires: time.Now().Add(f.expiry).Unix()}, nil
	}
	s, err := f.verify(ctx, req, req.Params.RequestState)
	if err != nil {
		return s, err
	}
	if len(req.Params.InputResponses) == 0 {
		return s, nil
	}
	res, ok := req.Params.InputResponses[s.Form].(*mcp.ElicitResult)
	if !ok || res == nil {
		return formState{}, errState // it answers another form
	}
	if s.Answers == nil {
		s.Answers = make(map[string]given)
	}
	g := given{Action: res.Action}
	if g.Action == "accept" {
		g.Content = res.Content
	}
	s.Answers[s.Form] = g
	return s, nil
}

// verify decodes a state that this server, or one with the same key, has sealed for the
// same call.
func (f *Forms) verify(ctx context.Context, req *mcp.CallToolRequest, sealed string) (s formState, err error) {
	if len(sealed) > maxSealed {
		return s, errState
	}
	b, err := stateEncoding.DecodeString(sealed)
	if err != nil || len(b) <= sha256.Size || stateEncoding.EncodeToString(b) != sealed {
		return s, errState // the decoder ignores line ends, and the last bits
	}
	payload := b[sha256.Size:]
	mac, err := f.mac(ctx, req, payload)
	if err != nil || !hmac.Equal(b[:sha256.Size], mac) {
		return s, errState
	}
	if json.Unmarshal(payload, &s) != nil || time.Now().Unix() >= s.Expires {
		return formState{}, errState
	}
	return s, nil
}

// mac returns the code of a state: it depends on the call, so that no other call can
// continue with it.
func (f *Forms) mac(ctx context.Context, req *mcp.CallToolRequest, payload []byte) ([]byte, error) {
	arguments, err := canonical(req.Params.Arguments)
	if err != nil {
		return nil, err
	}
	h := hmac.New(sha256.New, f.key)
	for _, part := range [][]byte{[]byte("mcpapps/openai form 1"), []byte(owner.Of(ctx, req)), []byte(req.Params.Name), arguments, payload} {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(part)))
		h.Write(n[:])
		h.Write(part)
	}
	return h.Sum(nil), nil
}

// canonical returns arguments as JSON without a choice: keys in order, numbers as Go
// writes them, and no arguments as an empty object.
func canonical(arguments json.RawMessage) ([]byte, error) {
	var v any
	if len(arguments) > 0 {
		var err error
		if v, err = jsonvalue.Decode(arguments); err != nil {
			return nil, fmt.Errorf("the arguments of the call are not JSON: %w", err)
		}
	}
	if v == nil {
		v = map[string]any{}
	}
	return json.Marshal(v)
}
