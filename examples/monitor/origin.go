package main

import "net/http"

// onlyFrom protects an MCP endpoint from web pages: those of other sites must not be
// able to call a server on the user's machine. One origin may be allowed, that of a
// host which runs in a browser and calls servers from its page. It needs CORS, too:
// the browser asks with OPTIONS what it may send, and hides the session's id from the
// page unless the server exposes it.
func onlyFrom(origin string, next http.Handler) (http.Handler, error) {
	protection := http.NewCrossOriginProtection()
	if origin != "" {
		if err := protection.AddTrustedOrigin(origin); err != nil {
			return nil, err
		}
	}
	protected := protection.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Origin")
		if origin != "" && r.Header.Get("Origin") == origin {
			h := w.Header()
			h.Set("Access-Control-Allow-Origin", origin)
			h.Set("Access-Control-Expose-Headers", "Mcp-Session-Id")
			if r.Method == http.MethodOptions {
				h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
				h.Set("Access-Control-Allow-Headers", "Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id")
				w.WriteHeader(http.StatusNoContent)
				return
			}
		}
		protected.ServeHTTP(w, r)
	}), nil
}
