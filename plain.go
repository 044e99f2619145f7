package mcpapps

import (
	"encoding/json"
	"maps"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// plainResult is a resources/read result that encodes in one pass. The SDK's
// own type encodes itself and is then compacted by the encoder around it, which
// for a document of some hundred kilobytes is most of the time of a read.
type plainResult struct {
	mcp.ResultBase
	ResultType json.RawMessage `json:"resultType,omitempty"`
	TTLMs      json.RawMessage `json:"ttlMs,omitempty"`
	CacheScope json.RawMessage `json:"cacheScope,omitempty"`
	Contents   []plainContents `json:"contents"`
}

type plainContents struct {
	URI      string   `json:"uri"`
	MIMEType string   `json:"mimeType,omitempty"`
	Text     string   `json:"text"`
	Meta     mcp.Meta `json:"_meta,omitempty"`
}

// plainRead returns r as a plainResult if r is an ordinary text result with an
// app in it, and otherwise r. The envelope is the SDK's own, taken from the
// encoding of r without its contents; if a later SDK adds a key there, r is
// returned.
func plainRead(r *mcp.ReadResourceResult) mcp.Result {
	if r.InputRequests != nil || r.RequestState != "" || len(r.Contents) == 0 {
		return r
	}
	contents := make([]plainContents, len(r.Contents))
	app := false
	for i, c := range r.Contents {
		if c == nil || c.Blob != nil || c.Text == "" {
			return r
		}
		app = app || isApp(c.URI, c.MIMEType)
		contents[i] = plainContents{URI: c.URI, MIMEType: c.MIMEType, Text: c.Text, Meta: c.Meta}
	}
	if !app {
		return r
	}
	bare := *r
	bare.Contents = nil
	bare.Meta = nil
	data, err := json.Marshal(&bare)
	if err != nil {
		return r
	}
	p := &plainResult{Contents: contents}
	if !p.setEnvelope(data) {
		return r
	}
	p.Meta = maps.Clone(r.Meta) // the SDK writes the server's name there
	return p
}

// setEnvelope sets what is beside the contents from the encoding of the SDK's
// result without them. It reports false if there is a key that is not known.
func (p *plainResult) setEnvelope(data []byte) bool {
	var envelope map[string]json.RawMessage
	if json.Unmarshal(data, &envelope) != nil {
		return false
	}
	for k, v := range envelope {
		switch k {
		case "resultType":
			p.ResultType = v
		case "ttlMs":
			p.TTLMs = v
		case "cacheScope":
			p.CacheScope = v
		case "contents":
		default:
			return false
		}
	}
	return true
}
