package viewdata

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxNext bounds the position that the author's function returns, in bytes, and so the
// cursor that a view sends.
const maxNext = 2048

// macSize is the length of the code in front of the position in a cursor.
const macSize = 16

var maxCursor = base64.RawURLEncoding.EncodedLen(macSize + maxNext)

var errCursor = errors.New("the cursor is not valid, or not valid any more: read from the first page again")

// processKey signs cursors where the author gives no key.
var processKey = sync.OnceValue(func() []byte {
	key := make([]byte, 32)
	rand.Read(key)
	return key
})

// cursors signs positions in the rows of one tool. A cursor is good for the user, the
// tool and the query that it was made for.
type cursors struct {
	key  []byte
	tool string
}

// seal returns the cursor of a position.
func (c cursors) seal(ctx context.Context, req *mcp.CallToolRequest, canonical []byte, next string) (string, error) {
	if len(next) > maxNext {
		return "", fmt.Errorf("the position of the next page has %d bytes, and may have %d", len(next), maxNext)
	}
	return base64.RawURLEncoding.EncodeToString(append(c.mac(ctx, req, canonical, next), next...)), nil
}

// open returns the position of a cursor.
func (c cursors) open(ctx context.Context, req *mcp.CallToolRequest, canonical []byte, cursor string) (string, error) {
	if len(cursor) > maxCursor {
		return "", errCursor
	}
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(b) <= macSize {
		return "", errCursor
	}
	next := string(b[macSize:])
	if !hmac.Equal(b[:macSize], c.mac(ctx, req, canonical, next)) {
		return "", errCursor
	}
	return next, nil
}

func (c cursors) mac(ctx context.Context, req *mcp.CallToolRequest, canonical []byte, next string) []byte {
	owner := viewstate.KeyFor(ctx, req, "viewdata\x00cursor") // for clients without a user, all the same
	h := hmac.New(sha256.New, c.key)
	for _, part := range [][]byte{owner[:], []byte(c.tool), canonical, []byte(next)} {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(part)))
		h.Write(n[:])
		h.Write(part)
	}
	return h.Sum(nil)[:macSize]
}
