package host

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html"
	"strings"
)

//go:embed sandbox/proxy.js
var proxyScript string

//go:embed sandbox/proxy.html
var proxyPage string

const proxyStyle = "html,body,iframe{margin:0;border:0;width:100%;height:100%;display:block;overflow:hidden;background:transparent;color-scheme:normal}"

var proxySources = "script-src " + sourceHash(proxyScript) + "; style-src " + sourceHash(proxyStyle)

// sourceHash is the source expression of a policy that allows one inline script
// or style.
func sourceHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// proxyDocument returns the sandbox proxy for views of a page, with the
// permissions of one view. The page's origin is checked, but the permissions
// come from a server.
func proxyDocument(pageOrigin, allow string) string {
	return strings.NewReplacer(
		"{host}", html.EscapeString(pageOrigin), "{allow}", html.EscapeString(allow),
		"{sandbox}", SandboxAttribute, "{style}", proxyStyle, "{script}", proxyScript,
	).Replace(proxyPage)
}

// proxyPolicy returns the policy of the proxy at viewHost. It is no looser than
// any view's, since what the view can reach is its proxy, too. It lets frames
// show the view's document and no other path of its origin: net/http's own
// "400 Bad Request" to a path such as /%zz has no policy, and the view could act
// through it.
func proxyPolicy(pageOrigin, viewHost string) string {
	return "default-src 'none'; " + proxySources + "; frame-src " + viewHost +
		"/view; base-uri 'none'; form-action 'none'; frame-ancestors " + pageOrigin
}
