package check

// A style is how a report looks where it is read.
type style bool

const (
	plainText style = false
	colorText style = true
)

// severity returns words in the color of a severity.
func (s style) severity(sev Severity, words string) string {
	switch sev {
	case SeverityError:
		return s.in("1;31", words) // bold red
	case SeverityWarning:
		return s.in("1;33", words) // bold yellow
	default:
		return s.in("36", words) // cyan
	}
}

// verdict returns words in the color of a verdict.
func (s style) verdict(v Verdict, words string) string {
	switch v {
	case VerdictBlocked:
		return s.severity(SeverityError, words)
	case VerdictDegraded:
		return s.severity(SeverityWarning, words)
	case VerdictUnknown:
		return s.severity(SeverityNote, words)
	default:
		return words
	}
}

// label returns the label of a line below a finding, less bright than the line.
func (s style) label(words string) string { return s.in("2", words) }

// in returns words with a graphic rendition, "SGR" in ECMA-48.
func (s style) in(rendition, words string) string {
	if s == plainText {
		return words
	}
	return "\x1b[" + rendition + "m" + words + "\x1b[0m"
}
