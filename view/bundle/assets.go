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

// mediaTypes are the media types by extension. The tables of operating systems
// differ, and the bundled document must not.
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
	"so that a script hands its bytes to the page")

// fileName returns the path in the file system that a reference in the page
// means, and its fragment.
func (b *bundler) fileName(ref string) (name, fragment string, err error) {
	p, _, fragment := reference(ref)
	name, err = inTree(b.base, unescapePath(p))
	return name, fragment, err
}

// dataURL returns the data URL of the file that a reference in the page names.
func (b *bundler) dataURL(ref string) (string, error) {
	name, fragment, err := b.fileName(ref)
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
