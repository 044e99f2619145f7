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
		Summary:  "the view sends a message that the host refuses",
		Why:      "a request fails, and a notification is dropped",
		Remedy:   "follow the specification, or look at hostCapabilities before asking",
		Spec:     "Requests, Notifications",
	})

	viewBlocked = newRule(Rule{
		Code:     "view-blocked",
		Severity: SeverityWarning,
		Hosts:    []string{hostVSCode, hostPostHog, hostGoose},
		Summary:  "the policy of the view's own declaration blocks something in it",
		Why:      "hosts that keep to the specification block it too",
		Remedy:   "declare what can be declared, and avoid the rest",
		Spec:     "Host Behavior",
	})

	viewProbe = newRule(Rule{
		Code:     "view-probe",
		Severity: SeverityNote,
		Summary:  "the view tests once whether it may use eval",
		Why:      "libraries do this (Zod does) and work without it where it is blocked",
		Remedy:   "nothing: it is harmless",
	})

	viewException = newRule(Rule{
		Code:     "view-exception",
		Severity: SeverityWarning,
		Summary:  "an error in the view is not caught",
		Why:      "the code after it does not run",
		Remedy:   "handle the error, or correct what the view assumes",
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
		Why:      "hosts that adapt to the view's size use a default, which cuts the view off or leaves space",
		Remedy:   "send ui/notifications/size-changed; view classes such as App send it themselves",
		Spec:     "Notifications",
	})

	viewGone = newRule(Rule{
		Code:     "view-gone",
		Severity: SeverityError,
		Hosts:    []string{hostAll},
		Summary:  "the view leaves its document, or hangs",
		Why:      "the frame is dead: it shows an error page or what it last drew, and no message reaches the view",
		Remedy:   "use ui/open-link and tools instead of navigating or submitting forms, and let scripts return",
		Spec:     "Sandbox proxy",
	})
)
