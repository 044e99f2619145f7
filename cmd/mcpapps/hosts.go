package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpapps-go/mcpapps/compat"
	"github.com/mcpapps-go/mcpapps/host"
	"github.com/mcpapps-go/mcpapps/internal/hostnames"
)

// hostNamed returns the profile of one host.
func hostNamed(name string) (*compat.Profile, error) {
	list, err := hostnames.Named(strings.Split(name, ","))
	if err != nil {
		return nil, fmt.Errorf("-as %w", err)
	}
	if len(list) > 1 {
		return nil, fmt.Errorf("-as names %q, which are several hosts: name one of %s", name, strings.Join(idsOf(list), ", "))
	}
	return list[0], nil
}

func idsOf(list []*compat.Profile) (ids []string) {
	for _, p := range list {
		ids = append(ids, p.ID)
	}
	return ids
}

// listFlag adds a flag whose value is a list with commas and that may be repeated.
func listFlag(fs *flag.FlagSet, name, usage string) *[]string {
	var list []string
	fs.Func(name, usage, func(s string) error {
		for _, word := range strings.Split(s, ",") {
			if word = strings.TrimSpace(word); word == "" {
				return errors.New("a name in the list is empty")
			}
			if !slices.Contains(list, word) {
				list = append(list, word)
			}
		}
		return nil
	})
	return &list
}

// A shot is a picture to take: as which host, nil for the preview's own, and the file
// to write.
type shot struct {
	as   *compat.Profile
	file string
}

// shotsOf returns the pictures to take for the names of hosts, as they treat a server of
// this kind. A name that stands for several hosts leaves out those that show no apps.
// Several pictures have the host's ID in their names.
func shotsOf(file, kind string, names []string) (shots []shot, leftOut []string, err error) {
	if len(names) == 0 {
		return []shot{{nil, file}}, nil, nil
	}
	profiles, err := hostnames.Named(names)
	if err != nil {
		return nil, nil, fmt.Errorf("-as %w", err)
	}
	if len(profiles) == 1 && profiles[0].ID == names[0] {
		return []shot{{profiles[0].For(kind), file}}, nil, nil
	}
	ext := filepath.Ext(file)
	stem := strings.TrimSuffix(filepath.Base(file), ext)
	if info, err := os.Stat(file); stem == "" || stem == "-" || err == nil && !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("-o %q: several hosts complete its name: name a file such as shots/view.png", file)
	}
	for _, p := range profiles {
		p = p.For(kind)
		if host.Emulate(p).NoApps && !slices.Contains(names, p.ID) {
			leftOut = append(leftOut, p.ID)
			continue
		}
		shots = append(shots, shot{p, strings.TrimSuffix(file, ext) + "-" + p.ID + ext})
	}
	return shots, leftOut, nil
}

// emulatedInWords says how much of a host is emulated.
func emulatedInWords(p *compat.Profile) string {
	e := host.Emulate(p)
	facts := "facts"
	if len(e.Emulated) == 1 {
		facts = "fact"
	}
	return fmt.Sprintf("%s: %d %s emulated, %d unknown, %d not shown", p.Name, len(e.Emulated), facts, len(e.Unknown), len(e.NotShown))
}

// A frame is the size of a view's frame in a picture.
type frame struct {
	width, height int
	most          int // the height that the view may have where height is 0
}

// frameOf returns the frame in which a host shows a view that could have another size.
func frameOf(p *compat.Profile, f frame) frame {
	f.most = maxHeight
	e := host.Emulate(p)
	if e == nil || e.Context.ContainerDimensions == nil {
		return f
	}
	switch d := e.Context.ContainerDimensions; {
	case d.Width > 0:
		f.width = d.Width
	case d.MaxWidth > 0:
		f.width = min(f.width, d.MaxWidth)
	}
	switch d := e.Context.ContainerDimensions; {
	case d.Height > 0:
		f.height = min(d.Height, maxHeight)
	case d.MaxHeight > 0:
		f.height, f.most = 0, min(d.MaxHeight, maxHeight)
	}
	return f
}
