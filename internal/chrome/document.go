package chrome

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
)

// A Document is what a frame shows at a time. Its methods fail once the frame
// shows another document.
type Document struct {
	page *Page
	in   execContext
}

// Document returns the document with the given path of its URL in a frame of the
// page, the last such one.
func (p *Page) Document(path string) (*Document, error) {
	c, err := p.frame(path)
	if err != nil {
		return nil, err
	}
	return &Document{p, c}, nil
}

// A Node names an element of a document, for as long as the document exists.
type Node int

// Eval evaluates an expression in the document and decodes its value into v,
// unless v is nil. It waits for a promise.
func (d *Document) Eval(ctx context.Context, expression string, v any) error {
	return d.page.eval(ctx, d.in, expression, v)
}

// Call calls a function in the document, given as its source, with arg as JSON and
// the nodes after it. It decodes the result into v, unless v is nil. It waits for a
// promise.
func (d *Document) Call(ctx context.Context, function string, v, arg any, nodes ...Node) error {
	group := "call " + strconv.FormatInt(d.page.groups.Add(1), 10)
	defer func() {
		// Without an answer: the browser handles calls in order.
		_, _ = d.page.b.send(ctx, &call{session: d.in.frame.session, method: "Runtime.releaseObjectGroup"}, map[string]any{"objectGroup": group})
	}()
	args := []map[string]any{{"value": arg}}
	for _, n := range nodes {
		var resolved struct{ Object struct{ ObjectID string } }
		if err := d.result(ctx, "DOM.resolveNode", map[string]any{"backendNodeId": n, "objectGroup": group}, &resolved); err != nil {
			return err
		}
		args = append(args, map[string]any{"objectId": resolved.Object.ObjectID})
	}
	var r evaluated
	err := d.result(ctx, "Runtime.callFunctionOn", map[string]any{
		"functionDeclaration": function, "uniqueContextId": d.in.id, "arguments": args,
		"objectGroup": group, "returnByValue": true, "awaitPromise": true, "userGesture": true,
	}, &r)
	if err != nil {
		return err
	}
	return r.decode(v)
}

// result makes a call in the session of the document's frame, which fails when the
// document goes.
func (d *Document) result(ctx context.Context, method string, params, v any) error {
	c, err := d.page.b.send(ctx, &call{session: d.in.frame.session, contextID: d.in.id, method: method}, params)
	if err != nil {
		return err
	}
	raw, err := d.page.b.wait(ctx, c)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, v)
}

// Origin returns where the document's viewport begins in the page's, in CSS pixels.
func (d *Document) Origin(ctx context.Context) (x, y float64, err error) {
	var inside struct{ X, Y float64 }
	err = d.Eval(ctx, `(() => {
		let x = 0, y = 0;
		for (let w = window; w !== w.parent && w.frameElement; w = w.parent) {
			const frame = w.frameElement, r = frame.getBoundingClientRect(), s = w.parent.getComputedStyle(frame);
			x += r.left + frame.clientLeft + parseFloat(s.paddingLeft);
			y += r.top + frame.clientTop + parseFloat(s.paddingTop);
		}
		return { x, y };
	})()`, &inside)
	if err != nil || d.in.frame.session == d.page.session {
		return inside.X, inside.Y, err
	}
	// The rest of the way leads out of the frame's process.
	var tree struct {
		FrameTree struct{ Frame struct{ ID string } }
	}
	if err := d.result(ctx, "Page.getFrameTree", nil, &tree); err != nil {
		return 0, 0, err
	}
	var owner struct{ BackendNodeID Node }
	if err := d.page.result(ctx, "DOM.getFrameOwner", map[string]any{"frameId": tree.FrameTree.Frame.ID}, &owner); err != nil {
		return 0, 0, err
	}
	var box struct{ Model struct{ Content []float64 } }
	if err := d.page.result(ctx, "DOM.getBoxModel", map[string]any{"backendNodeId": owner.BackendNodeID}, &box); err != nil {
		return 0, 0, err
	}
	if len(box.Model.Content) < 2 {
		return 0, 0, fmt.Errorf("the frame has no box")
	}
	return inside.X + box.Model.Content[0], inside.Y + box.Model.Content[1], nil
}

// result makes a call in the session of the page.
func (p *Page) result(ctx context.Context, method string, params, v any) error {
	raw, err := p.b.call(ctx, p.session, method, params)
	if err != nil {
		return err
	}
	if v == nil {
		return nil
	}
	return json.Unmarshal(raw, v)
}
