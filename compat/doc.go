// Package compat holds what is known of real hosts, as dated data: which of them show
// apps, what they honour of a declaration, what a view receives and may ask for.
//
// Each fact has a source with a date, and unknown is a value: a host that no source
// describes is not said to lack anything. Nobody who maintains this package can run
// most of these hosts. Profiles age, and hosts differ between accounts and platforms.
//
// The data are the files of the folder profiles, one for each profile, see [Profiles].
package compat
