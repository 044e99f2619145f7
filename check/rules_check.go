package check

var (
	checkScriptUnread = newRule(Rule{
		Code:     "check-script-unread",
		Severity: SeverityNote,
		Summary:  "a script that the check can't parse",
		Why:      "the static checks do not cover it; if a browser can't parse it either, the view is blank",
		Remedy:   "look for a syntax error at that place; newer syntax and very deep nesting are left to the browser",
	})
)
