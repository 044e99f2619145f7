package hosts

import "github.com/mcpapps-go/mcpapps/compat"

// strictest returns a host that shows apps and has nothing else.
func strictest() *compat.Profile {
	no := of(compat.No)
	return &compat.Profile{
		ID: "strictest", Name: "Strictest", Host: "strictest",
		ShowsApps: of(true), Platform: of("mobile"),
		DisplayModes: of([]string{"inline"}), Size: of(compat.Size{MaxWidth: 320, MaxHeight: 200}), PrefersBorder: of(false),
		PartialInput: of(true), // a host without is as the bridge
		Cancelled:    of(false), ContextChanged: of(false), Teardown: of(false), ToolInfo: of(false),
		Result: of(compat.ResultContentOnly), ResultLimit: of(1000), Reload: of(compat.ReloadNothing),
		OpenLink: no, Message: no, UpdateModelContext: no, DownloadFile: no, RequestTeardown: no,
		ServerTools: of(compat.Refused), ServerResources: no, AppTools: no,
		ConnectDomains: no, ResourceDomains: no, FrameDomains: of(compat.Restricted), BaseURIDomains: no,
		Permissions: of([]string{}), DocumentLimit: of(1 << 20),
	}
}

// otherwise returns hosts that have the other values of facts, which few or none of the
// known hosts have. With them, CI opens few known hosts (fewest).
func otherwise() []*compat.Profile {
	refuses := &compat.Profile{
		ID: "refuses", Name: "Refuses", ShowsApps: of(true), Result: of(compat.ResultWithoutMeta), Reload: of(compat.ReloadNoResult),
		Size: of(compat.Size{Width: 300}), Platform: of("desktop"), PartialInput: of(false), RequestTeardown: of(compat.Yes),
	}
	hides := &compat.Profile{
		ID: "hides", Name: "Hides", ShowsApps: of(true), Result: of(compat.ResultWhole), Reload: of(compat.ReloadEmptied),
		Size: of(compat.Size{MaxHeight: 200}), Permissions: of([]string{"camera", "clipboardWrite", "geolocation"}),
	}
	for p, s := range map[*compat.Profile]compat.Support{refuses: compat.Refused, hides: compat.Unadvertised} {
		for _, f := range []*compat.Fact[compat.Support]{&p.OpenLink, &p.Message, &p.UpdateModelContext, &p.DownloadFile, &p.ServerTools, &p.ServerResources} {
			*f = of(s)
		}
	}
	return []*compat.Profile{refuses, hides}
}

func of[T any](v T) compat.Fact[T] {
	return compat.Fact[T]{Claims: []compat.Claim[T]{{Value: &v, Source: compat.Source{Kind: compat.Probe, Date: "2026-11-29"}}}}
}
