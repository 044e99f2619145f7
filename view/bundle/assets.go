package bundle

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// mediaTypes of what a page shows. The system's own tables differ between
// machines, and a document must not.
var mediaTypes = map[string]string{
	".apng": "image/apng", ".avif": "image/avif", ".bmp": "image/bmp", ".gif": "image/gif",
	".ico": "image/x-icon", ".jpeg": "image/jpeg", ".jpg": "image/jpeg", ".jxl": "image/jxl",
	".png": "image/png", ".svg": "image/svg+xml", ".webp": "image/webp",
	".aac": "audio/aac", ".flac": "audio/flac", ".m4a": "audio/mp4", ".mp3": "audio/mpeg",
	".oga": "audio/ogg", ".ogg": "audio/ogg", ".opus": "audio/ogg", ".wav": "audio/wav", ".weba": "audio/webm",
	".m4v": "video/mp4", ".mov": "video/quicktime", ".mp4": "video/mp4", ".ogv": "video/ogg", ".webm": "video/webm",
	".vtt": "text/vtt", ".cur": "image/x-icon",
}

func isFont(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".woff2", ".woff", ".ttf", ".otf", ".eot":
		return true
	}
	return false
}

func isFontURL(ref string) bool {
	media, _, _ := strings.Cut(strings.ToLower(ref), ",")
	return strings.Contains(media, "font")
}

var errDataFont = errors.New("a font in a data URL is blocked by the policy of a view: refer to the font's file with url(), " +
	"so that the bundler hands its bytes to the page by a script")

// dataURL returns the content of a file as a URL.
func (b *bundler) dataURL(ref string) (string, error) {
	p, _, fragment := reference(ref)
	name, err := inTree(b.base, unescapePath(p))
	if err != nil {
		return "", err
	}
	text, err := b.files.read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", notFound(ref, name)
	case err != nil:
		return "", fmt.Errorf("can't read %q: %w", name, err)
	}
	media := mediaTypes[strings.ToLower(path.Ext(name))]
	if media == "" {
		media = strings.ReplaceAll(http.DetectContentType([]byte(text)), " ", "")
	}
	return "data:" + media + ";base64," + base64.StdEncoding.EncodeToString([]byte(text)) + fragment, nil
}

// unescapePath resolves the percent escapes of a URL's path.
func unescapePath(p string) string {
	if u, err := url.PathUnescape(p); err == nil {
		return u
	}
	return p
}

// candidate is one image of a srcset.
type candidate struct{ url, descriptor string }

// parseSrcset follows the HTML standard's algorithm.
func parseSrcset(s string) []candidate {
	var all []candidate
	for {
		s = strings.TrimLeft(s, space+",")
		if s == "" {
			return all
		}
		i := strings.IndexAny(s, space)
		if i < 0 {
			i = len(s)
		}
		c := candidate{url: s[:i]}
		s = s[i:]
		if trimmed := strings.TrimRight(c.url, ","); trimmed != c.url {
			c.url = trimmed
		} else {
			depth, end := 0, len(s)
			for j := 0; j < len(s); j++ {
				if s[j] == '(' {
					depth++
				} else if s[j] == ')' {
					depth--
				} else if s[j] == ',' && depth <= 0 {
					end = j
					break
				}
			}
			c.descriptor = strings.Trim(s[:end], space)
			s = s[end:]
		}
		all = append(all, c)
	}
}

func formatSrcset(all []candidate) string {
	parts := make([]string, len(all))
	for i, c := range all {
		parts[i] = strings.TrimSpace(c.url + " " + c.descriptor)
	}
	return strings.Join(parts, ", ")
}
