module github.com/mcpapps-go/mcpapps

go 1.25.0

ignore (
	./internal/e2e/apps/node_modules
	./internal/e2e/node_modules
)

require (
	github.com/evanw/esbuild v0.28.2
	github.com/google/jsonschema-go v0.4.3
	github.com/modelcontextprotocol/go-sdk v1.8.0
	github.com/segmentio/encoding v0.5.4
	github.com/stretchr/testify v1.12.1
	github.com/tdewolff/parse/v2 v2.8.20
	github.com/yosida95/uritemplate/v3 v3.0.2
	golang.org/x/net v0.58.0
	golang.org/x/time v0.15.0
	golang.org/x/tools v0.42.0
)

require (
	github.com/segmentio/asm v1.1.3 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/oauth2 v0.35.0 // indirect
	golang.org/x/sync v0.20.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
)
