// Package firstday tests what authors are told about the mistakes of their first day
// with this module: who says it, and in which words. The name of a case says what the
// author did. The first message of each names the step that mends it.
//
// The files are named for who speaks: the program as it starts (registration_test.go),
// go build (build_test.go), mcpapps check (check_test.go), the commands where a server
// can't be asked (commands_test.go), check -live and screenshot (views_test.go), and the
// page of the preview (preview_test.go).
package firstday
