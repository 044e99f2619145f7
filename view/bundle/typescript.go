package bundle

import "github.com/evanw/esbuild/pkg/api"

// syntax adds the errors of a script that does not parse.
func (b *bundler) syntax(messages []api.Message, text string, loader api.Loader, inPage bool) {
	if len(messages) == 0 {
		return
	}
	hint := typed(text, loader, inPage)
	for _, m := range messages {
		e := fromMessage(m)
		e.Text += hint
		b.problems.add(e)
	}
}

// typed returns what to add to a syntax error of a text that is TypeScript
// where JavaScript is expected, "" otherwise.
func typed(text string, loader api.Loader, inPage bool) string {
	if loader != api.LoaderJS && loader != api.LoaderJSX || parses(text, loader) || !parses(text, api.LoaderTS) && !parses(text, api.LoaderTSX) {
		return ""
	}
	if inPage {
		return "; this is TypeScript, and scripts in the page are JavaScript: put it into a .ts file, which may be linked by src or imported"
	}
	return "; this is TypeScript: end the file's name in .ts"
}

func parses(text string, loader api.Loader) bool {
	return len(api.Transform(text, api.TransformOptions{Loader: loader, LogLevel: api.LogLevelSilent, TsconfigRaw: "{}"}).Errors) == 0
}
