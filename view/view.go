// Package view is what runs in the browser.
package view

// Script returns the runtime.
func Script() string { return `export class App{}` }

// ReactScript returns the hooks.
func ReactScript() string { return `export function useApp(){}` }
