package check

var (
	viewNotReady = newRule(Rule{
		Code:     "view-not-ready",
		Severity: SeverityError,
		Hosts:    []string{hostAll},
		Summary:  "the view never says that it is initialized",
		Why:      "a host sends nothing before ui/notifications/initialized, so the view stays as it is, often blank",
		Remedy:   "send ui/initialize when the script starts, look at its answer, and then send ui/notifications/initialized",
		Spec:     "Lifecycle",
	})

	viewMessage = newRule(Rule{
		Code:     "view-message",
		Severity: SeverityWarning,
		Hosts:    []string{hostReference},
		Summary:  "the view sends what the host refuses",
		Why:      "the request fails, and a notification is dropped",
		Remedy:   "send what the specification says, or look at hostCapabilities before asking",
		Spec:     "Requests, Notifications",
	})

	viewBlocked = newRule(Rule{
		Code:     "view-blocked",
		Severity: SeverityWarning,
		Hosts:    []string{hostVSCode, hostPostHog, hostGoose},
		Summary:  "the policy of the view's own declaration blocks something in it",
		Why:      "hosts that keep to the specification block it too",
		Remedy:   "declare what can be declared, and do without the rest",
		Spec:     "Host Behavior",
	})

	viewProbe = newRule(Rule{
		Code:     "view-probe",
		Severity: SeverityNote,
		Summary:  "the view tries once whether it may use eval",
		Why:      "libraries do so (Zod does) and go another way where they may not",
		Remedy:   "nothing: it is harmless",
	})

	viewException = newRule(Rule{
		Code:     "view-exception",
		Severity: SeverityWarning,
		Summary:  "an error in the view is not caught",
		Why:      "what comes after it does not run",
		Remedy:   "see the error, and what the view takes for granted",
	})

	viewBlank = newRule(Rule{
		Code:     "view-blank",
		Severity: SeverityWarning,
		Hosts:    []string{hostAll},
		Summary:  "the view shows nothing",
		Why:      "the user sees an empty frame",
		Remedy:   "draw from the tool's result, and show something until it is there",
	})

	viewSize = newRule(Rule{
		Code:     "view-size",
		Severity: SeverityNote,
		Summary:  "the view does not report its size",
		Why:      "hosts that follow the view's size show it at one of their own, cut or with room to spare",
		Remedy:   "send ui/notifications/size-changed; the view classes do so by themselves",
		Spec:     "Notifications",
	})

	viewGone = newRule(Rule{
		Code:     "view-gone",
		Severity: SeverityError,
		Hosts:    []string{hostAll},
		Summary:  "the view leaves its document, or hangs",
		Why:      "the frame is dead: it shows an error page or what it last drew, and no message reaches the view",
		Remedy:   "don't navigate or submit forms, but use ui/open-link and tools; and let scripts return",
		Spec:     "Sandbox proxy",
	})
)
