"""The server of server.py, which here asks for too much: time, pages, or work.

python3 harsh.py [--stateless] [--pages=N] [--page-bytes=N] [--properties=N]
                [--references=N --base-bytes=N]
Its tools: restless tells progress for ever; waits answers when it is cancelled, and notes what it got;
deaf does not even end.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any, Dict

import server

Json = Dict[str, Any]


def number(option: str) -> int:
    values = [a[len(option) + 3 :] for a in sys.argv if a.startswith(f"--{option}=")]
    return int(values[0]) if values else 0


def restless(params: Json) -> Json:
    token = params.get("_meta", {}).get("progressToken")
    for step in range(600):
        if token is not None:
            server.send(
                {"method": "notifications/progress", "params": {"progressToken": token, "progress": step}}
            )
        time.sleep(0.1)
    return server.text("done")


def waits(_: Json) -> Json:
    Path("waiting").touch()
    said = json.loads(sys.stdin.readline())
    Path("said").write_text(json.dumps(said), encoding="utf-8")
    return server.text("cancelled")


def deaf(_: Json) -> Json:
    for one in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(one, signal.SIG_IGN)
    Path("waiting").write_text(str(os.getpid()), encoding="utf-8")
    time.sleep(60)
    return server.text("at last")


def endless(params: Json) -> Json:
    """Pages that are too many, or too long."""
    at = int(params.get("cursor", "0")) + 1
    tool = {"name": f"t{at}", "description": "x" * number("page-bytes"), "inputSchema": {"type": "object"}}
    return {"tools": [tool], **({"nextCursor": str(at)} if at < number("pages") else {})}


def wide(_: Json) -> Json:
    """A tool whose arguments are many: each is required, and is what another place says."""
    names = [f"n{i}" for i in range(number("properties"))]
    kinds = {name: {"description": name, "anyOf": [{"$ref": "#/$defs/Kind"}]} for name in names}
    schema = {
        "type": "object",
        "properties": {name: {"$ref": f"#/$defs/{name}"} for name in names},
        "required": names,
        "$defs": {"Kind": {"type": ["integer", "null"], "description": "k" * 100_000}, **kinds},
    }
    return {"tools": [{"name": "wide", "inputSchema": schema}]}


def based(_: Json) -> Json:
    """A tool whose schema has a long base, against which many references are resolved."""
    count = number("references")
    names = {f"r{i}": {"$ref": f"a/{i}"} for i in range(count)}
    kinds = {f"d{i}": {"$id": f"a/{i}", "type": "integer"} for i in range(count)}
    base = "https://a.example/" + "x" * number("base-bytes") + "/"
    schema = {"$id": base, "type": "object", "properties": {"n": {"type": "integer"}, **names}}
    return {"tools": [{"name": "based", "inputSchema": {**schema, "$defs": kinds}}]}


if __name__ == "__main__":
    server.CALLS.update({"restless": restless, "waits": waits, "deaf": deaf})
    server.CALLS["based"] = lambda _: server.text("done")
    if number("pages"):
        server.METHODS["tools/list"] = endless
    if number("properties"):
        server.METHODS["tools/list"] = wide
    if number("references"):
        server.METHODS["tools/list"] = based
    server.serve()
    os._exit(0)
