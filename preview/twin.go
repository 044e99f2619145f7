package preview

import (
	"context"
	"fmt"

	"github.com/mcpapps-go/mcpapps/host"
)

// openTwin shows a view a second time, next to the first and in another host context,
// such as the dark theme. The twin gets the document, the input and the result of the
// first, so that the tool is not called again. What its own scripts call, they call.
func (v *view) openTwin(c host.HostContext) {
	ctx := v.preview.ctx
	twin := v.tab.newView(openCommand{Tool: v.tool, Args: v.args, Page: v.page, Policy: v.mode, Context: c, Console: v.console, Host: v.host})
	twin.emulation, twin.first = v.emulation, v
	twin.enterAs(v)
	if err := twin.connect(ctx, c); err != nil {
		twin.leaveEntry()
		v.note(host.LevelError, host.NoteDocument, "showing the view a second time: "+err.Error())
		return
	}
	app, err := v.bridge.WaitApp(ctx)
	if err != nil {
		twin.closeWithoutTeardown(err)
		return
	}
	twin.appear(app)
	result, err := v.bridge.WaitResult(ctx)
	if err != nil {
		_ = twin.bridge.SendToolCancelled(err.Error())
		return
	}
	_ = twin.bridge.SendToolResult(result)
}

// connect makes the bridge of a twin and gives it the input.
func (v *view) connect(ctx context.Context, c host.HostContext) error {
	use, ok := v.preview.turns.useInTurn(ctx, withViews)
	if !ok {
		return fmt.Errorf("the server runs for the client without views")
	}
	defer use.done()
	tools, err := use.conn.Tools(use.ctx)
	if err != nil {
		return err
	}
	o := v.options(c)
	args := v.args
	for _, t := range tools {
		if t.Tool.Name == v.tool {
			o.Tool = t.Tool
			args = host.FillDefaults(t.InputSchemaJSON(), args)
		}
	}
	if o.App, err = v.first.bridge.WaitApp(use.ctx); err != nil {
		return err
	}
	if declared := v.first.declared.Load(); declared != nil {
		read := *o.App
		read.UI, o.App = *declared, &read
	}
	if v.bridge, err = use.conn.NewBridge(use.ctx, o); err != nil {
		return err
	}
	return v.bridge.SendToolInput(args)
}
