package preview

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/factwords"
)

// profiles returns the hosts that the page can emulate, with what they do with a server
// of this kind.
func (p *Preview) profiles() []*compat.Profile {
	list := compat.Profiles()
	if own := p.opts.Emulate; own != nil {
		i := slices.IndexFunc(list, func(profile *compat.Profile) bool { return profile.ID == own.ID })
		if i < 0 {
			i, list = len(list), append(list, own)
		}
		list[i] = own
	}
	for i, profile := range list {
		list[i] = profile.For(p.kind)
	}
	return list
}

// profile returns the host with an ID, nil for "", the preview's own.
func (p *Preview) profile(id string) (*compat.Profile, error) {
	if id == "" {
		return nil, nil
	}
	for _, profile := range p.profiles() {
		if profile.ID == id {
			return profile, nil
		}
	}
	return nil, fmt.Errorf("no host %q is known", id)
}

// clientInfo returns what the host of [Options.Emulate] tells servers of itself, nil if
// that is not known.
func (p *Preview) clientInfo() *mcp.Implementation {
	if p.opts.Emulate == nil {
		return nil
	}
	profile := p.opts.Emulate.For(p.kind)
	names, _ := profile.ClientNames.Value()
	if len(names) == 0 {
		return nil
	}
	return &mcp.Implementation{Name: names[0], Version: cmp.Or(profile.Version, "unknown")}
}

// emulate makes the view behave as in a host. The page tells views the size of their
// frames itself.
func (v *view) emulate(profile *compat.Profile) {
	e := host.Emulate(profile)
	if e == nil {
		return
	}
	e.Context.ContainerDimensions = nil
	honours := e.UI
	e.UI = func(ui mcpapps.ResourceUIMetadata) mcpapps.ResourceUIMetadata {
		v.declared.Store(&ui)
		return honours(ui)
	}
	v.emulation = e
}

// A hostEntry is a host as the page shows it.
type hostEntry struct {
	ID      string             `json:"id"`
	Name    string             `json:"name"`
	NoApps  bool               `json:"noApps"`
	Modes   []host.DisplayMode `json:"modes"`   // nil: unknown
	Size    *host.Dimensions   `json:"size"`    // nil: unknown
	Partial *bool              `json:"partial"` // nil: unknown
	Entries []string           `json:"entrypoints,omitempty"`
	Notes   []string           `json:"notes,omitempty"`
	Source  string             `json:"source,omitempty"` // of the facts that name no other
	Facts   []hostFact         `json:"facts,omitempty"`  // of a host that the page shows
}

type hostFact struct {
	Title   string      `json:"title"`
	Shown   string      `json:"shown"` // "emulated", "unknown" or "not-shown"
	Claims  []hostClaim `json:"claims,omitempty"`
	Dispute bool        `json:"dispute,omitempty"`
}

type hostClaim struct {
	Value  string `json:"value"`
	When   string `json:"when,omitempty"`
	Note   string `json:"note,omitempty"`
	Source string `json:"source"`
	Old    bool   `json:"old,omitempty"`
}

// knownHosts has the entries of package compat, which are the same for all previews.
var knownHosts sync.Map // from a hostOfKind to a hostEntry

// A hostOfKind is a host by its ID, and the kind of the server that it shows.
type hostOfKind struct{ id, kind string }

// sendHosts sends a new page the hosts, and which one it emulates at first.
func (p *Preview) sendHosts(t *tab) {
	chosen := ""
	if p.opts.Emulate != nil {
		chosen = p.opts.Emulate.ID
	}
	var list []hostEntry
	for _, profile := range p.profiles() {
		if own := p.opts.Emulate; own != nil && profile.ID == own.ID {
			list = append(list, newHostEntry(profile))
			continue
		}
		entry, ok := knownHosts.Load(hostOfKind{profile.ID, p.kind})
		if !ok {
			entry = newHostEntry(profile)
			knownHosts.Store(hostOfKind{profile.ID, p.kind}, entry)
		}
		list = append(list, entry.(hostEntry))
	}
	t.send(map[string]any{"type": "hosts", "hosts": list, "chosen": chosen, "told": p.told, "forms": p.forms})
}

// sendHost sends a page what is known of a host.
func (t *tab) sendHost(id string) error {
	profile, err := t.preview.profile(id)
	if err != nil || profile == nil {
		return err
	}
	entry := newHostEntry(profile)
	entry.Facts = factsOf(profile, time.Now(), t.preview.forms)
	t.send(map[string]any{"type": "host", "host": entry})
	return nil
}

func newHostEntry(profile *compat.Profile) hostEntry {
	e := host.Emulate(profile)
	entry := hostEntry{ID: profile.ID, Name: profile.Name, NoApps: e.NoApps, Modes: e.Context.AvailableDisplayModes, Size: e.Context.ContainerDimensions, Notes: profile.Notes}
	if profile.Source != (compat.Source{}) {
		entry.Source = sourceInWords(profile.Source)
	}
	entry.Entries = placesOf(profile)
	if partial, ok := profile.PartialInput.Value(); ok {
		entry.Partial = &partial
	}
	return entry
}

// factsOf returns the facts of a host as the page shows them. forms tells whether OpenAI's
// forms are declared to the server.
func factsOf(profile *compat.Profile, now time.Time, forms bool) (facts []hostFact) {
	e := host.Emulate(profile)
	for _, row := range profile.Rows() {
		fact := hostFact{Title: row.Title, Shown: "not-shown", Dispute: row.Conflict()}
		switch {
		case slices.Contains(e.Emulated, row.Key), row.Key == "entrypoints" && row.Value != "": // by the page
			fact.Shown = "emulated"
		case row.Key == "openaiForms" && row.Value == strconv.FormatBool(forms):
			fact.Shown = "emulated"
		case slices.Contains(e.Unknown, row.Key):
			fact.Shown = "unknown"
		}
		for _, c := range row.Claims {
			fact.Claims = append(fact.Claims, hostClaim{Value: factwords.Value(c.Value), When: c.When, Note: c.Note, Source: sourceInWords(c.Source), Old: c.Source.Old(now)})
		}
		facts = append(facts, fact)
	}
	return facts
}

func sourceInWords(s compat.Source) string {
	words := []string{string(s.Kind)}
	for _, w := range []string{s.By, s.Date, s.Ref} {
		if w != "" {
			words = append(words, w)
		}
	}
	return strings.Join(words, ", ")
}
