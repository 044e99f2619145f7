package data

import (
	"encoding/json"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
)

// An emulation is a host that drops something.
type emulation struct {
	name string
	host *host.Emulation // nil is a host that drops nothing
	// lacks names what the host withholds from a view: "result" and "input" in the
	// first document, "replay" (the result) and "input again" in later ones, "calls", "toolInfo".
	lacks []string
	// alone names tools whose views find their data in a way that no other host leaves.
	alone []string
}

// emulations are the rows of the matrix.
var emulations = []emulation{
	{"everything", nil, nil, nil},
	{"no structured content", &host.Emulation{Result: without("structuredContent")}, []string{"structured content"}, nil},
	{"no _meta", &host.Emulation{Result: without("_meta")}, []string{"_meta"}, nil},
	{"text only", profile(func(p *compat.Profile) { p.Result = of(compat.ResultContentOnly) }), []string{"_meta"}, nil},
	{"texts joined", &host.Emulation{Result: joined}, []string{"_meta"}, []string{"write_report", "change"}},
	{"emptied when loaded again", profile(func(p *compat.Profile) { p.Reload = of(compat.ReloadEmptied) }), []string{"replay"}, nil},
	{"no result when loaded again", profile(func(p *compat.Profile) { p.Reload = of(compat.ReloadNoResult) }), []string{"replay"}, nil},
	{"neither input nor result when loaded again", profile(func(p *compat.Profile) { p.Reload = of(compat.ReloadNothing) }), []string{"replay", "input again"}, nil},
	{"neither input nor result", &host.Emulation{Input: nothing, Result: nothing}, []string{"replay", "input again", "result", "input"}, nil},
	{"no toolInfo", &host.Emulation{OmitToolInfo: true}, []string{"toolInfo"}, nil},
	{"neither _meta nor toolInfo", &host.Emulation{OmitToolInfo: true, Result: without("_meta")}, []string{"_meta", "toolInfo"}, nil},
	{"at most 150,000 characters", profile(func(p *compat.Profile) { p.ResultLimit = of(150_000) }), []string{"long result"}, nil},
	{"no calls", profile(func(p *compat.Profile) { p.ServerTools = of(compat.No) }), []string{"calls"}, []string{"show_pages", "show_board"}},
}

// profile returns the emulation of a host that is known for one thing.
func profile(set func(*compat.Profile)) *host.Emulation {
	p := &compat.Profile{ID: "made", Name: "Made"}
	set(p)
	return host.Emulate(p)
}

func of[T any](v T) compat.Fact[T] {
	return compat.Fact[T]{Claims: []compat.Claim[T]{{Value: &v, Source: compat.Source{Kind: compat.Probe, Date: "2026-11-29"}}}}
}

func nothing(json.RawMessage, int) json.RawMessage { return nil }

// without drops a member of results.
func without(member string) func(json.RawMessage, int) json.RawMessage {
	return edited(func(result map[string]any) { delete(result, member) })
}

// joined passes on the texts of a result as one, and nothing else.
var joined = edited(func(result map[string]any) {
	text := ""
	for _, block := range result["content"].([]any) {
		if t, ok := block.(map[string]any)["text"].(string); ok {
			text += t + "\n"
		}
	}
	clear(result)
	result["content"] = []any{map[string]any{"type": "text", "text": text}}
})

func edited(change func(map[string]any)) func(json.RawMessage, int) json.RawMessage {
	return func(result json.RawMessage, _ int) json.RawMessage {
		var fields map[string]any
		if err := json.Unmarshal(result, &fields); err != nil {
			panic(err)
		}
		change(fields)
		data, err := json.Marshal(fields)
		if err != nil {
			panic(err)
		}
		return data
	}
}
