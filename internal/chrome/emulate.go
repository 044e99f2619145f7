package chrome

import (
	"context"
	"errors"
)

// scheme is the media of a page in the dark color scheme or the light one.
func scheme(dark bool) map[string]any {
	value := "light"
	if dark {
		value = "dark"
	}
	return map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": value}}}
}

// SetDark shows the page, with all its frames, in the dark color scheme or in the
// light one.
func (p *Page) SetDark(ctx context.Context, dark bool) error {
	p.b.mu.Lock()
	p.media = scheme(dark) // for frames to come
	var sessions []string
	for session, page := range p.b.pages {
		if page == p {
			sessions = append(sessions, session)
		}
	}
	media := p.media
	p.b.mu.Unlock()
	// A frame in a process of its own has media of its own.
	for _, session := range sessions {
		if _, err := p.b.call(ctx, session, "Emulation.setEmulatedMedia", media); err != nil && (session == p.session || ctx.Err() != nil) {
			return err // another session may be a worker's, or of a frame that has gone
		}
	}
	return nil
}

// SetSize sets the size of the page's viewport in CSS pixels.
func (p *Page) SetSize(ctx context.Context, width, height int) error {
	if width <= 0 || height <= 0 {
		return errors.New("a page needs a width and a height")
	}
	return p.result(ctx, "Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
}
