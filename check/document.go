package check

import (
	"encoding/json"
)

// Document checks one HTML document by itself, served with Options.Metadata. The
// error is an [*OptionError].
func Document(html string, opts *Options) (*Report, error) {
	o, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	found := o.newFindings(false)
	d := document{at: place{URI: o.URI}, tools: nil}
	if o.Metadata != nil {
		d.ui = *o.Metadata
		if raw, err := json.Marshal(o.Metadata); err == nil {
			var ui map[string]any
			if json.Unmarshal(raw, &ui) == nil {
				found.judgeResourceUI(ui, place{URI: o.URI, Pointer: "/_meta/ui"})
			}
		}
	}
	found.judgeDocument(html, d)
	r := &Report{Apps: 1}
	if len(o.hosts) > 0 {
		r.Hosts = judgeApps([]*hostApp{{uri: o.URI, use: found.uses[o.URI], unopened: "a document has no tool"}}, o.hosts)
	}
	return found.report(r, &o)
}
