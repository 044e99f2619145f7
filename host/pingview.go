package host

import "context"

// Ping waits until the view has answered a ping, and so has received every message that
// was sent to it before. A view that does not know pings may answer with an error, which
// is an answer; one that answers nothing keeps Ping waiting until ctx ends.
func (b *Bridge) Ping(ctx context.Context) error {
	if !b.Ready() {
		if b.Err() != nil {
			return ErrClosed
		}
		return ErrNotReady
	}
	_, err := b.call(ctx, "ping", nil, nil)
	return err
}
