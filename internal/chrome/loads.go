package chrome

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// A FailedLoad is a request of the page, or of a frame in it, that failed. Those that
// a policy blocked or a script cancelled are not among them.
type FailedLoad struct {
	// URL is that of the request, Document that of the document that made it.
	URL, Document string
	// Type is what was asked for: Script, Stylesheet, Image, Font, Fetch and so on.
	Type string
	// Reason is the network's, such as net::ERR_NAME_NOT_RESOLVED, or the HTTP status.
	Reason string
}

const (
	mostLoads    = 1000
	mostRequests = 10000 // that are pending
)

// FailedLoads returns the requests so far that failed.
func (p *Page) FailedLoads() []FailedLoad {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.loads)
}

// IsLoading reports whether a request is pending of a document whose URL matches.
func (p *Page) IsLoading(matches func(document string) bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.requests {
		if matches(r.Document) {
			return true
		}
	}
	return false
}

// A requestKey names a request in a session.
type requestKey struct{ session, id string }

// network takes an event of a request.
func (p *Page) network(session, method string, params json.RawMessage) {
	var e struct {
		RequestID       string
		DocumentURL     string
		Type            string
		Request         struct{ URL string }
		Response        struct{ Status int }
		ErrorText       string
		Canceled        bool
		BlockedReason   string
		CORSErrorStatus *struct {
			CORSError string
		} `json:"corsErrorStatus"`
	}
	if json.Unmarshal(params, &e) != nil {
		return
	}
	key := requestKey{session, e.RequestID}
	p.mu.Lock()
	defer p.mu.Unlock()
	load, known := p.requests[key]
	switch method {
	case "Network.requestWillBeSent":
		if len(p.requests) < mostRequests {
			p.requests[key] = FailedLoad{URL: text.Shorten(e.Request.URL, mostText), Document: text.Shorten(e.DocumentURL, mostText), Type: e.Type}
		}
		return
	case "Network.responseReceived":
		if !known || e.Response.Status < 400 {
			return
		}
		load.Reason = fmt.Sprintf("HTTP status %d", e.Response.Status)
	case "Network.loadingFailed":
		if !known || e.Canceled || e.BlockedReason != "" {
			delete(p.requests, key)
			return
		}
		load.Reason = e.ErrorText
		if e.CORSErrorStatus != nil {
			load.Reason = "the other origin does not allow it (CORS: " + e.CORSErrorStatus.CORSError + ")"
		}
	}
	delete(p.requests, key)
	if known && load.Reason != "" && len(p.loads) < mostLoads {
		p.loads = append(p.loads, load)
	}
}
