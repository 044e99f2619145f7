package main

import (
	"strings"
	"time"

	"github.com/mcpapps-go/mcpapps/openai"
)

// date returns the day of a time in Unix milliseconds. The user's locale and time zone are
// hints that ChatGPT sends: without them, or where they are unknown, it is the ISO date in UTC.
func date(ms int64, hints openai.Hints) string {
	day := time.UnixMilli(ms).UTC()
	if hints.Location != nil {
		if zone, err := time.LoadLocation(hints.Location.TimeZone); err == nil {
			day = day.In(zone)
		}
	}
	language, _, _ := strings.Cut(hints.Locale, "-")
	switch {
	case hints.Locale == "en-US":
		return day.Format("January 2, 2006")
	case language == "en":
		return day.Format("2 January 2006")
	case language == "de":
		return day.Format("2.1.2006")
	}
	return day.Format(time.DateOnly)
}
