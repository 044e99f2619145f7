package liveview

import (
	"context"
	"time"

	"github.com/mcpapps-go/mcpapps/internal/inject"
)

// Look looks at the view's document for the outcomes that follow: whether it is blank
// although the view has its result, whether its script hangs for the time respond, or
// what scripts one has that is not initialized. internal/inject/blank.js decides what is
// blank.
func (v *View) Look(ctx context.Context, respond time.Duration) {
	o := v.Outcome()
	var blank, hangs bool
	switch {
	case o.Gone() || !o.Opened:
		return
	case !o.Initialized:
		hangs = v.inspectOrHangs(ctx, respond)
	default:
		blank, hangs = v.look(ctx, respond)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.outcome.Blank = blank && o.Answered
	if hangs {
		v.outcome.Hangs = respond
	}
}

// look reports whether the view's document is blank, and whether its script hangs:
// it blocks everything else in its frame for the time respond, while the page
// around it still answers.
func (v *View) look(ctx context.Context, respond time.Duration) (blank, hangs bool) {
	inside, cancel := context.WithTimeout(ctx, respond)
	defer cancel()
	err := v.page.EvalIn(inside, viewPath, "("+inject.IsBlank()+")()", &blank)
	if err == nil || inside.Err() == nil || ctx.Err() != nil {
		return blank, false
	}
	outside, cancel := context.WithTimeout(ctx, respond)
	defer cancel()
	return false, v.page.Eval(outside, "1", nil) == nil
}
