# SPDX-License-Identifier: MIT
"""A server on standard input and output that speaks one revision and knows nothing but JSON.

Usage: small_server.py REVISION

It has what the tests of relays and clients need: pages, errors with data, progress, questions to the user,
changes, log messages; and its tool `record` tells every message that it has received.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Callable, Dict, List, Optional

Json = Dict[str, Any]
MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
FORM = {
    "message": "Which colour?",
    "requestedSchema": {
        "type": "object",
        "properties": {
            "colour": {"type": "string", "default": "red"},
            "count": {"type": "integer", "default": 3},
            "sure": {"type": "boolean", "default": True},
            "why": {"type": "string"},
        },
        "required": ["colour"],
    },
}


def text(value: str) -> Json:
    return {"content": [{"type": "text", "text": value}]}


class SmallServer:
    """Handles message by message; what has to wait is kept by id."""

    def __init__(self, revision: str) -> None:
        self.revision = revision
        self.is_modern = revision >= MODERN
        self.received: List[Json] = []
        self.asking: Dict[str, object] = {}  # the call that asked, by the id of the question
        self.listening: Optional[object] = None
        self.tools: Dict[str, Callable[[Json], Optional[Json]]] = {
            "echo": lambda call: text(call["params"]["arguments"]["message"]),
            "fail": self.fail,
            "slow": self.slow,
            "ask": self.ask,
            "change": self.change,
            "log": self.log,
            "record": lambda call: text(json.dumps(self.received)),
        }

    def send(self, **message: object) -> None:
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

    def reply(self, number: object, result: Json) -> None:
        kind = {"resultType": "complete"} if self.is_modern else {}
        self.send(id=number, result={**kind, **result})

    def fail(self, call: Json) -> None:
        error = {"code": -32050, "message": "out of order", "data": {"why": [1, None]}}
        self.send(id=call["id"], error=error)

    def slow(self, call: Json) -> Optional[Json]:
        """Tells how far it is, where that is asked for; comes to an end only when it is told to."""
        token = call["params"].get("_meta", {}).get("progressToken")
        for done in (1, 2) if token is not None else ():
            params = {"progressToken": token, "progress": done, "total": 2}
            self.send(method="notifications/progress", params=params)
        return text("done") if call["params"]["arguments"].get("ends") else None

    def ask(self, call: Json) -> Optional[Json]:
        if not self.is_modern:
            question = f"question {len(self.asking)}"
            self.asking[question] = call["id"]
            self.send(id=question, method="elicitation/create", params=FORM)
            return None
        answers = call["params"].get("inputResponses")
        if answers is not None:
            return text(json.dumps([answers["colour"], call["params"]["requestState"]]))
        asked = {"colour": {"method": "elicitation/create", "params": FORM}}
        return {"resultType": "input_required", "inputRequests": asked, "requestState": 'a "state"'}

    def change(self, call: Json) -> Json:
        meta = {"_meta": {META + "subscriptionId": self.listening}} if self.is_modern else {}
        if not self.is_modern or self.listening is not None:
            self.send(method="notifications/tools/list_changed", params=meta)
        return text("changed")

    def log(self, call: Json) -> Json:
        self.send(method="notifications/message", params={"level": "info", "data": {"at": 5}})
        return text("logged")

    def list_tools(self, params: Json) -> Json:
        """Three pages; the last one is empty."""
        names = sorted(self.tools)
        start = int(params.get("cursor", "0"))
        schema = {"type": "object"}
        page: Json = {"tools": [{"name": name, "inputSchema": schema} for name in names[start : start + 4]]}
        if start < len(names):
            page["nextCursor"] = str(start + 4)
        if self.is_modern:
            page.update(ttlMs=0, cacheScope="private")
        return page

    def open(self, message: Json) -> None:
        capabilities: Json = {"tools": {"listChanged": True}, "logging": {}}
        about = {"capabilities": capabilities, "instructions": "Be kind."}
        info = {"name": "small", "version": "1"}
        if self.is_modern:
            meta = {"_meta": {META + "serverInfo": info}, "ttlMs": 0, "cacheScope": "private"}
            self.reply(message["id"], {"supportedVersions": [self.revision], **about, **meta})
        else:
            self.reply(message["id"], {"protocolVersion": self.revision, "serverInfo": info, **about})

    def listen(self, message: Json) -> None:
        self.listening = message["id"]
        meta = {"_meta": {META + "subscriptionId": self.listening}}
        wanted = {"notifications": {"toolsListChanged": True}}
        self.send(method="notifications/subscriptions/acknowledged", params={**wanted, **meta})

    def handle(self, message: Json) -> None:
        self.received.append(message)
        method = message.get("method")
        if method is None:
            call = self.asking.pop(str(message["id"]))
            self.reply(call, text(json.dumps(message.get("result", message.get("error")))))
        elif method == ("server/discover" if self.is_modern else "initialize"):
            self.open(message)
        elif method == "tools/list":
            self.reply(message["id"], self.list_tools(message.get("params", {})))
        elif method == "tools/call":
            result = self.tools[message["params"]["name"]](message)
            if result is not None:
                self.reply(message["id"], result)
        elif method == "logging/setLevel" and not self.is_modern:
            self.reply(message["id"], {})
        elif method == "subscriptions/listen" and self.is_modern:
            self.listen(message)
        elif "id" in message:
            self.send(id=message["id"], error={"code": -32601, "message": f"no {method}"})


def main() -> None:
    """Serve until the input ends."""
    server = SmallServer(sys.argv[1])
    for line in sys.stdin:
        server.handle(json.loads(line))


if __name__ == "__main__":
    main()
