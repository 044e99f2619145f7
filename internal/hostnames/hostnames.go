// Package hostnames finds the profiles of package compat that a person names.
package hostnames

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/internal/spelling"
	"github.com/mcpapps-go/mcpapps/internal/text"
)

// All is the name that stands for every host.
const All = "all"

// Named returns the profiles that names stand for, each once: an ID, the ID that the
// profiles of a host's platforms share, or [All]. Its error begins with "names".
func Named(names []string) ([]*compat.Profile, error) { return Among(names, compat.Profiles()) }

// Among does what [Named] does with other profiles than those of package compat.
func Among(names []string, profiles []*compat.Profile) ([]*compat.Profile, error) {
	var list []*compat.Profile
	for _, name := range names {
		named := of(name, profiles)
		if len(named) == 0 {
			return nil, unknown(name, profiles)
		}
		for _, p := range named {
			if !slices.Contains(list, p) {
				list = append(list, p)
			}
		}
	}
	return list, nil
}

// of returns the profiles that one name stands for.
func of(name string, profiles []*compat.Profile) (list []*compat.Profile) {
	for _, p := range profiles {
		if p.ID == name {
			return []*compat.Profile{p}
		}
		if p.Host == name || name == All {
			list = append(list, p)
		}
	}
	return list
}

// unknown returns the error of a name that stands for no profile.
func unknown(name string, profiles []*compat.Profile) error {
	var ids, groups, known []string
	for _, p := range profiles {
		ids = append(ids, p.ID)
		if p.Host != "" && !slices.Contains(groups, p.Host) {
			groups = append(groups, p.Host)
		}
	}
	known = append(known, ids...)
	said := []string{"there are " + strings.Join(ids, ", ")}
	for _, group := range groups {
		if slices.Contains(ids, group) { // it stands for that profile alone
			continue
		}
		var members []string
		for _, p := range of(group, profiles) {
			members = append(members, p.ID)
		}
		known = append(known, group)
		said = append(said, fmt.Sprintf("%s: %s", group, strings.Join(members, ", ")))
	}
	known = append(known, All)
	said = append(said, All+": each of them")
	if near := spelling.Nearest(name, known); spelling.Distance(text.Shorten(name, 100), near) <= max(len(near)/2, 2) {
		said = slices.Insert(said, 0, fmt.Sprintf("the nearest is %q", near))
	}
	return fmt.Errorf("names %q, of which there is no profile: %s", text.Shorten(name, 100), strings.Join(said, "; "))
}
