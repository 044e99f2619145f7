package host

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// answerUnknown answers a request of a method that the bridge does not have.
func (b *Bridge) answerUnknown(ctx context.Context, in *incoming) (json.RawMessage, error) {
	result, handled, err := b.answer(ctx, in)
	if err == nil && !handled {
		err = noSuchMethod(in.method)
	}
	return result, err
}

// answerRead lets the program answer a resources/read, before it goes to the server.
func (b *Bridge) answerRead(ctx context.Context, in *incoming) (result json.RawMessage, handled bool, err error) {
	if b.opts.Answer == nil {
		return nil, false, nil
	}
	err = b.inProgram(ctx, in, func() (err error) {
		result, handled, err = b.answer(ctx, in)
		return err
	})
	return result, handled, err
}

// answer asks the program for an answer.
func (b *Bridge) answer(ctx context.Context, in *incoming) (json.RawMessage, bool, error) {
	result, handled, err := b.opts.Answer(ctx, in.method, in.params)
	if err == nil && handled && (!isObject(result) || !json.Valid(result)) {
		err = fmt.Errorf("the host's Answer callback did not return a result for %s: it must be a JSON object", short(in.method))
	}
	return result, handled, err
}

func noSuchMethod(method string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: fmt.Sprintf("no such method: %q", short(method))}
}
