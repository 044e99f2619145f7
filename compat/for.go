package compat

import "slices"

// Conditions of claims that the kind of a server decides.
const (
	LocalServers = "local servers" // programs that the host starts
	Connectors   = "connectors"    // servers that the host reaches at a URL
)

// For returns what is known of the host for servers of one kind, [LocalServers] or
// [Connectors]: claims about that kind come first. Those about the other kind come last,
// and a fact of which nothing else is said is unknown. For another kind, such as "", it
// returns the profile as it is.
func (p *Profile) For(kind string) *Profile {
	if kind != LocalServers && kind != Connectors {
		return p
	}
	c := *p
	for _, f := range facts(&c) {
		f.prefer(kind)
	}
	return &c
}

func (f *Fact[T]) prefer(kind string) {
	var first, rest, last []Claim[T]
	for _, c := range f.Claims {
		switch c.When {
		case kind:
			first = append(first, c)
		case LocalServers, Connectors:
			last = append(last, c)
		default:
			rest = append(rest, c)
		}
	}
	if f.Claims = slices.Concat(first, rest); len(f.Claims) > 0 {
		f.Claims = append(f.Claims, last...)
	}
}
