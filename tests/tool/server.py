"""A small MCP server for the tests of mcpwire call: in a revision with a handshake, or with --stateless.

It offers tools, resources and prompts whose names say what they do; options make it misbehave.
"""

import base64
import json
import os
import sys
import time
from typing import Any, Callable, Dict, List, Optional

Json = Dict[str, Any]

STATELESS = "--stateless" in sys.argv
META = "io.modelcontextprotocol/"
TOOLS: List[Json] = [
    {
        "name": "echo",
        "description": "Says it back.\nWord by word.",
        "inputSchema": {
            "type": "object",
            "properties": {"message": {"type": "string", "description": "What to say"}},
            "required": ["message"],
        },
    },
    {
        "name": "types",
        "inputSchema": {
            "type": "object",
            "properties": {
                "count": {"type": "integer"},
                "size": {"type": "number"},
                "really": {"type": "boolean"},
                "list": {"type": "array", "items": {"type": "string"}},
                "object": {"type": "object"},
                "maybe": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
                "colour": {"$ref": "#/$defs/Colour"},
                "either": {"type": ["integer", "string"]},
                "text": {"type": "string"},
                "any": {},
                "many": {"type": "array", "items": {"type": ["string", "number", "boolean", "null"]}},
            },
            "$defs": {"Colour": {"enum": ["red", "blue"]}},
            "required": ["count"],
        },
    },
    {"name": "fail", "inputSchema": {"type": "object"}},
    {"name": "refuse", "inputSchema": {"type": "object"}},
    {"name": "rich", "inputSchema": {"type": "object"}},
    {"name": "structured", "inputSchema": {"type": "object"}},
    {"name": "slow", "inputSchema": {"type": "object"}},
    {"name": "chatty", "inputSchema": {"type": "object"}},
    {"name": "invalid", "inputSchema": {"type": "object"}},
    {"name": "die", "inputSchema": {"type": "object"}},
    {"name": "roots", "inputSchema": {"type": "object"}},
    {"name": "ask", "inputSchema": {"type": "object"}},
    {"name": "capabilities", "inputSchema": {"type": "object"}},
    {
        "name": "lie",
        "inputSchema": {"type": "object", "properties": {"knots": {"type": "integer", "maximum": 60}}},
        "outputSchema": {
            "type": "object",
            "properties": {"height": {"type": "number"}},
            "required": ["height"],
        },
    },
]
FORM = {
    "mode": "form",
    "message": "Which boat?",
    "requestedSchema": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "Its name"},
            "masts": {"type": "integer", "default": 2, "maximum": 9},
            "flag": {"type": "string"},
        },
        "required": ["name", "masts"],
    },
}
capabilities: Json = {}


def send(message: Json) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def text(words: str, **more: Any) -> Json:
    return {"content": [{"type": "text", "text": words}], **more}


class RpcError(Exception):
    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def ask_client(method: str, params: Json, call: Json) -> Json:
    """The client's answer; in a stateless revision it comes with a retry of the call."""
    if not STATELESS:
        send({"id": "ask", "method": method, "params": params})
        return dict(json.loads(sys.stdin.readline()).get("result", {}))
    answers = call.get("inputResponses")
    return {} if answers is None else dict(answers["ask"])


def rich() -> Json:
    data = base64.b64encode(b"12345").decode()
    resource = {"uri": "tide://f", "text": "06:15", "mimeType": "text/plain"}
    return {
        "content": [
            {"type": "text", "text": "caption"},
            {"type": "image", "data": data, "mimeType": "image/png"},
            {"type": "resource_link", "uri": "tide://wyk", "name": "wyk"},
            {"type": "resource", "resource": resource},
        ]
    }


def chatty(params: Json) -> Json:
    token = params.get("_meta", {}).get("progressToken")
    if token is not None:
        send_progress(token)
    said = {"level": "warning", "logger": "sea", "data": "rough"}
    send({"method": "notifications/message", "params": said})
    return text("done")


def ask(params: Json) -> Json:
    roots = params["name"] == "roots"
    method, asked = ("roots/list", {}) if roots else ("elicitation/create", FORM)
    if STATELESS and "inputResponses" not in params:
        return {"resultType": "input_required", "inputRequests": {"ask": {"method": method, "params": asked}}}
    return text(json.dumps(ask_client(method, asked, params), sort_keys=True))


def declared(params: Json) -> Json:
    about = params.get("_meta", {}).get(META + "clientCapabilities", {}) if STATELESS else capabilities
    return text(json.dumps(about, sort_keys=True))


def slow() -> Json:
    time.sleep(30)
    return text("at last")


def die() -> Json:
    sys.stderr.write("the sea took me\n")
    sys.exit(3)


def refuse() -> Json:
    raise RpcError(-32602, "not today")


CALLS: Dict[str, Callable[[Json], Json]] = {
    "echo": lambda params: text(params["arguments"]["message"]),
    "types": lambda params: text(json.dumps(params.get("arguments", {}), sort_keys=True)),
    "fail": lambda _: text("it did not work", isError=True),
    "refuse": lambda _: refuse(),
    "rich": lambda _: rich(),
    "structured": lambda _: {"content": [], "structuredContent": {"high": "06:15"}},
    "lie": lambda _: {"content": [], "structuredContent": {"height": "high"}},
    "slow": lambda _: slow(),
    "chatty": chatty,
    "invalid": lambda _: {"content": [{"type": "text", "text": 5}]},
    "die": lambda _: die(),
    "capabilities": declared,
    "roots": ask,
    "ask": ask,
}


def send_progress(token: Any) -> None:
    for value in (1, 2):
        about = {"progressToken": token, "progress": value, "total": 2, "message": f"step {value}"}
        send({"method": "notifications/progress", "params": about})


def page(member: str, items: List[Json], cursor: Optional[str]) -> Json:
    """Two items at a time; the cursor is where to go on."""
    if "--one-page" in sys.argv:
        return {member: items}
    begin = int(cursor or "0")
    result: Json = {member: items[begin : begin + 2]}
    if "--same-cursor" in sys.argv:
        result["nextCursor"] = "2"
    elif begin + 2 < len(items):
        result["nextCursor"] = str(begin + 2)
    elif "--empty-cursor" in sys.argv:
        result["nextCursor"] = ""
    return result


def offers() -> Json:
    if "--nothing" in sys.argv:
        return {}
    return {"tools": {}, "resources": {}, "prompts": {}, **({} if STATELESS else {"logging": {}})}


def initialize(params: Json) -> Json:
    capabilities.update(params["capabilities"])
    return {
        "protocolVersion": params["protocolVersion"],
        "capabilities": offers(),
        "serverInfo": {"name": "harbour", "version": "1.2"},
        "instructions": "Ask for a harbour.",
    }


def discover() -> Json:
    about = {"capabilities": offers(), "instructions": "Ask for a harbour."}
    return {"supportedVersions": ["2026-07-28"], **about}


def read(params: Json) -> Json:
    if params["uri"] == "tide://chart":
        blob = base64.b64encode(b"\x00\xffchart").decode()
        return {"contents": [{"uri": "tide://chart", "blob": blob}]}
    return {"contents": [{"uri": params["uri"], "text": "06:15\n18:33"}]}


def prompt(params: Json) -> Json:
    words = json.dumps(params.get("arguments", {}), sort_keys=True)
    return {"messages": [{"role": "user", "content": {"type": "text", "text": words}}]}


TIDE = {"uri": "tide://wyk", "name": "wyk", "mimeType": "text/plain", "description": "Tides of Wyk"}
TEMPLATE = {"uriTemplate": "tide://{harbour}", "name": "tide"}
PASSAGE = {
    "name": "passage",
    "description": "Plans one",
    "arguments": [{"name": "to", "required": True}, {"name": "from"}],
}
METHODS: Dict[str, Callable[[Json], Json]] = {
    "server/discover" if STATELESS else "initialize": (lambda _: discover()) if STATELESS else initialize,
    "tools/list": lambda params: page("tools", TOOLS, params.get("cursor")),
    "tools/call": lambda params: CALLS[params["name"]](params),
    "resources/list": lambda params: page("resources", [TIDE], params.get("cursor")),
    "resources/templates/list": lambda params: page("resourceTemplates", [TEMPLATE], params.get("cursor")),
    "resources/read": read,
    "prompts/list": lambda params: page("prompts", [PASSAGE], params.get("cursor")),
    "prompts/get": prompt,
    "ping": lambda _: {},
    "logging/setLevel": lambda _: {},
}


def answer(method: str, params: Json) -> Json:
    if method not in METHODS:
        raise RpcError(-32601, f"no {method}")
    return METHODS[method](params)


def complete(method: str, result: Json) -> Json:
    """With what 2026-07-28 wants in results."""
    if not STATELESS:
        return result
    if method.endswith("/list") or method in ("server/discover", "resources/read"):
        result = {"ttlMs": 0, "cacheScope": "private", **result}
    about = {META + "serverInfo": {"name": "harbour", "version": "1.2"}}
    return {"resultType": "complete", "_meta": about, **result}


def serve() -> None:
    if "--noisy" in sys.argv:
        sys.stdout.write("Welcome to the harbour\n")
    sys.stderr.write("harbour is open\n")
    sys.stderr.flush()
    for line in iter(sys.stdin.readline, ""):
        message = json.loads(line)
        method = message.get("method")
        if "id" not in message or method is None:
            continue
        try:
            send({"id": message["id"], "result": complete(method, answer(method, message.get("params", {})))})
        except RpcError as error:
            send({"id": message["id"], "error": {"code": error.code, "message": str(error)}})


if __name__ == "__main__":
    if "--silent" in sys.argv:
        time.sleep(60)
    if "--exit" in sys.argv:
        sys.stderr.write("no harbour here\n")
        sys.exit(4)
    serve()
    os._exit(0)
