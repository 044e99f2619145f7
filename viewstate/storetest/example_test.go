package storetest_test

import (
	"testing"

	"github.com/mcpapps-go/mcpapps/viewstate"
	"github.com/mcpapps-go/mcpapps/viewstate/storetest"
)

// A test of a store, here of the one in memory.
func ExampleTest() {
	_ = func(t *testing.T) {
		storetest.Test(t, func(t *testing.T) viewstate.Store { return viewstate.NewMemory(nil) })
	}
}
