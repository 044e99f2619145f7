// Runs the MCP Apps checks of @mcpjam/sdk on the server that the argument
// describes, as JSON with command and args, or url, and prints the result as JSON.
// Version 1.14.0 of the package loads only with version 2.0.0-alpha.2 of
// @modelcontextprotocol/client, so package.json names that one.
import { MCPAppsConformanceTest } from "@mcpjam/sdk";

const result = await new MCPAppsConformanceTest(JSON.parse(process.argv[2])).run();
process.stdout.write(JSON.stringify(result) + "\n", () => process.exit(0));
