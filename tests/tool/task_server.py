"""A small MCP server with tasks, for the tests of mcpwire call. It speaks 2025-11-25,
or 2026-07-28 with --stateless.

The tool `work` takes --polls questions, and then has its result. Tasks are kept in the folder --keep, so that
another process finds them. The file `log` there has the methods of all messages.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any, Dict, Iterator, Optional

Json = Dict[str, Any]
EXTENSION = "io.modelcontextprotocol/tasks"
RELATED = "io.modelcontextprotocol/related-task"
TIME = "2026-07-28T00:00:00Z"
CONTENT = {"content": [{"type": "text", "text": "worked"}]}
FORM = {"message": "sure?", "requestedSchema": {"type": "object", "properties": {}}}


class Refused(Exception):
    """A request that is answered by an error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Server:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.folder = Path(options.keep)

    # ---- Tasks ----

    def load(self, params: Json) -> Json:
        path = self.folder / (str(params["taskId"]) + ".json")
        if not path.exists():
            raise Refused(-32602, "no such task")
        found: Json = json.loads(path.read_text())
        return found

    def save(self, task: Json) -> None:
        (self.folder / (task["id"] + ".json")).write_text(json.dumps(task))

    def state(self, task: Json) -> Json:
        stateless = self.options.stateless
        said: Json = {
            "taskId": task["id"],
            "status": task["status"],
            "statusMessage": f"step {task['polls']}\x1b[31m",
            "createdAt": TIME,
            "lastUpdatedAt": TIME,
            "ttlMs" if stateless else "ttl": 600000,
            "pollIntervalMs" if stateless else "pollInterval": 1,
        }
        if stateless and task["status"] == "completed":
            said["result"] = {"resultType": "complete", **CONTENT}
        if stateless and task["status"] == "input_required":
            said["inputRequests"] = {
                "q": {"method": "elicitation/create", "params": {"mode": "form", **FORM}}
            }
        return said

    def get(self, task: Json) -> Json:
        task["polls"] += 1
        if task["status"] == "working" and self.options.asks and not task["answered"]:
            task["status"] = "input_required"
        elif task["status"] == "working" and task["polls"] >= self.options.polls:
            task["status"] = "completed"
        self.save(task)
        return self.state(task)

    def update(self, task: Json, params: Json) -> Json:
        self.log("answer " + json.dumps(params["inputResponses"], sort_keys=True))
        task["answered"] = True
        task["status"] = "working"
        self.save(task)
        return {}

    def cancel(self, task: Json) -> Json:
        task["status"] = "cancelled"
        self.save(task)
        return {} if self.options.stateless else self.state(task)

    # ---- Requests ----

    def capabilities(self) -> Json:
        found: Json = {"tools": {}}
        if self.options.plain:
            return found
        if self.options.stateless:
            found["extensions"] = {EXTENSION: {}}
        else:
            found["tasks"] = {"cancel": {}, "requests": {"tools": {"call": {}}}}
        return found

    def call(self, params: Json) -> Json:
        if (
            self.options.plain
            or self.options.at_once
            or (not self.options.stateless and "task" not in params)
        ):
            return dict(CONTENT)
        task = {"id": f"task-{time.time_ns():x}", "status": "working", "polls": 0, "answered": False}
        self.save(task)
        state = self.state(task)
        return {"resultType": "task", **state} if self.options.stateless else {"task": state}

    def answer(self, method: str, params: Json) -> Json:
        if method == "initialize":
            return {
                "protocolVersion": "2025-11-25",
                "capabilities": self.capabilities(),
                "serverInfo": {"name": self.options.name, "version": "1"},
            }
        if method == "server/discover" and self.options.stateless:
            return {
                "supportedVersions": ["2026-07-28"],
                "capabilities": self.capabilities(),
                "ttlMs": 0,
                "cacheScope": "private",
            }
        if method == "tools/list":
            support = {"execution": {"taskSupport": self.options.support}} if self.options.support else {}
            tool = {"name": "work", "inputSchema": {"type": "object"}, **support}
            return {"tools": [tool], "ttlMs": 0, "cacheScope": "private"}
        if method == "tools/call":
            return self.call(params)
        if method == "tasks/get":
            return self.get(self.load(params))
        if method == "tasks/update":
            return self.update(self.load(params), params)
        if method == "tasks/cancel":
            return self.cancel(self.load(params))
        if method == "tasks/result" and not self.options.stateless:
            return {**CONTENT, "_meta": {RELATED: {"taskId": params["taskId"]}}}
        raise Refused(-32601, "Method not found")

    def log(self, line: str) -> None:
        with (self.folder / "log").open("a") as out:
            out.write(line + "\n")

    def respond(self, message: Json) -> Optional[Json]:
        method, number = str(message.get("method", "")), message.get("id")
        self.log(method)
        if number is None or not method:
            return None
        try:
            result = self.answer(method, message.get("params", {}))
        except Refused as why:
            return {"jsonrpc": "2.0", "id": number, "error": {"code": why.code, "message": str(why)}}
        if self.options.stateless:
            result = {"resultType": "complete", **result}
        return {"jsonrpc": "2.0", "id": number, "result": result}


def messages() -> Iterator[Json]:
    for line in sys.stdin:
        yield json.loads(line)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep", required=True)
    parser.add_argument("--polls", type=int, default=3)
    parser.add_argument("--support", default="optional")
    parser.add_argument("--name", default="tasks")
    for flag in ("stateless", "plain", "at-once", "asks"):
        parser.add_argument("--" + flag, action="store_true")
    return parser.parse_args()


def main() -> None:
    server = Server(parse())
    for message in messages():
        answer = server.respond(message)
        if answer is not None:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
