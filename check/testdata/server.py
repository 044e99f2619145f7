"""An MCP server with an app, written by hand: its metadata is in the list only,
and its result has no text."""
import json
import sys

URI = "ui://python/view.html"
MIME = "text/html;profile=mcp-app"
UI = {"prefersBorder": True}

ANSWERS = {
    "initialize": {
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}, "resources": {}, "extensions": {"io.modelcontextprotocol/ui": {}}},
        "serverInfo": {"name": "python", "version": "3"},
    },
    "ping": {},
    "tools/list": {
        "tools": [{
            "name": "show",
            "inputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": True},
            "_meta": {"ui": {"resourceUri": URI}, "ui/resourceUri": URI},
        }],
    },
    "resources/list": {"resources": [{"uri": URI, "name": "view", "mimeType": MIME, "_meta": {"ui": UI}}]},
    "resources/read": {"contents": [{"uri": URI, "mimeType": MIME, "text": "<!doctype html><p>Hello</p>"}]},
    "tools/call": {"content": [], "structuredContent": {"ok": True}},
}

for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    if message["method"] in ANSWERS:
        answer["result"] = ANSWERS[message["method"]]
    else:
        answer["error"] = {"code": -32601, "message": "Method not found"}
    print(json.dumps(answer), flush=True)
