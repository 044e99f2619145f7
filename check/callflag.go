package check

import (
	"bytes"
	"encoding/json"
	"strings"
)

// callFlag returns the flag that allows a call which a view made, as a POSIX shell reads
// it, given the parameters of tools/call. It is "-call" alone for what is too long to
// repeat or can't be named.
func callFlag(params json.RawMessage) string {
	var p struct {
		Name      string
		Arguments json.RawMessage
	}
	if json.Unmarshal(params, &p) != nil || p.Name == "" || strings.Contains(p.Name, "=") {
		return "-call"
	}
	value := p.Name
	var args bytes.Buffer
	if len(p.Arguments) > 0 && json.Compact(&args, p.Arguments) == nil && args.String() != "{}" && args.String() != "null" {
		value += "=" + args.String()
	}
	if len(value) > maxValue {
		return "-call"
	}
	if strings.Trim(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./") != "" {
		value = "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
	}
	return "-call " + value
}
