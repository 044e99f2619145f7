package mcpapps

import (
	"encoding/json"
	"maps"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// plainResult is a resources/read result that is encoded in one pass. The SDK's
// type has a MarshalJSON method, whose output the encoder then compacts: most of
// the time of a read, for a document of several hundred kilobytes.
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

// plainRead returns r as a plainResult if r has only text contents and one of
// them is an app; otherwise it returns r. The members beside the contents are
// taken from the SDK's own encoding of r without its contents. If a later SDK
// adds one, plainRead returns r.
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

// setEnvelope sets the members other than the contents from the encoding of an SDK
// result without contents. It reports false for an unknown member.
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
