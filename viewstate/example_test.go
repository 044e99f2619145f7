package viewstate_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpapps-go/mcpapps"
	"github.com/mcpapps-go/mcpapps/viewstate"
)

type boardArgs struct {
	Board string `json:"board"`
}

type boardResult struct {
	Board string `json:"board"`
	State string `json:"state"` // the id that the view passes to viewState
}

// The view of a board keeps its filters: the tool that opens it says under which id.
func ExampleRegister() {
	ctx := context.Background()
	s := mcp.NewServer(&mcp.Implementation{Name: "boards", Version: "v1.0.0"}, nil)
	store := viewstate.NewMemory(nil)
	viewstate.Register(s, store, nil)
	secret := []byte("the same in all replicas") // from the configuration
	view := mcpapps.View{Resource: mcp.Resource{URI: "ui://boards/view.html"}, Document: mcpapps.HTML("<!doctype html><title>Board</title>")}
	mcpapps.RegisterApp(s, &mcp.Tool{Name: "show_board"}, view,
		func(ctx context.Context, req *mcp.CallToolRequest, in boardArgs) (*mcp.CallToolResult, boardResult, error) {
			id, ok := viewstate.For(ctx, req, secret, in.Board)
			if !ok { // nobody knows whose board it is
				id = viewstate.New()
			}
			return nil, boardResult{in.Board, id}, nil
		})

	client, server := mcp.NewInMemoryTransports()
	if _, err := s.Connect(ctx, server, nil); err != nil {
		log.Fatal(err)
	}
	host, err := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "v1.0.0"}, nil).Connect(ctx, client, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer host.Close()
	call := func(tool string, args map[string]any) *mcp.CallToolResult {
		res, err := host.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			log.Fatal(err)
		}
		return res
	}
	for range 2 { // the board is opened, and opened again
		id := call("show_board", map[string]any{"board": "sales"}).StructuredContent.(map[string]any)["state"]
		fmt.Println("loads", call("view_state", map[string]any{"id": id}).Content[0].(*mcp.TextContent).Text)
		saved := call("view_state", map[string]any{"id": id, "version": 0, "state": map[string]any{"filter": "open"}})
		fmt.Println("saves", saved.Content[0].(*mcp.TextContent).Text)
	}
	// Output:
	// loads {"state":null,"version":0}
	// saves {"version":1}
	// loads {"state":{"filter":"open"},"version":1}
	// saves {"conflict":true,"state":{"filter":"open"},"version":1}
}

// A draft belongs to one result, so its id is random.
func ExampleNew() {
	a, b := viewstate.New(), viewstate.New()
	fmt.Println(a != b, len(a) <= 128)
	// Output: true true
}

// A board belongs to a user, so its id is the same in each call by that user.
func ExampleFor() {
	ctx, secret := context.Background(), []byte("the same in all replicas")
	caller := func(user string) *mcp.CallToolRequest {
		return &mcp.CallToolRequest{Extra: &mcp.RequestExtra{Header: http.Header{}, TokenInfo: &auth.TokenInfo{UserID: user}}}
	}
	ada, ok := viewstate.For(ctx, caller("ada"), secret, "board 7")
	again, _ := viewstate.For(ctx, caller("ada"), secret, "board 7")
	bob, _ := viewstate.For(ctx, caller("bob"), secret, "board 7")
	_, anonymous := viewstate.For(ctx, caller(""), secret, "board 7")
	fmt.Println(ok, ada == again, ada == bob, anonymous)
	// Output: true true false false
}

// A tool for the model reads what the user has chosen in the view.
func ExampleKeyFor() {
	store := viewstate.NewMemory(nil)
	read := func(ctx context.Context, req *mcp.CallToolRequest, in struct{ ID string }) (*mcp.CallToolResult, any, error) {
		r, err := store.Get(ctx, viewstate.KeyFor(ctx, req, in.ID))
		if err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(r.Value)}}}, nil, nil
	}

	ctx, req := context.Background(), &mcp.CallToolRequest{} // of a client in this process
	if _, err := store.Put(ctx, viewstate.KeyFor(ctx, req, "filters"), []byte(`{"open":true}`), 0); err != nil {
		log.Fatal(err)
	}
	res, _, err := read(ctx, req, struct{ ID string }{"filters"})
	fmt.Println(res.Content[0].(*mcp.TextContent).Text, err)
	// Output: {"open":true} <nil>
}

// All stores have the methods of one in memory.
func ExampleNewMemory() {
	ctx := context.Background()
	store := viewstate.NewMemory(&viewstate.MemoryOptions{PerOwner: 100, Expiry: time.Hour})
	key := viewstate.KeyFor(ctx, nil, "draft")
	first, err := store.Put(ctx, key, []byte(`{"text":"a"}`), 0)
	fmt.Println(first.Version, err)
	current, err := store.Put(ctx, key, []byte(`{"text":"b"}`), 0)
	fmt.Println(string(current.Value), errors.Is(err, viewstate.ErrConflict))
	fmt.Println(store.Delete(ctx, key), store.Expire(ctx, time.Now()))
	_, err = store.Get(ctx, key)
	fmt.Println(errors.Is(err, viewstate.ErrNotFound))
	// Output:
	// 1 <nil>
	// {"text":"a"} true
	// <nil> <nil>
	// true
}

// The program imports a driver: modernc.org/sqlite, for example.
func ExampleNewSQL() {
	ctx := context.Background()
	db, err := sql.Open("sqlite", "file:state.db?_pragma=journal_mode(wal)&_pragma=busy_timeout(5000)")
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	store, err := viewstate.NewSQL(ctx, db, viewstate.SQLite, nil)
	if err != nil {
		log.Fatal(err)
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "boards", Version: "v1.0.0"}, nil)
	viewstate.Register(s, store, nil)
}
