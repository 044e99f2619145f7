// Package sandbox tests with a browser which connections a view in the sandbox
// of package host can make, by every means that a document has.
package sandbox

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/e2e"
)

// An internet stands for all hosts whose names end in ".test", at every port, by
// TLS and without. It records which of them the browser connected to, a TLS
// handshake without a request included. The names of localhost are served by own.
type internet struct {
	browser *chrome.Browser
	port    int // of everything
	own     http.Handler

	netlog string
	tls    *tls.Config
	mu     sync.Mutex
	seen   map[string]bool
}

func newInternet(t *testing.T, own http.Handler) *internet {
	e2e.Need(t, e2e.Browser)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotAfter: time.Now().Add(time.Hour)}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	n := &internet{own: own, seen: map[string]bool{}, netlog: filepath.Join(t.TempDir(), "netlog.json")}
	n.tls = &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{cert}, PrivateKey: key}},
		GetConfigForClient: func(h *tls.ClientHelloInfo) (*tls.Config, error) {
			n.saw("connection to " + h.ServerName)
			return nil, nil
		},
	}
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { tcp.Close() })
	n.port = tcp.Addr().(*net.TCPAddr).Port
	go n.serve(tcp)

	// The names that begin with "dns" are resolved and so appear in the browser's
	// log; the resolver of this machine finds nothing under ".test".
	wrapper := filepath.Join(t.TempDir(), "chromium")
	require.NoError(t, os.WriteFile(wrapper, fmt.Appendf(nil,
		"#!/bin/sh\nexec '%s' \"$@\" --ignore-certificate-errors '--log-net-log=%s' '--host-resolver-rules=MAP *.test:* 127.0.0.1:%d, EXCLUDE dns*'\n",
		whole, n.netlog, n.port), 0o755))
	n.browser, err = chrome.Launch(t.Context(), wrapper)
	require.NoError(t, err)
	t.Cleanup(n.browser.Close)
	return n
}

func (n *internet) serve(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			buffered := bufio.NewReader(conn)
			first, err := buffered.Peek(1)
			if err != nil {
				conn.Close()
				return
			}
			inner := net.Conn(&bufferedConn{conn, buffered})
			if first[0] == 0x16 { // a TLS handshake
				inner = tls.Server(inner, n.tls)
			}
			_ = (&http.Server{Handler: n, MaxHeaderBytes: 16 << 20}).Serve(&oneConn{conn: inner})
		}()
	}
}

// ServeHTTP answers in place of every host.
func (n *internet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, _, _ := strings.Cut(r.Host, ":")
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		n.own.ServeHTTP(w, r)
		return
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	n.saw("request to " + scheme + "://" + r.Host)
	if to := r.URL.Query().Get("to"); to != "" {
		http.Redirect(w, r, to, http.StatusFound)
		return
	}
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "text/javascript")
	_, _ = io.WriteString(w, "0")
}

// stunServer returns the address of a STUN server, which does not answer.
func (n *internet) stunServer(t *testing.T, name string) string {
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { udp.Close() })
	go func() {
		for packet := make([]byte, 2048); ; {
			if _, _, err := udp.ReadFrom(packet); err != nil {
				return
			}
			n.saw("STUN packet of " + name)
		}
	}()
	return udp.LocalAddr().String()
}

func (n *internet) saw(what string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.seen[what] = true
}

// resolved matches the log entry of a name that the browser was to resolve.
var resolved = regexp.MustCompile(`"host":"https?://(dns[a-z0-9.-]+)"`)

// close ends the browser and returns all that was seen of hosts, with the names
// whose addresses it looked up.
func (n *internet) close(t *testing.T) map[string]bool {
	n.browser.Close()
	log, err := os.ReadFile(n.netlog)
	require.NoError(t, err)
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, match := range resolved.FindAllSubmatch(log, -1) {
		n.seen["look-up of "+string(match[1])] = true
	}
	return n.seen
}

func (n *internet) origin(name string) string { return "http://" + name + ":" + strconv.Itoa(n.port) }

type bufferedConn struct {
	net.Conn
	r *bufio.Reader
}

func (c *bufferedConn) Read(p []byte) (int, error) { return c.r.Read(p) }

// oneConn is a listener of one connection.
type oneConn struct {
	conn net.Conn
	once sync.Once
}

func (l *oneConn) Accept() (conn net.Conn, err error) {
	err = net.ErrClosed
	l.once.Do(func() { conn, err = l.conn, nil })
	return conn, err
}
func (l *oneConn) Close() error   { return nil }
func (l *oneConn) Addr() net.Addr { return l.conn.LocalAddr() }
