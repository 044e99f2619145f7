// Package viewstate keeps the state of views on the server, so that it survives a
// reload, a change of display mode and a chat that is opened again: the filters of a
// board, a draft, a selection.
//
// [Register] adds a tool that only views call. It loads and saves the document of an id,
// which the view gets from the result of the tool that opens it:
//
//	store := viewstate.NewMemory(nil)
//	viewstate.Register(server, store, nil)
//
// The view calls viewState(app, id) of the module mcp-app/data.
//
// There are two kinds of id. [New] returns a random one, for what belongs to one result,
// such as a draft. [For] derives one from the user and a subject, such as a board, so that
// it is the same whenever the user opens the board.
//
// An id is a name, and the right to the document is the user's: another user's id names
// another document. Without a user, over HTTP, whoever knows the id reaches the document,
// and the model can read the id in the result. The document is then as private as the chat.
//
// Documents are kept in a [Store]: [Memory], which is bounded, [SQL] on SQLite or
// PostgreSQL, or another that passes package viewstate/storetest.
package viewstate

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/owner"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Key names a document in a [Store]: 16 bytes of the hash of its owner, followed by 16
// bytes of the hash of its owner and its id. The documents of one owner are therefore
// adjacent, another owner's id names another document, and a dump of the store contains
// neither owners nor ids. Whoever has a dump can still test whether it holds documents of
// a user whose name they guess.
//
// The lowest bit of the first byte is not part of the hash. It is 1 if the owner is a
// client over HTTP without a user, whose documents a bounded store can keep from
// displacing those of users, and 0 otherwise.
type Key [32]byte

// anonymousBit is set in the first byte of the keys of clients without a user.
const anonymousBit = 1

func (k Key) anonymous() bool { return k[0]&anonymousBit != 0 }

// owner returns the part of a key that all documents of an owner have in common.
func (k Key) owner() ownerKey { return ownerKey(k[:16]) }

type ownerKey [16]byte

// A Record is a document as a [Store] keeps it.
type Record struct {
	Value   []byte // may be empty
	Version int64  // at least 1; each Put adds 1
}

// defaultExpiry is how long Memory and SQL keep a document after its last Put.
const defaultExpiry = 30 * 24 * time.Hour

// A Store keeps documents. Its methods are safe for concurrent use, keep no reference to
// the values that they get or return, and return an error if the context is done. Package
// viewstate/storetest checks an implementation.
type Store interface {
	// Get returns a document. It returns [ErrNotFound] if the document does not exist
	// or has expired.
	Get(ctx context.Context, key Key) (Record, error)
	// Put replaces the given version of a document. Version 0 stands for a document
	// that does not exist. Put returns the record that it stored. If the document has
	// another version, Put changes nothing and returns [ErrConflict] with the current
	// record, which is the zero Record if the document does not exist.
	Put(ctx context.Context, key Key, value []byte, version int64) (Record, error)
	// Delete removes a document. It is not an error if the document does not exist.
	Delete(ctx context.Context, key Key) error
	// Expire removes the documents whose last Put was before the given time.
	Expire(ctx context.Context, before time.Time) error
}

var (
	// ErrNotFound says that a document does not exist, has expired, or has another owner.
	ErrNotFound = errors.New("viewstate: no such document")
	// ErrConflict says that a document has another version than the one to be replaced.
	ErrConflict = errors.New("viewstate: the document has another version")
)

// KeyFor returns the key of the document that an id names for the caller of a tool. Pass
// the context and the request that the tool's handler got.
//
// The owner of the document is the user whom the request's token names. Without a user,
// the client on standard input and output or in the same process is the owner: all such
// clients of one process are the same owner. Over HTTP without a user each id is an owner
// of its own, so that whoever knows the id reaches the document.
//
// The tool that [Register] adds rejects ids with control characters. Documents that views
// must not write can therefore be in the same store under ids such as "form\x00" and a
// random text.
func KeyFor(ctx context.Context, req *mcp.CallToolRequest, id string) Key {
	owner := owner.Of(ctx, req)
	anonymous := owner == ""
	if anonymous {
		owner = "id:" + id
	}
	var key Key
	a := sha256.Sum256([]byte("owner\x00" + owner))
	b := hmac.New(sha256.New, a[:])
	b.Write([]byte(id))
	copy(key[:16], a[:])
	copy(key[16:], b.Sum(nil))
	key[0] &^= anonymousBit
	if anonymous {
		key[0] |= anonymousBit
	}
	return key
}

// New returns a random id, for a document that belongs to one result, such as a draft.
// Whoever reads the result can read the id.
func New() string { return rand.Text() }

// For returns the id of the document that belongs to a subject, such as a board, and to
// the caller's user. It is the same for each call, so a view finds its document again in
// a host that has lost the result. The secret prevents others from computing the id; it is
// the same in all replicas. For returns false if the caller has no user, except that a
// client on standard input and output or in the same process is a user: see [KeyFor].
func For(ctx context.Context, req *mcp.CallToolRequest, secret []byte, subject string) (id string, ok bool) {
	owner := owner.Of(ctx, req)
	if owner == "" {
		return "", false
	}
	h := hmac.New(sha256.New, secret)
	h.Write([]byte(owner + "\x00" + subject))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:16]), true
}
