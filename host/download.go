package host

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"strings"
	"unicode"
)

func (b *Bridge) download(ctx context.Context, in *incoming) (json.RawMessage, error) {
	if b.opts.Download == nil {
		return nil, unsupported(in.method)
	}
	files, err := decodeDownloads(in.params)
	if err != nil {
		return nil, invalidParams("ui/download-file: %v", err)
	}
	return b.resultOrToolError(in.method, b.opts.Download(ctx, files))
}

func decodeDownloads(params json.RawMessage) ([]Download, error) {
	var p struct {
		Contents []struct {
			Type     string `json:"type"`
			URI      string `json:"uri"`
			Name     string `json:"name"`
			MIMEType string `json:"mimeType"`
			Resource *struct {
				URI      string  `json:"uri"`
				MIMEType string  `json:"mimeType"`
				Text     *string `json:"text"`
				Blob     *string `json:"blob"`
			} `json:"resource"`
		} `json:"contents"`
	}
	if err := unmarshalParams(params, &p); err != nil {
		return nil, err
	}
	if len(p.Contents) == 0 {
		return nil, fmt.Errorf("contents is missing or empty")
	}
	files := make([]Download, len(p.Contents))
	for i, c := range p.Contents {
		switch r := c.Resource; {
		case c.Type == "resource_link" && c.URI != "":
			name := c.Name
			if name == "" {
				name = c.URI
			}
			files[i] = Download{Name: fileName(name), MIMEType: c.MIMEType, URI: c.URI, Link: true}
		case c.Type == "resource" && r != nil && r.Text != nil:
			files[i] = Download{Name: fileName(r.URI), MIMEType: r.MIMEType, URI: r.URI, Data: []byte(*r.Text)}
		case c.Type == "resource" && r != nil && r.Blob != nil:
			data, err := base64.StdEncoding.DecodeString(*r.Blob)
			if err != nil {
				return nil, fmt.Errorf("contents[%d].resource.blob is not base64", i)
			}
			files[i] = Download{Name: fileName(r.URI), MIMEType: r.MIMEType, URI: r.URI, Data: data}
		default:
			return nil, fmt.Errorf("contents[%d] must be a resource with text or blob, or a resource_link with a uri", i)
		}
	}
	return files, nil
}

// fileName returns a name for a file from a URI. It is never a path, a hidden file
// or a device of Windows.
func fileName(uri string) string {
	name := uri
	if u, err := url.Parse(uri); err == nil {
		if name = u.Path; name == "" {
			name = u.Opaque
		}
	}
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return -1
		case strings.ContainsRune(`/\:*?"<>|`, r):
			return '_'
		}
		return r
	}, name)
	name = strings.TrimRight(strings.TrimLeft(name, ". "), ". ")
	for len(name) > 200 {
		ext := path.Ext(name)
		if len(ext) > 20 {
			ext = ""
		}
		name = strings.ToValidUTF8(name[:200-len(ext)], "") + ext
	}
	stem, _, _ := strings.Cut(strings.ToUpper(name), ".")
	switch stem {
	case "":
		return "download"
	case "CON", "PRN", "AUX", "NUL":
		return "_" + name
	}
	if len(stem) == 4 && (strings.HasPrefix(stem, "COM") || strings.HasPrefix(stem, "LPT")) {
		return "_" + name
	}
	return name
}
