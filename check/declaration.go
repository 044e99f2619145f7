package check

import (
	"strings"

	"github.com/mcpapps-go/mcpapps"
)

// A cspList is one of the lists of a csp object.
type cspList struct {
	key     string
	entries []string
}

func cspLists(csp *mcpapps.CSP) []cspList {
	if csp == nil {
		return nil
	}
	return []cspList{
		{"connectDomains", csp.ConnectDomains}, {"resourceDomains", csp.ResourceDomains},
		{"frameDomains", csp.FrameDomains}, {"baseUriDomains", csp.BaseURIDomains},
	}
}

// A declaration is a csp object made ready to look many origins up: for each
// list and each host, which may begin with "*.", the schemes and ports.
type declaration map[[2]string][]source

type source struct{ scheme, port string }

func newDeclaration(csp *mcpapps.CSP) declaration {
	d := make(declaration)
	for _, l := range cspLists(csp) {
		for _, entry := range l.entries {
			if scheme, rest, ok := strings.Cut(strings.ToLower(entry), "://"); ok {
				host, port := splitPort(rest, scheme)
				key := [2]string{l.key, host}
				if s := (source{scheme, port}); len(d[key]) < 100 {
					d[key] = append(d[key], s)
				}
			}
		}
	}
	return d
}

// covers reports whether an entry of the list matches an origin, as a browser
// matches sources: http without a port also stands for https, ws for wss, and a
// wildcard for one label or more before the dot.
func (d declaration) covers(list, origin string) bool {
	if len(d) == 0 {
		return false
	}
	scheme, rest, _ := strings.Cut(origin, "://")
	host, port := splitPort(rest, scheme)
	if d.has(list, host, scheme, port) {
		return true
	}
	for range 128 { // a name has no more labels
		_, parent, ok := strings.Cut(host, ".")
		if !ok {
			return false
		}
		if d.has(list, "*."+parent, scheme, port) {
			return true
		}
		host = parent
	}
	return false
}

func (d declaration) has(list, host, scheme, port string) bool {
	for _, s := range d[[2]string{list, host}] {
		secure := s.scheme+"s" == scheme && s.port == "80" && port == "443"
		if secure || s == (source{scheme, port}) {
			return true
		}
	}
	return false
}

func splitPort(host, scheme string) (string, string) {
	if h, p, ok := strings.Cut(host, ":"); ok {
		return h, p
	}
	if scheme == "https" || scheme == "wss" {
		return host, "443"
	}
	return host, "80"
}
