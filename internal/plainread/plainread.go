// Package plainread has a resources/read result that is encoded in one pass. Package
// mcpapps makes it, and other packages of this module whose middleware runs later read it.
package plainread

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Result is the result of a read of text. The SDK's type has a MarshalJSON method, whose
// output the encoder then compacts: most of the time of a read, for a document of several
// hundred kilobytes.
type Result struct {
	mcp.ResultBase
	ResultType json.RawMessage `json:"resultType,omitempty"`
	TTLMs      json.RawMessage `json:"ttlMs,omitempty"`
	CacheScope json.RawMessage `json:"cacheScope,omitempty"`
	Contents   []Contents      `json:"contents"`
}

// Contents is one text.
type Contents struct {
	URI      string   `json:"uri"`
	MIMEType string   `json:"mimeType,omitempty"`
	Text     string   `json:"text"`
	Meta     mcp.Meta `json:"_meta,omitempty"`
}

// SetEnvelope sets the members other than the contents from the encoding of an SDK
// result without contents. It reports false for an unknown member.
func (r *Result) SetEnvelope(data []byte) bool {
	var envelope map[string]json.RawMessage
	if json.Unmarshal(data, &envelope) != nil {
		return false
	}
	for k, v := range envelope {
		switch k {
		case "resultType":
			r.ResultType = v
		case "ttlMs":
			r.TTLMs = v
		case "cacheScope":
			r.CacheScope = v
		case "contents":
		default:
			return false
		}
	}
	return true
}
