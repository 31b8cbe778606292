# SPDX-License-Identifier: MIT
"""A server like small_server.py that has everything its revision has: prompts, resources, completion, tasks.

Usage: wide_server.py REVISION [SUBSCRIPTIONS]

Without SUBSCRIPTIONS ("no") its resources cannot be watched, and it declares no changes of lists.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.examples.small_server import META, SmallServer, text

Json = Dict[str, Any]
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
INFO: Json = {"name": "wide", "version": "2"}
MISSING = "file:///missing"


class WideServer(SmallServer):
    """Answers every method."""

    def __init__(self, revision: str, changes: bool = True) -> None:
        super().__init__(revision)
        self.changes = changes
        self.level = ""
        self.watched: Dict[str, List[object]] = {}
        self.tools.update(question=self.question, touch=self.touch, shout=self.shout, error=self.error)
        self.tools.update(withdraw=self.withdraw, tell=self.tell, leave=lambda call: sys.exit(0))
        self.answers = {
            "prompts/list": lambda params: {"prompts": [{"name": "p"}]},
            "prompts/get": lambda params: {"messages": [self.said("user", params["arguments"]["who"])]},
            "resources/list": lambda params: {"resources": [{"uri": "file:///a", "name": "a"}]},
            "resources/templates/list": lambda params: {
                "resourceTemplates": [{"uriTemplate": "file:///{x}", "name": "t"}]
            },
            "resources/read": lambda params: {"contents": [{"uri": params["uri"], "text": "content"}]},
            "completion/complete": lambda params: {
                "completion": {"values": [params["argument"]["value"] + "!"]}
            },
            "logging/setLevel": self.set_level,
            "resources/subscribe": self.subscribe,
            "resources/unsubscribe": self.unsubscribe,
            "tasks/get": lambda params: self.task(params["taskId"]),
            "tasks/cancel": lambda params: {**self.task(params["taskId"]), "status": "cancelled"},
            "tasks/list": lambda params: {"tasks": [self.task("1")]},
            "tasks/result": lambda params: text("the task's result"),
        }

    @staticmethod
    def said(role: str, words: str) -> Json:
        return {"role": role, "content": {"type": "text", "text": words}}

    @staticmethod
    def task(number: str) -> Json:
        at = "2026-01-01T00:00:00Z"
        return {"taskId": number, "status": "working", "createdAt": at, "lastUpdatedAt": at, "ttl": None}

    def capabilities(self) -> Json:
        listed: Json = {"listChanged": True} if self.changes else {}
        found: Json = {"tools": listed, "prompts": listed, "logging": {}}
        found["resources"] = {**listed, "subscribe": True} if self.changes else {}
        if self.revision > "2024-11-05":
            found["completions"] = {}
        if self.revision == "2025-11-25":
            found["tasks"] = {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}
        return found

    def open(self, message: Json) -> None:
        about = {"capabilities": self.capabilities(), "instructions": "Be kind."}
        info = {**INFO, "title": "Wide"} if self.revision >= "2025-06-18" else INFO
        if self.is_modern:
            meta = {"_meta": {META + "serverInfo": info}, "ttlMs": 0, "cacheScope": "private"}
            self.reply(message["id"], {"supportedVersions": [self.revision], **about, **meta})
        else:
            self.reply(message["id"], {"protocolVersion": self.revision, "serverInfo": info, **about})

    # Tools.

    def question(self, call: Json) -> Optional[Json]:
        """Asks what its arguments say, and gives back the answer as it came."""
        asked = call["params"]["arguments"]
        if not self.is_modern:
            number = f"question {len(self.asking)}"
            self.asking[number] = call["id"]
            self.send(id=number, **asked)
            return None
        answers = call["params"].get("inputResponses")
        if answers is not None:
            return text(json.dumps([answers["asked"], call["params"]["requestState"]]))
        state = 'a "state"'
        return {"resultType": "input_required", "inputRequests": {"asked": asked}, "requestState": state}

    def touch(self, call: Json) -> Json:
        """Changes a resource, and tells how many it has told of it."""
        uri = call["params"]["arguments"].get("uri")
        for listener in self.watched.get(uri, []):
            meta = {"_meta": {META + "subscriptionId": listener}} if self.is_modern else {}
            self.send(method="notifications/resources/updated", params={"uri": uri, **meta})
        return text(str(len(self.watched.get(uri, []))))

    def shout(self, call: Json) -> Json:
        """Logs a message of each level that is wanted."""
        wanted = call["params"].get("_meta", {}).get(META + "logLevel") if self.is_modern else self.level
        for level in LEVELS[LEVELS.index(wanted) :] if wanted else ():
            params = {"level": level, "logger": "l", "data": [level]}
            self.send(method="notifications/message", params=params)
        return text("shouted")

    def error(self, call: Json) -> None:
        self.send(id=call["id"], error={"message": "failed", **call["params"]["arguments"]})

    def withdraw(self, call: Json) -> Json:
        """Gives up a question."""
        number = call["params"]["arguments"]["id"]
        self.send(method="notifications/cancelled", params={"requestId": number})
        return text("given up")

    def tell(self, call: Json) -> Json:
        """Sends the notification that its arguments are."""
        self.send(**call["params"]["arguments"])
        return text("told")

    # Methods.

    def set_level(self, params: Json) -> Json:
        self.level = params["level"]
        return {}

    def subscribe(self, params: Json) -> Json:
        self.watched[params["uri"]] = ["by request"]
        return {}

    def unsubscribe(self, params: Json) -> Json:
        self.watched.pop(params["uri"], None)
        return {}

    def listen(self, message: Json) -> None:
        wanted = message["params"]["notifications"]
        if wanted.get("toolsListChanged"):
            self.listening = message["id"]
        for uri in wanted.get("resourceSubscriptions", []):
            self.watched.setdefault(uri, []).append(message["id"])
        meta = {"_meta": {META + "subscriptionId": message["id"]}}
        self.send(method="notifications/subscriptions/acknowledged", params={"notifications": wanted, **meta})

    def cancelled(self, number: object) -> None:
        for uri in list(self.watched):
            self.watched[uri] = [listener for listener in self.watched[uri] if listener != number]

    def handle(self, message: Json) -> None:
        method = message.get("method")
        params = message.get("params", {})
        if method == "notifications/cancelled":
            self.cancelled(params["requestId"])
        if params.get("uri") == MISSING and method in ("resources/read", "resources/subscribe"):
            self.received.append(message)
            code = -32602 if self.is_modern else -32002
            error = {"code": code, "message": "Resource not found", "data": {"uri": MISSING}}
            self.send(id=message["id"], error=error)
        elif method == "tools/call" and "task" in params and self.revision == "2025-11-25":
            self.received.append(message)
            self.send(method="notifications/tasks/status", params=self.task("1"))
            self.reply(message["id"], {"task": self.task("1")})
        elif method in self.answers and "id" in message:
            self.received.append(message)
            result = self.answers[method](params)
            if self.is_modern and method.startswith(("prompts/list", "resources/")):
                result.update(ttlMs=0, cacheScope="private")
            self.reply(message["id"], result)
        else:
            super().handle(message)


def main() -> None:
    """Serve until the input ends."""
    server = WideServer(sys.argv[1], changes=sys.argv[2:] != ["no"])
    for line in sys.stdin:
        server.handle(json.loads(line))


if __name__ == "__main__":
    main()
