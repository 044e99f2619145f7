package preview

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A view that was closed while its document was read, as when the server ends, is not
// made reachable: nothing would remove it again.
func TestClosedBeforeItIsShown(t *testing.T) {
	reason := errors.New("the server ended")
	v, _ := hintedView()
	v.preview.views, v.tab.views = map[string]*view{}, map[string]*view{}
	v.name = "v"
	assert.NoError(t, v.register())
	assert.Len(t, v.preview.views, 1)
	v.closed(reason)
	assert.Equal(t, reason, v.register())
	assert.Empty(t, v.preview.views)
	assert.Empty(t, v.tab.views)

	v, _ = hintedView()
	v.preview.views, v.tab.views = map[string]*view{}, map[string]*view{}
	v.tab.closed = true
	assert.Equal(t, errPageClosed, v.register())
	assert.Empty(t, v.preview.views)
}
