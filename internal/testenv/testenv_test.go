package testenv

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// recorder is a test that Skip ends.
type recorder struct {
	testing.TB
	skipped, failed string
}

func (r *recorder) Helper()           {}
func (r *recorder) Skip(args ...any)  { r.skipped += fmt.Sprint(args...) }
func (r *recorder) Fatal(args ...any) { r.failed += fmt.Sprint(args...); panic(r) }

func (r *recorder) run(f func()) {
	defer func() { recover() }()
	f()
}

// TestSkip: a skip says what is missing, and CI does not pass by it.
func TestSkip(t *testing.T) {
	t.Setenv("MCPAPPS_E2E", "")
	outside := &recorder{TB: t}
	outside.run(func() { Skip(outside, "no database: install it") })
	assert.Equal(t, "no database: install it; with MCPAPPS_E2E=1 this test fails instead", outside.skipped)
	assert.Empty(t, outside.failed)
	patient := &recorder{TB: t}
	patient.run(func() { Long(patient) })
	assert.Equal(t, "takes long: run it with MCPAPPS_E2E=1, as CI does", patient.skipped)

	t.Setenv("MCPAPPS_E2E", "1")
	inCI := &recorder{TB: t}
	inCI.run(func() { Skip(inCI, "no database: install it") })
	assert.Equal(t, "no database: install it", inCI.failed)
	assert.Empty(t, inCI.skipped)
	Long(inCI)
	assert.Empty(t, inCI.skipped)
}
