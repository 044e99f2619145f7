package main

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/chrome"
	"github.com/mcpapps-go/mcpapps/internal/liveview"
)

// A camera says with which browser and when the picture of a view is taken.
type camera struct {
	// browser returns a browser, and what to call when it is needed no longer.
	browser func(context.Context) (*chrome.Browser, func(), error)
	// initialize is how long a view may take to be initialized once its tool has
	// answered, giveUp how long one is waited for that, by all that is seen of
	// it, will not be.
	initialize, giveUp time.Duration
	// A view has settled when still pictures, one each interval, are the same as
	// the one before. One that never does, such as an animation, is taken as it
	// is after moving.
	interval time.Duration
	still    int
	moving   time.Duration
}

func newCamera() (*camera, error) {
	path, err := chrome.Find()
	if err != nil {
		return nil, err
	}
	launch := func(ctx context.Context) (*chrome.Browser, func(), error) {
		b, err := chrome.Launch(ctx, path)
		if err != nil {
			return nil, nil, err
		}
		return b, b.Close, nil
	}
	return &camera{browser: launch, initialize: 30 * time.Second, giveUp: 5 * time.Second, interval: 250 * time.Millisecond, still: 4, moving: 8 * time.Second}, nil
}

// take waits until the view is initialized and has its result, and then until it has
// settled, and returns what it looks like as a PNG. A view that is not initialized is
// taken as it is. In a frame without a height, it is taken at the height that it reports.
func (c *camera) take(ctx context.Context, v *liveview.View, f frame) ([]byte, error) {
	answered := func(o liveview.Outcome) bool { return o.Failed != nil || o.Answered }
	if err := v.Wait(ctx, answered); err != nil {
		return nil, fmt.Errorf("the tool did not answer: %w", err)
	}
	start := time.Now()
	initialized := func(o liveview.Outcome) bool {
		return o.Failed != nil || o.Initialized || o.Gone() ||
			time.Since(start) > c.initialize || v.CannotInitialize(ctx, c.giveUp) ||
			v.Paused() && time.Since(start) > pausedFor // its picture is not used
	}
	if err := v.Wait(ctx, initialized); err != nil {
		return nil, err
	}
	if o := v.Outcome(); o.Failed != nil {
		return nil, o.Failed
	}
	picture, err := c.settle(ctx, v)
	// At its new height, the view may have another one. One that shrinks follows the
	// height of its frame, and would do so without end.
	for last, height := 0, fitted(v.Outcome(), f.most); err == nil && f.height == 0 && height > last && last < f.most; last, height = height, fitted(v.Outcome(), f.most) {
		if err := v.Page().SetSize(ctx, f.width, height); err != nil {
			return nil, err
		}
		picture, err = c.settle(ctx, v)
	}
	v.Look(ctx, c.giveUp)
	return picture, err
}

// The bounds of the height of a picture that has the view's own.
const (
	minHeight = 16
	maxHeight = 4000
)

// fitted returns the height that a view has reported, within bounds, 0 if it has
// reported none.
func fitted(o liveview.Outcome, most int) int {
	if o.Height <= 0 || o.Gone() {
		return 0
	}
	return min(max(o.Height, minHeight), most)
}

func (c *camera) settle(ctx context.Context, v *liveview.View) ([]byte, error) {
	var last []byte
	same := 0
	for end := time.Now().Add(c.moving); ; {
		picture, err := onePicture(ctx, v)
		if err != nil || picture == nil {
			return nil, err
		}
		if bytes.Equal(picture, last) {
			same++
		} else {
			same = 0
		}
		if same >= c.still || time.Now().After(end) {
			return picture, nil
		}
		last = picture
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(c.interval):
		}
	}
}

// pausedFor is how long a view that was paused at an error may take for a picture.
const pausedFor = 2 * time.Second

// onePicture takes one picture. A view that was paused may have lost the request for it,
// and nobody uses its picture: it is given up early then, and is nil.
func onePicture(ctx context.Context, v *liveview.View) ([]byte, error) {
	paused, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		if v.Wait(paused, func(liveview.Outcome) bool { return v.Paused() }) == nil {
			time.AfterFunc(pausedFor, cancel)
		}
	}()
	picture, err := v.Screenshot(paused)
	if err != nil && ctx.Err() == nil && paused.Err() != nil {
		return nil, nil
	}
	return picture, err
}
