package preview

import (
	"fmt"
	"strings"
	"sync"

	"github.com/mcpapps-go/mcpapps/internal/text"
)

// A deepLink is the path and query that the host gives a view, "" without a link.
type deepLink struct {
	mu  sync.Mutex
	url string
}

func (l *deepLink) set(url string) error {
	if err := checkLink(url); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.url = url
	return nil
}

// get returns the link, "" for a nil deepLink.
func (l *deepLink) get() string {
	if l == nil {
		return ""
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.url
}

// checkLink returns an error for a path that a deep link can't have: that of which
// deepLink in a view would reject the URL.
func checkLink(path string) error {
	switch {
	case !strings.HasPrefix(path, "/"):
		return fmt.Errorf("the path %q of a deep link must begin with /", text.Shorten(path, 80))
	case strings.Contains(path, "#"):
		return fmt.Errorf("the path %q of a deep link must not have a fragment: leave out # and what follows", text.Shorten(path, 80))
	case strings.ContainsFunc(path, func(r rune) bool { return r < ' ' }):
		return fmt.Errorf("the path %q of a deep link must not have control characters", text.Shorten(path, 80))
	case strings.HasPrefix(slashes(path), "//") || namesHost(path):
		return fmt.Errorf("the path %q of a deep link leads to another host: it must begin with a single /, also once its . and .. are resolved", text.Shorten(path, 80))
	}
	return nil
}

// slashes replaces each backslash by a slash, as browsers do in the path of a URL.
func slashes(path string) string { return strings.ReplaceAll(path, `\`, "/") }

// namesHost reports whether the path begins with // once a browser has resolved its . and
// .., which may also be written as %2e.
func namesHost(url string) bool {
	path, _, _ := strings.Cut(strings.TrimRight(url, " "), "?")
	segments := strings.Split(slashes(path), "/")[1:]
	var resolved []string
	for i, segment := range segments {
		dots := strings.ReplaceAll(strings.ToLower(segment), "%2e", ".")
		switch {
		case dots == ".." && len(resolved) > 0:
			resolved = resolved[:len(resolved)-1]
		case dots != "." && dots != "..":
			resolved = append(resolved, segment)
			continue
		}
		if i == len(segments)-1 {
			resolved = append(resolved, "") // a path that ends with dots ends with a slash
		}
	}
	return len(resolved) > 1 && resolved[0] == ""
}
