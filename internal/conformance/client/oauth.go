package main

import (
	"context"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// optionsFor returns how to connect for a scenario.
func optionsFor(scenario string, g given) (options, error) {
	accept := func(content map[string]any) *mcp.ClientOptions {
		return &mcp.ClientOptions{
			Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{}},
			ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				return &mcp.ElicitResult{Action: "accept", Content: content}, nil
			},
		}
	}
	switch {
	case scenario == "elicitation-sep1034-client-defaults":
		return options{client: accept(map[string]any{})}, nil
	case scenario == "sep-2322-client-request-state":
		return options{client: accept(map[string]any{"confirmed": true})}, nil
	case strings.HasPrefix(scenario, "auth/"):
		h, err := authorization(g)
		return options{oauth: h}, err
	}
	return options{}, nil
}

// authorization returns a handler for the authorization code flow with each way
// to register that the scenario allows.
func authorization(g given) (auth.OAuthHandler, error) {
	const redirect = "http://localhost:3000/callback"
	config := &auth.AuthorizationCodeHandlerConfig{
		RedirectURL:              redirect,
		AuthorizationCodeFetcher: fetchCode,
		// The scenarios compare this URL.
		ClientIDMetadataDocumentConfig: &auth.ClientIDMetadataDocumentConfig{
			URL: "https://conformance-test.local/client-metadata.json",
		},
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{
			Metadata: &oauthex.ClientRegistrationMetadata{RedirectURIs: []string{redirect}},
		},
	}
	if g.ClientSecret != "" {
		config.PreregisteredClient = &oauthex.ClientCredentials{
			ClientID:         g.ClientID,
			ClientSecretAuth: &oauthex.ClientSecretAuth{ClientSecret: g.ClientSecret},
		}
	}
	return auth.NewAuthorizationCodeHandler(config)
}

// fetchCode takes the code from the redirect with which the scenario's server
// answers at once, where a person would log in.
func fetchCode(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, args.URL, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultTransport.RoundTrip(req) // follows no redirect
	if err != nil {
		return nil, err
	}
	resp.Body.Close()
	at, err := resp.Location()
	if err != nil {
		return nil, err
	}
	q := at.Query()
	return &auth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}, nil
}
