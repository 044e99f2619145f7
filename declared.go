package mcpapps

import "context"

// readContext is the context of a read of a document. It is a type of its own so that
// lists, which may read many documents, need not allocate one for each.
type readContext struct {
	context.Context
	doc *document
}

type declaredKey struct{}

func (c *readContext) Value(key any) any {
	if key == (declaredKey{}) {
		return c.doc
	}
	return c.Context.Value(key)
}

// DeclaredUI returns what an app declares, for the handler that serves its document:
// given the context of a read, it returns the UI metadata with which the app was
// registered, by whatever function, and with that in the Meta of its resource or
// template. So a handler can take the policy from where it is written, as that of
// package view/bundle does. The result belongs to the caller.
//
// It returns false if the handler was not called for a registered app. A handler that
// sets _meta.ui itself replaces what is declared, which this does not know.
func DeclaredUI(ctx context.Context) (ResourceUIMetadata, bool) {
	d, ok := ctx.Value(declaredKey{}).(*document)
	if !ok {
		return ResourceUIMetadata{}, false
	}
	ui, err := ResourceUI(d.meta, nil)
	return ui, err == nil
}
