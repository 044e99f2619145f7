package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/mcpapps-go/mcpapps/host"
)

// showFrame stands for a frame whose script answers the host's requests, by method.
func showFrame(bridge *host.Bridge, answers map[string]string) {
	bridge.Attach(host.TransportFunc(func(msg json.RawMessage) error {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
		}
		if err := json.Unmarshal(msg, &m); err != nil {
			return err
		}
		if answer, ok := answers[m.Method]; ok {
			bridge.Receive(json.RawMessage(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, answer)))
		} else if m.Method != "" {
			fmt.Println("to the view:", m.Method, string(m.Params))
		}
		return nil
	}))
	bridge.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":0,"method":"ui/initialize","params":{"appInfo":{"name":"clock","version":"1"},"appCapabilities":{"tools":{},"availableDisplayModes":["inline","fullscreen"]},"protocolVersion":"2026-01-26"}}`))
	bridge.Receive(json.RawMessage(`{"jsonrpc":"2.0","method":"ui/notifications/initialized"}`))
}

func mustBridge(opts *host.BridgeOptions) *host.Bridge {
	bridge, err := host.NewBridge(nil, opts) // without a server
	if err != nil {
		log.Fatal(err)
	}
	return bridge
}

var closes = map[string]string{"ping": "{}", "ui/resource-teardown": "{}"}

// The program of a chat changes its theme, and shows the view on the full screen.
func ExampleBridge_SetContext() {
	bridge := mustBridge(&host.BridgeOptions{Context: host.HostContext{
		Theme:                 host.ThemeLight,
		DisplayMode:           host.DisplayInline,
		AvailableDisplayModes: []host.DisplayMode{host.DisplayInline, host.DisplayFullscreen},
	}})
	showFrame(bridge, closes)
	info, _ := bridge.AppInfo()
	fmt.Println(info.Info.Name, bridge.Ready())

	changed := bridge.Context()
	changed.Theme = host.ThemeDark
	if err := bridge.SetContext(changed); err != nil { // the view gets what differs
		log.Fatal(err)
	}
	if err := bridge.SetDisplayMode(host.DisplayFullscreen); err != nil {
		log.Fatal(err)
	}
	if err := bridge.Ping(context.Background()); err != nil { // until the view has all of it
		log.Fatal(err)
	}
	bridge.Close(context.Background(), nil)
	// Output:
	// clock true
	// to the view: ui/notifications/host-context-changed {"theme":"dark"}
	// to the view: ui/notifications/host-context-changed {"displayMode":"fullscreen"}
}

// A view's own tools are offered to the model under names of the program's own.
func ExampleBridge_CallAppTool() {
	ctx := context.Background()
	bridge := mustBridge(nil)
	showFrame(bridge, map[string]string{
		"tools/list":           `{"tools":[{"name":"set-alarm","inputSchema":{"type":"object"}}]}`,
		"tools/call":           `{"content":[{"type":"text","text":"The alarm is set."}]}`,
		"ui/resource-teardown": "{}",
	})
	tools, err := bridge.AppTools(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("view_" + tools[0].Name)
	result, err := bridge.CallAppTool(ctx, tools[0].Name, map[string]any{"at": "12:00"}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(result))
	bridge.Close(ctx, nil)
	// Output:
	// view_set-alarm
	// {"content":[{"type":"text","text":"The alarm is set."}]}
}

// While a model writes the arguments of a call, the view shows those that are there.
func ExampleBridge_SendToolInputPartial() {
	bridge := mustBridge(nil)
	showFrame(bridge, closes)
	for _, args := range []string{`{"zone":""}`, `{"zone":"Eur"}`} {
		if err := bridge.SendToolInputPartial(json.RawMessage(args)); err != nil {
			log.Fatal(err)
		}
	}
	if err := bridge.SendToolInput(map[string]any{"zone": "Europe/Oslo"}); err != nil {
		log.Fatal(err)
	}
	if err := bridge.SendToolCancelled("the user pressed stop"); err != nil {
		log.Fatal(err)
	}
	bridge.Close(context.Background(), nil)
	// Output:
	// to the view: ui/notifications/tool-input-partial {"arguments":{"zone":""}}
	// to the view: ui/notifications/tool-input-partial {"arguments":{"zone":"Eur"}}
	// to the view: ui/notifications/tool-input {"arguments":{"zone":"Europe/Oslo"}}
	// to the view: ui/notifications/tool-cancelled {"reason":"the user pressed stop"}
}

// What the view tells the model is accepted by a callback and read at the next turn.
func ExampleBridge_ModelContext() {
	accepted := make(chan struct{})
	bridge := mustBridge(&host.BridgeOptions{
		UpdateModelContext: func(context.Context, *host.ModelContext) error { close(accepted); return nil },
	})
	fmt.Println(bridge.ModelContext())
	showFrame(bridge, closes)
	bridge.Receive(json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"ui/update-model-context","params":{"content":[{"type":"text","text":"The user looks at 12:00."}]}}`))
	<-accepted
	for bridge.ModelContext() == nil { // it is kept once the callback has returned
		time.Sleep(time.Millisecond)
	}
	content, err := json.Marshal(bridge.ModelContext().Content)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(content))
	bridge.Close(context.Background(), nil)
	// Output:
	// <nil>
	// [{"type":"text","text":"The user looks at 12:00."}]
}

// A view is closed with a reason, which whoever waits for its end learns.
func ExampleBridge_Done() {
	bridge := mustBridge(nil)
	showFrame(bridge, closes)
	go bridge.Close(context.Background(), errors.New("the conversation is over"))
	<-bridge.Done()
	fmt.Println(bridge.Err())
	// Output: the conversation is over
}

func ExampleTransportFunc() {
	var t host.Transport = host.TransportFunc(func(msg json.RawMessage) error {
		fmt.Println("posted:", string(msg))
		return nil
	})
	if err := t.Send(json.RawMessage(`{"jsonrpc":"2.0","method":"ping","id":1}`)); err != nil {
		log.Fatal(err)
	}
	// Output: posted: {"jsonrpc":"2.0","method":"ping","id":1}
}
