package viewstate_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/mcpapps-go/mcpapps/viewstate"
)

// TestOvertaking: a view that is unloaded sends two saves, and the second comes first.
func TestOvertaking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := viewstate.NewMemory(nil)
		first := inProcess(t, boardServer(st, nil))
		second := inProcess(t, boardServer(st, nil))
		begin := time.Now()
		answer := make(chan string, 1)
		go func() { answer <- second.state(`{"id":"a","version":1,"state":{"n":2}}`) }()
		time.Sleep(100 * time.Millisecond)
		assert.Equal(t, `{"version":1}`, first.state(`{"id":"a","version":0,"state":{"n":1}}`))
		assert.Equal(t, `{"version":2}`, <-answer)
		assert.Less(t, time.Since(begin), time.Second)
		assert.Equal(t, `{"state":{"n":2},"version":2}`, first.state(`{"id":"a"}`))

		begin = time.Now()
		assert.Equal(t, `{"conflict":true,"state":{"n":2},"version":2}`, second.state(`{"id":"a","version":3,"state":{}}`), "nothing comes before it")
		assert.Equal(t, 525*time.Millisecond, time.Since(begin))
		begin = time.Now()
		assert.Equal(t, `{"conflict":true,"state":{"n":2},"version":2}`, second.state(`{"id":"a","version":1,"state":{}}`))
		assert.Zero(t, time.Since(begin), "an older version does not wait")
	})
}

// TestWaitingSavesAreBounded: whoever sends saves for which nothing comes keeps few of them
// waiting.
func TestWaitingSavesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := boardServer(viewstate.NewMemory(nil), &viewstate.Options{Rate: 1000})
		begin := time.Now()
		var waited atomic.Int64
		var wg sync.WaitGroup
		for range 100 {
			c := inProcess(t, server)
			wg.Go(func() {
				assert.Equal(t, `{"conflict":true,"state":null,"version":0}`, c.state(`{"id":"a","version":1,"state":{}}`))
				if time.Since(begin) > 0 {
					waited.Add(1)
				}
			})
		}
		wg.Wait()
		assert.EqualValues(t, 64, waited.Load())
	})
}
