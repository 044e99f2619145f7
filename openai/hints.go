package openai

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpapps-go/mcpapps/internal/jsonvalue"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Hints are what ChatGPT says about the user with a request. A client may send anything in
// them, so they prove nothing: never decide by a hint what a user may see or do, and never
// keep data under Subject or Session alone. A hint that is malformed or too long is absent.
type Hints struct {
	// Locale is a BCP 47 tag such as "de-DE", of at most 64 bytes. If the request
	// lacks it, it is that of the session's initialize request.
	Locale string
	// UserAgent has at most 1,024 bytes.
	UserAgent string
	// Location is about where the user is, nil if nothing is known.
	Location *Location
	// Subject, Session and Organization are opaque IDs of the user, of the conversation
	// and of the user's organization, of at most 256 bytes.
	Subject, Session, Organization string
}

// A Location is about where a user is. Each of its fields may be absent.
type Location struct {
	City, Region, Country, TimeZone string   // at most 128 bytes each
	Latitude, Longitude             *float64 // degrees, both or none
}

// The bounds of the hints, in bytes.
const (
	maxLocale    = 64
	maxUserAgent = 1024
	maxID        = 256
	maxPlace     = 128
)

// RequestHints returns the hints of a request, which may be nil.
func RequestHints(req mcp.Request) Hints {
	return hintsOf(hintsMeta(req))
}

// hintsOf returns the hints in the _meta of a request. The locale may be that of the
// initialize request.
func hintsOf(meta, initial mcp.Meta) Hints {
	h := Hints{
		UserAgent:    hint(meta[metakey.OpenAIUserAgent], maxUserAgent),
		Location:     location(meta[metakey.OpenAIUserLocation]),
		Subject:      hint(meta[metakey.OpenAISubject], maxID),
		Session:      hint(meta[metakey.OpenAISession], maxID),
		Organization: hint(meta[metakey.OpenAIOrganization], maxID),
	}
	for _, v := range []any{meta[metakey.OpenAILocale], meta[metakey.OpenAIOldLocale], initial[metakey.OpenAILocale], initial[metakey.OpenAIOldLocale]} {
		if h.Locale = locale(v); h.Locale != "" {
			break
		}
	}
	return h
}

// hintsMeta returns the _meta of a request, and that of the initialize request of its
// session, which sessions of protocol versions from 2026-07-28 on do not have.
func hintsMeta(req mcp.Request) (own, initial mcp.Meta) {
	if jsonvalue.IsNil(req) {
		return nil, nil
	}
	// Requests without params arrive with a typed nil, on which GetMeta panics.
	if p := req.GetParams(); !jsonvalue.IsNil(p) {
		own = p.GetMeta()
	}
	if ss, _ := req.GetSession().(*mcp.ServerSession); ss != nil {
		if init := ss.InitializeParams(); init != nil {
			initial = init.Meta
		}
	}
	return own, initial
}

// hint returns a string of at most the given length in bytes that has only characters
// which can be shown, or "".
func hint(v any, most int) string {
	s, ok := v.(string)
	if !ok || len(s) > most || !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return ""
	}
	return s
}

// locale returns a tag that has the form of BCP 47, or "".
func locale(v any) string {
	s := hint(v, maxLocale)
	for part := range strings.SplitSeq(s, "-") {
		if part == "" || len(part) > 8 || strings.ContainsFunc(part, func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
		}) {
			return ""
		}
	}
	return s
}

func location(v any) *Location {
	m, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	l := Location{
		City:     hint(m["city"], maxPlace),
		Region:   hint(m["region"], maxPlace),
		Country:  hint(m["country"], maxPlace),
		TimeZone: hint(m["timezone"], maxPlace),
	}
	latitude, longitude := degrees(m["latitude"], 90), degrees(m["longitude"], 180)
	if latitude != nil && longitude != nil {
		l.Latitude, l.Longitude = latitude, longitude
	}
	if l == (Location{}) {
		return nil
	}
	return &l
}

// degrees returns a number between -most and most, also one that is sent as a string, or
// nil.
func degrees(v any, most float64) *float64 {
	var f float64
	var err error
	switch v := v.(type) {
	case float64:
		f = v
	case json.Number:
		f, err = v.Float64()
	case string:
		if len(v) > 32 {
			return nil
		}
		f, err = strconv.ParseFloat(v, 64)
	default:
		return nil
	}
	if err != nil || math.IsNaN(f) || math.Abs(f) > most {
		return nil
	}
	return &f
}
