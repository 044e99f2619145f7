// Package answers asks a server for everything that concerns its apps, and records
// its answers: lists of tools and resources, documents, results of calls, and what
// could not be fetched. It judges none of it.
package answers

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/check/internal/rpc"
	"github.com/mcpapps-go/mcpapps/internal/metakey"
)

// A Record holds what a server answered to one client, as it was received.
type Record struct {
	Hello     *rpc.Hello
	Tools     []*Tool
	Resources []*Resource
	Reads     map[string]*Read // by URI
	Results   []*Result
	// ResultReads holds, for each URI that a result names and no tool, why it
	// can't be read: nil if it can.
	ResultReads map[string]error
	// Settings and Mentions are what the tools answered that the server's capabilities
	// name for ChatGPT's settings and mentions, nil if they were not called. They are in
	// Results only if they were called for another reason.
	Settings, Mentions *Result
	Failures           []Failure
	// Ended is whether the connection ended, or was given up, before all was asked.
	Ended bool

	timeouts int
}

// A Place is a place in the answers.
type Place struct {
	// Tool and URI name the tool and the resource; either may be empty.
	Tool, URI string
	// Method is the request, and Pointer the JSON pointer in the tool, the resource
	// or the content item of its result; elsewhere, in the result itself.
	Method, Pointer string
}

// At returns the place with another pointer.
func (p Place) At(pointer string) Place { p.Pointer = pointer; return p }

// A Failure is what kept a part of the record from being fetched.
type Failure struct {
	Place
	Kind FailureKind
	Err  error
	Raw  json.RawMessage // the value at fault, nil if there is none
}

// A FailureKind is what went wrong with a request.
type FailureKind int

const (
	// ListFailed: a list is answered with an error, or with something else.
	ListFailed FailureKind = iota
	// ListEndless: a list goes on beyond its bounds, or in a circle.
	ListEndless
	// EntryInvalid: an entry of a list is not one of the protocol's.
	EntryInvalid
	// ReadFailed: resources/read is answered with an error.
	ReadFailed
	// PingFailed: ping is not answered, or with an error.
	PingFailed
	// TimedOut: there is no answer in time.
	TimedOut
	// Flooded: there is more than is read.
	Flooded
	// Died: the connection ended.
	Died
)

// Failed reports whether anything of the answers to a method is missing.
func (r *Record) Failed(method string) bool {
	return slices.ContainsFunc(r.Failures, func(f Failure) bool { return f.Method == method })
}

// HasApps reports whether any tool opens a view.
func (r *Record) HasApps() bool {
	return slices.ContainsFunc(r.Tools, func(t *Tool) bool { return t.URI != "" })
}

// AppURIs returns the URIs of all apps: those that tools name, then others that are
// listed. A document of the OpenAI Apps SDK, which a tool names for that alone and
// which has another media type, is not one.
func (r *Record) AppURIs() []string {
	var uris []string
	has := make(map[string]bool)
	add := func(uri string) {
		if !has[uri] {
			has[uri] = true
			uris = append(uris, uri)
		}
	}
	openAI := make(map[string]bool)
	for _, t := range r.Tools {
		if t.URI != "" {
			add(t.URI)
		}
		if uri, ok := t.Meta[metakey.OpenAITemplate].(string); ok {
			openAI[uri] = true
		}
	}
	for _, res := range r.Resources {
		mediaType, _ := res.Object["mimeType"].(string)
		if strings.HasPrefix(res.URI, "ui://") && (!openAI[res.URI] || mcpapps.IsMIMEType(mediaType)) {
			add(res.URI)
		}
	}
	return uris
}

// ResourcesByURI returns the listed resources by their URIs; of several at one URI, the
// first.
func (r *Record) ResourcesByURI() map[string]*Resource {
	m := make(map[string]*Resource, len(r.Resources))
	for _, res := range r.Resources {
		if m[res.URI] == nil {
			m[res.URI] = res
		}
	}
	return m
}

// ToolsByName returns the tools by their names; of several of one name, the last.
func (r *Record) ToolsByName() map[string]*Tool {
	m := make(map[string]*Tool, len(r.Tools))
	for _, t := range r.Tools {
		m[t.Name] = t
	}
	return m
}
