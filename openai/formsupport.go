package openai

import (
	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// firstRounds is the first protocol version in which the result of a call asks for input,
// and servers send no requests.
const firstRounds = "2026-07-28"

// A way is how a client can be asked.
type way struct {
	version  string // the client's protocol version
	rounds   bool   // by the result of the call, not by a request
	extended bool   // with the fields of OpenAI's extension
	plain    bool   // with MCP's own fields
}

// wayTo returns how the client that sent a request can be asked: the zero value if it
// declares no forms, or if nothing is known of it.
func wayTo(req *mcp.CallToolRequest) way {
	if req == nil || req.Params == nil || req.Session == nil {
		return way{}
	}
	init := req.Session.InitializeParams()
	version, _ := req.Params.Meta[mcp.MetaKeyProtocolVersion].(string)
	var caps *mcp.ClientCapabilities
	// If the session is older than the request, the SDK asks by requests, without the
	// extension's fields, and not in rounds.
	rounds := version >= firstRounds && (init == nil || init.ProtocolVersion >= firstRounds)
	switch {
	case rounds:
		caps = req.ClientCapabilities()
	case init == nil || init.ProtocolVersion >= firstRounds:
		// The client asked for a newer version than the session has: the SDK sends it
		// no requests, and it does not know the other way.
		return way{}
	default:
		version, caps = init.ProtocolVersion, init.Capabilities
	}
	if caps == nil || caps.Elicitation == nil {
		return way{}
	}
	w := way{version: version, rounds: rounds}
	w.plain = caps.Elicitation.Form != nil || caps.Elicitation.URL == nil // {} stands for form
	w.extended = caps.Elicitation.Form != nil && declaresForms(caps.Extensions[metakey.OpenAIElicitation]) &&
		(rounds || init.Meta[legacyFormsMark] == true)
	return w
}

// declaresForms reports whether the value of the extension's capability has an object form.
func declaresForms(extension any) bool {
	settings, err := jsonvalue.Object(extension)
	if err != nil {
		return false
	}
	form, err := jsonvalue.Object(settings["form"])
	return err == nil && form != nil
}
