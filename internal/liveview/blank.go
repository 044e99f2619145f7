package liveview

import (
	"context"
	"time"
)

// Look looks at the view's document for the outcomes that follow: whether it is blank
// although the view has its result, whether its script hangs for the time respond, or
// what scripts one has that is not initialized.
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
	err := v.page.EvalIn(inside, viewPath, isBlank, &blank)
	if err == nil || inside.Err() == nil || ctx.Err() != nil {
		return blank, false
	}
	outside, cancel := context.WithTimeout(ctx, respond)
	defer cancel()
	return false, v.page.Eval(outside, "1", nil) == nil
}

// isBlank is true in a document that shows no text, picture, control or color.
const isBlank = `(() => {
	const body = document.body;
	if (!body || body.innerText.trim()) return !body;
	const shows = (e) => {
		const r = e.getBoundingClientRect(), s = getComputedStyle(e);
		return r.width > 0 && r.height > 0 && s.visibility !== "hidden" && Number(s.opacity) > 0;
	};
	const drawn = "img,svg,canvas,video,iframe,input,button,textarea,select,progress,meter,hr,object,embed";
	return ![...body.querySelectorAll("*")].some((e) => shows(e) && (e.shadowRoot || e.matches(drawn) ||
		getComputedStyle(e).backgroundImage !== "none" || !["rgba(0, 0, 0, 0)", "transparent"].includes(getComputedStyle(e).backgroundColor)));
})()`
