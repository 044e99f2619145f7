package preview

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcpapps-go/mcpapps/internal/metakey"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// An openedFile is a file that a view was opened for. Its content is that of a copy, whose
// path the server is told, so that tools may read and change it.
type openedFile struct {
	*fileCopy
	uri string
}

// openFile makes the copy of a file.
func openFile(name, uri string, data []byte) (*openedFile, error) {
	switch {
	case name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00"):
		return nil, fmt.Errorf("%q is not the name of a file: it must not be empty or have a folder", text.Shorten(name, 80))
	case !strings.HasPrefix(uri, "host-resource://"):
		return nil, fmt.Errorf("%q is not the URI of a host's file: it must begin with host-resource://", text.Shorten(uri, 80))
	case len(data) > maxFile:
		return nil, fmt.Errorf("the file has %d bytes: the preview opens at most %d", len(data), maxFile)
	}
	c, err := newFileCopy(name, data)
	if err != nil {
		return nil, err
	}
	return &openedFile{c, uri}, nil
}

// content returns the content and its version. f.mu is held.
func (f *openedFile) content() (data []byte, etag string, err error) {
	data, err = f.fileCopy.read()
	return data, etagOf(data), err
}

func etagOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// answerer returns what answers the view's requests about the file that it was opened for,
// nil without one.
func (v *view) answerer() func(context.Context, string, json.RawMessage) (json.RawMessage, bool, error) {
	if v.entry.file == nil {
		return nil
	}
	return v.entry.file.answer
}

// answer answers a view's requests about the file, as ChatGPT does. The server never gets
// these.
func (f *openedFile) answer(_ context.Context, method string, params json.RawMessage) (result json.RawMessage, handled bool, err error) {
	switch method {
	case "openai/resources/write":
		result, err = f.write(params)
		return result, true, err
	case "resources/read", "resources/subscribe", "resources/unsubscribe":
		var p map[string]json.RawMessage // a struct's fields would also take names in another case
		var uri string
		if json.Unmarshal(params, &p) != nil || json.Unmarshal(p["uri"], &uri) != nil || uri != f.uri {
			return nil, false, nil
		}
		if method != "resources/read" {
			return json.RawMessage(`{}`), true, nil
		}
		result, err = f.read(p["_meta"])
		return result, true, err
	}
	return nil, false, nil
}

// read returns the result of resources/read with a _meta, which may be nil.
func (f *openedFile) read(meta json.RawMessage) (json.RawMessage, error) {
	want, err := representation(meta)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	data, etag, err := f.content()
	f.mu.Unlock()
	if err != nil {
		return nil, err
	}
	as := "blob"
	if utf8.Valid(data) {
		as = "text"
	}
	if want == "text" && as == "blob" {
		return nil, invalid("the file is not UTF-8: ask for the representation \"blob\"")
	}
	as = cmp.Or(want, as)
	item := map[string]any{"uri": f.uri, "_meta": map[string]any{metakey.OpenAIResource: map[string]any{"etag": etag, "writable": true}}}
	if item[as] = string(data); as == "blob" {
		item[as] = base64.StdEncoding.EncodeToString(data)
	}
	return encode(map[string]any{"contents": []any{item}})
}

// representation returns the representation that the _meta of a resources/read asks for,
// "" if it leaves that to the host.
func representation(meta json.RawMessage) (string, error) {
	var all, asked map[string]json.RawMessage
	if meta != nil && json.Unmarshal(meta, &all) != nil {
		return "", invalid("_meta must be an object")
	}
	if value := all[metakey.OpenAIResource]; value != nil && json.Unmarshal(value, &asked) != nil {
		return "", invalid("_meta[%q] must be an object", metakey.OpenAIResource)
	}
	var want *string
	if value := asked["representation"]; value != nil && json.Unmarshal(value, &want) != nil {
		return "", invalid("representation must be a string: \"text\" or \"blob\"")
	}
	switch {
	case want == nil:
		return "", nil
	case *want != "text" && *want != "blob":
		return "", invalid("representation is %q: it must be \"text\" or \"blob\"", text.Shorten(*want, 80))
	}
	return *want, nil
}

// write answers openai/resources/write.
func (f *openedFile) write(params json.RawMessage) (json.RawMessage, error) {
	data, ifMatch, err := f.readWrite(params)
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return encode(map[string]any{"outcome": "too-large", "maxBytes": maxFile})
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if ifMatch != "" {
		_, now, err := f.content()
		if err != nil {
			return nil, err
		}
		if now != ifMatch {
			return encode(map[string]any{"outcome": "conflict", "etag": now})
		}
	}
	if f.replace(data) != nil {
		return nil, errUnreadable
	}
	return encode(map[string]any{"outcome": "saved", "etag": etagOf(data)})
}

// readWrite validates the parameters of openai/resources/write. ifMatch is "" if the
// write is unconditional.
func (f *openedFile) readWrite(params json.RawMessage) (data []byte, ifMatch string, err error) {
	var p map[string]any
	if json.Unmarshal(params, &p) != nil || p == nil {
		return nil, "", invalid("the parameters must be an object")
	}
	for key, value := range p {
		s, isString := value.(string)
		switch key {
		case "_meta":
			continue
		case "uri", "text", "blob":
		case "ifMatch":
			if isString && s == "" {
				return nil, "", invalid("ifMatch is empty: leave it out to write unconditionally")
			}
			ifMatch = s
		default:
			return nil, "", invalid("%q is not a parameter: leave it out", text.Shorten(key, 80))
		}
		if !isString {
			return nil, "", invalid("%s must be a string", key)
		}
	}
	if p["uri"] != f.uri {
		return nil, "", invalid("uri must be that of the file that the view was opened for")
	}
	content, isText := p["text"].(string)
	blob, isBlob := p["blob"].(string)
	if isText == isBlob {
		return nil, "", invalid("give exactly one of text and blob")
	}
	if isText {
		return []byte(content), ifMatch, nil
	}
	if data, err = base64.StdEncoding.DecodeString(blob); err != nil || strings.ContainsAny(blob, "\r\n") {
		return nil, "", invalid("blob must be base64 with padding")
	}
	return data, ifMatch, nil
}

// invalid is the error of a request about a file that is malformed.
func invalid(format string, args ...any) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}
