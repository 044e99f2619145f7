package client

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A servedPage is a document with its headers; an empty one is not sent.
type servedPage struct{ policy, allowlist, body string }

// A network is a proxy that answers for all hosts on all ports, by http and https.
// It records each request that the browser lets through.
type network struct {
	server *httptest.Server
	proxy  string // the URL for --proxy-server
	page   func(path string) (servedPage, bool)

	tls     *tls.Config
	mu      sync.Mutex
	reached map[string]bool // paths
}

func newNetwork(t *testing.T, page func(path string) (servedPage, bool)) *network {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotAfter: time.Now().Add(time.Hour)}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	n := &network{page: page, reached: map[string]bool{}, tls: &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{cert}, PrivateKey: key}}}}
	n.server = httptest.NewServer(n)
	n.proxy = n.server.URL
	return n
}

// ServeHTTP is the proxy. It answers requests, through a tunnel or not, in place
// of their host.
func (n *network) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodConnect {
		n.answer(w, r)
		return
	}
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
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
	one := &oneConn{conn: inner}
	go http.Serve(one, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		n.answer(w, r)
	}))
}

func (n *network) answer(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if r.Host == "view.test" {
		if p, ok := n.page(r.URL.Path); ok {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Content-Security-Policy", p.policy)
			if p.allowlist != "" {
				w.Header().Set("Connection-Allowlist", p.allowlist)
			}
			_, _ = io.WriteString(w, p.body)
			return
		}
	}
	n.mu.Lock()
	n.reached[r.URL.Path] = true
	n.mu.Unlock()
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Content-Type", "text/javascript") // a worker says that it runs
	_, _ = io.WriteString(w, "self.postMessage(0)")
}

// reachedPath reports whether a request for the path has arrived.
func (n *network) reachedPath(path string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.reached[path]
}

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
