package host

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
)

func (b *Bridge) openLink(ctx context.Context, in *incoming) (json.RawMessage, error) {
	if b.opts.OpenLink == nil {
		return nil, unsupported(in.method)
	}
	var p struct {
		URL *string `json:"url"`
	}
	if err := unmarshalParams(in.params, &p); err != nil {
		return nil, invalidParams("ui/open-link: %v", err)
	}
	if p.URL == nil {
		return nil, invalidParams("ui/open-link: url is missing")
	}
	link, err := CheckLink(*p.URL)
	if err != nil {
		return b.resultOrToolError(in.method, err)
	}
	return b.resultOrToolError(in.method, b.opts.OpenLink(ctx, link))
}

// CheckLink parses a link that a view or a server wants the user to follow. It
// accepts absolute http and https URLs of at most 8 KiB.
func CheckLink(s string) (*url.URL, error) {
	const most = 8 << 10
	if len(s) > most {
		return nil, fmt.Errorf("the link has %d bytes: at most %d are allowed", len(s), most)
	}
	u, err := url.Parse(s)
	if err != nil {
		return nil, fmt.Errorf("the link %s is not a URL", clip([]byte(s)))
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("the link %s is not http or https", clip([]byte(s)))
	}
	if u.Hostname() == "" {
		return nil, fmt.Errorf("the link %s names no host", clip([]byte(s)))
	}
	return u, nil
}
