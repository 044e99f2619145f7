package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// The statuses that are counted apart. INFO is not a check but a log entry.
const (
	success = "SUCCESS"
	failure = "FAILURE"
	info    = "INFO"
)

// A check is one check of a scenario.
type check struct{ scenario, id string }

// checks are the statuses of each check of a run, sorted: a scenario may have
// several checks of one name.
type checks map[check][]string

func (c checks) count(status string) (n int) {
	for _, all := range c {
		for _, s := range all {
			if s == status {
				n++
			}
		}
	}
	return n
}

// differences returns the checks whose statuses differ, sorted.
func differences(a, b checks) []check {
	var d []check
	for k := range union(a, b) {
		if !slices.Equal(a[k], b[k]) {
			d = append(d, k)
		}
	}
	return sorted(d)
}

// failing returns the checks that fail in any of the runs, sorted.
func failing(runs []checks) []check {
	var all []check
	for k := range union(runs...) {
		if slices.ContainsFunc(runs, func(c checks) bool { return slices.Contains(c[k], failure) }) {
			all = append(all, k)
		}
	}
	return sorted(all)
}

func union(runs ...checks) checks {
	all := make(checks)
	for _, c := range runs {
		maps.Copy(all, c)
	}
	return all
}

func sorted(all []check) []check {
	slices.SortFunc(all, func(a, b check) int {
		return cmp.Or(strings.Compare(a.scenario, b.scenario), strings.Compare(a.id, b.id))
	})
	return all
}

// stamp is what the suite appends to the name of a scenario's folder.
var stamp = regexp.MustCompile(`-\d{4}-\d\d-\d\dT[\d-]+Z$`)

// readChecks reads the results of a run for a role, server or client.
func readChecks(dir, role string) (checks, error) {
	all := make(checks)
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Base(path) != "checks.json" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var list []struct{ ID, Status string }
		if err := json.Unmarshal(data, &list); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		name, err := filepath.Rel(dir, filepath.Dir(path))
		if err != nil {
			return err
		}
		scenario := stamp.ReplaceAllString(filepath.ToSlash(name), "")
		if role == "server" {
			scenario = strings.TrimPrefix(scenario, "server-")
		}
		for _, c := range list {
			if c.Status != info {
				k := check{scenario, c.ID}
				all[k] = append(all[k], c.Status)
				slices.Sort(all[k])
			}
		}
		return nil
	})
	return all, err
}
