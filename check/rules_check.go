package check

var (
	checkScriptUnread = newRule(Rule{
		Code:     "check-script-unread",
		Severity: SeverityNote,
		Summary:  "a script that this package can't read",
		Why:      "the static checks are silent on it; if a browser can't read it either, the view is blank",
		Remedy:   "look for a syntax error at the place; newer syntax and very deep nesting are left to the browser",
	})
)
