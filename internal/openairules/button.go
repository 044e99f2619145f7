package openairules

// Accepts reports whether a tool, given its entry in tools/list, accepts the arguments with
// which a button calls it. It is true also where that can't be said.
func Accepts(entry, args map[string]any) bool { return accepts(entry["inputSchema"], args) }
