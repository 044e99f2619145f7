package bundle_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// A folder is a page of testdata/folders and what the bundler is expected to do
// with it.
type folder struct {
	files fstest.MapFS
	// want is "same", "refused" or "warned", and text is what a message of the
	// bundler has to contain.
	want, text string
}

var wanted = regexp.MustCompile(`(?m)^want: (same|refused|warned)(?:: (.+))?$`)

// readFolder reads a folder. The content of a file named X.base64 is that of X,
// for those that are not text.
func readFolder(t *testing.T, name string) folder {
	ar, err := txtar.ParseFile(name)
	require.NoError(t, err)
	m := wanted.FindStringSubmatch(string(ar.Comment))
	require.NotNil(t, m, "the comment has no line \"want: same\", \"want: refused: TEXT\" or \"want: warned: TEXT\"")
	require.Equal(t, m[1] != "same", m[2] != "", "what is refused or warned of needs a text, and nothing else has one")
	f := folder{files: fstest.MapFS{}, want: m[1], text: m[2]}
	for _, file := range ar.Files {
		data := file.Data
		name, encoded := strings.CutSuffix(file.Name, ".base64")
		if encoded {
			data, err = base64.StdEncoding.DecodeString(strings.Join(strings.Fields(string(data)), ""))
			require.NoError(t, err, file.Name)
		}
		f.files[name] = &fstest.MapFile{Data: data}
	}
	require.Contains(t, f.files, "index.html")
	return f
}

func folderNames(t *testing.T) []string {
	names, err := filepath.Glob("testdata/folders/*.txtar")
	require.NoError(t, err)
	return names
}

var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".json": "application/json",
	".svg": "image/svg+xml", ".png": "image/png", ".gif": "image/gif", ".txt": "text/plain", ".ttf": "font/ttf", ".vtt": "text/vtt",
	".webmanifest": "application/manifest+json", ".wav": "audio/wav", ".ico": "image/x-icon", ".xml": "application/xml",
}

// A site serves files, and remembers which were asked for.
type site struct {
	server *httptest.Server
	files  fstest.MapFS

	mu    sync.Mutex
	asked []string
}

// serve serves files. A policy that is not empty is enforced for the page.
func serve(t *testing.T, files fstest.MapFS, policy string) *site {
	s := &site{files: files}
	s.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			name = "index.html"
		} else {
			s.mu.Lock()
			s.asked = append(s.asked, r.URL.RequestURI())
			s.mu.Unlock()
		}
		file := files[name]
		switch {
		case name == "favicon.ico" && file == nil: // requested by the browser itself
			w.WriteHeader(http.StatusNoContent)
		case file == nil:
			http.NotFound(w, r)
		default:
			w.Header().Set("Content-Type", contentTypes[path.Ext(name)])
			if policy != "" && name == "index.html" {
				w.Header().Set("Content-Security-Policy", policy)
			}
			_, _ = w.Write(file.Data)
		}
	}))
	t.Cleanup(s.server.Close)
	return s
}

// requests returns what the page asked for, in addition to itself.
func (s *site) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []string
	for _, r := range s.asked {
		if r != "/favicon.ico" {
			all = append(all, r)
		}
	}
	return all
}

var cssURL = regexp.MustCompile(`url\("((?:[^"\\]|\\.)*)"\)`)

// plain returns a value of a page without what a folder and its bundle may differ
// in: the site's address, and whether a URL names a file or contains it.
func (s *site) plain(value string) string {
	value = cssURL.ReplaceAllStringFunc(value, func(m string) string {
		return "url(" + s.content(strings.ReplaceAll(cssURL.FindStringSubmatch(m)[1], `\"`, `"`)) + ")"
	})
	if strings.HasPrefix(value, s.server.URL) || strings.HasPrefix(value, "data:") {
		return s.content(value)
	}
	return strings.ReplaceAll(value, s.server.URL, "SITE")
}

var escaped = regexp.MustCompile(`%[0-9a-fA-F]{2}`)

// content returns a URL with the hash of what it is the address of.
func (s *site) content(address string) string {
	address, fragment, _ := strings.Cut(address, "#")
	if rest, ok := strings.CutPrefix(address, "data:"); ok {
		head, body, _ := strings.Cut(rest, ",")
		var data []byte
		if strings.HasSuffix(head, ";base64") {
			data, _ = base64.StdEncoding.DecodeString(body)
		} else {
			data = []byte(escaped.ReplaceAllStringFunc(body, func(m string) string { // a "%" alone stays
				b, _ := hex.DecodeString(m[1:])
				return string(b)
			}))
		}
		return hash(data) + "#" + fragment
	}
	u, err := url.Parse(address)
	if err != nil || !strings.HasPrefix(address, s.server.URL) {
		return address + "#" + fragment
	}
	if file := s.files[strings.TrimPrefix(u.Path, "/")]; file != nil && u.Path != "/index.html" {
		return hash(file.Data) + "#" + fragment
	}
	return strings.Replace(address, s.server.URL, "SITE", 1) + "#" + fragment
}

func hash(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data))[:12] }
