package chrome

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/websocket"
)

// ownOrigin is the only origin that the browser lets connect to its port. No
// web page has it.
const ownOrigin = "http://mcpapps.invalid"

// startOverPort starts a browser and connects to the port that it chooses on
// loopback and writes into its profile.
func startOverPort(ctx context.Context, path string) (*process, conn, error) {
	p, err := startProcess(path, nil, "--remote-debugging-port=0", "--remote-allow-origins="+ownOrigin)
	if err != nil {
		return nil, nil, err
	}
	c, err := connectPort(ctx, p)
	if err != nil {
		p.kill()
		return nil, nil, p.explain(err, errors.Is(err, errBrowserGone)) // else it is killed here
	}
	return p, c, nil
}

func connectPort(ctx context.Context, p *process) (conn, error) {
	address, err := debuggerAddress(ctx, p)
	if err != nil {
		return nil, err
	}
	config, err := websocket.NewConfig(address, ownOrigin)
	if err != nil {
		return nil, err
	}
	ws, err := config.DialContext(ctx)
	if err != nil {
		return nil, fmt.Errorf("connecting to its debugging port: %w", err)
	}
	ws.MaxPayloadBytes = longestMessage
	return &portConn{ws}, nil
}

// debuggerAddress waits for the file in which the browser says where it
// listens.
func debuggerAddress(ctx context.Context, p *process) (string, error) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		text, err := os.ReadFile(filepath.Join(p.profile.dir, "DevToolsActivePort"))
		if err == nil {
			if address, ok := parseActivePort(string(text)); ok {
				return address, nil
			}
		}
		select {
		case <-p.exited:
			return "", errBrowserGone
		case <-ctx.Done():
			return "", fmt.Errorf("waiting for its debugging port: %w", ctx.Err())
		case <-tick.C:
		}
	}
}

// parseActivePort reads the port and the path, on a line each. It reports false
// for a file that is not complete yet.
func parseActivePort(text string) (address string, ok bool) {
	port, path, _ := strings.Cut(text, "\n")
	path = strings.TrimSpace(path)
	n, err := strconv.ParseUint(strings.TrimSpace(port), 10, 16)
	if err != nil || n == 0 || !strings.HasPrefix(path, "/") {
		return "", false
	}
	return fmt.Sprintf("ws://127.0.0.1:%d%s", n, path), true
}

type portConn struct{ ws *websocket.Conn }

func (c *portConn) read() ([]byte, error) {
	for {
		var msg []byte
		err := websocket.Message.Receive(c.ws, &msg)
		if errors.Is(err, websocket.ErrFrameTooLarge) {
			continue // which drops it
		}
		return msg, err
	}
}

func (c *portConn) write(msg []byte) error { return websocket.Message.Send(c.ws, string(msg)) }

func (c *portConn) close() {
	_ = c.ws.SetDeadline(time.Now()) // ends a write, for which Close would wait
	c.ws.Close()
}
