# SPDX-License-Identifier: MIT
"""Small JSON-RPC messages as they pass between client and server, in the member order of the SDKs.

How the official SDKs write (release 2 of both for 2026-07-28, release 1 for 2025-11-25):

- TypeScript spreads what the caller gave and appends: requests are method, params, jsonrpc, id; results are
  result, jsonrpc, id, so that a result comes before the id that tells its type; inside, `_meta` and
  `resultType` come last.
- Python writes jsonrpc, id, method, params and jsonrpc, id, result. Its release 2 passes every result through
  generated classes whose members are sorted by name, so that a text block is `text` then `type`; release 1
  writes requests as TypeScript does and keeps the order of the specification inside.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Iterator

from tests.bench.corpus_text import Source

Json = Any
Exchange = tuple[Json, str]  # a message and the definition that it satisfies, see Line
PREFIX = "io.modelcontextprotocol/"
INPUT_SCHEMA = "https://json-schema.org/draft/2020-12/schema"


@dataclass(frozen=True)
class Era:
    """A revision, as far as the envelope and `_meta` depend on it."""

    revision: str
    modern: bool

    def request_meta(self, source: Source, progress_token: int) -> Json:
        """The `_meta` of a request; a negative token means that no progress is wanted."""
        meta: dict[str, Json] = {}
        if self.modern:
            meta[PREFIX + "protocolVersion"] = self.revision
            meta[PREFIX + "clientInfo"] = {"name": f"{source.word()}-client", "version": "2.1.0"}
            meta[PREFIX + "clientCapabilities"] = (
                {"elicitation": {"form": {}}, "roots": {}} if source.one_in(2) else {}
            )
            if source.one_in(4):
                meta[PREFIX + "logLevel"] = source.pick(("info", "warning", "debug"))
        if progress_token >= 0:
            meta["progressToken"] = progress_token
        return meta


MODERN = Era("2026-07-28", True)
LEGACY = Era("2025-11-25", False)


@dataclass(frozen=True)
class Peer:
    """One side of a connection: an era and an SDK."""

    era: Era
    python: bool

    @property
    def sorts(self) -> bool:
        return self.python and self.era.modern

    def request(self, number: int, method: str, params: Json) -> Json:
        if self.sorts:
            return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        return {"method": method, "params": params, "jsonrpc": "2.0", "id": number}

    def notification(self, method: str, params: Json) -> Json:
        if self.era.modern:
            return {"jsonrpc": "2.0", "method": method, "params": params}
        return {"method": method, "params": params, "jsonrpc": "2.0"}

    def result(self, source: Source, number: int, members: Json, cached: bool = False) -> Json:
        result = dict(members)
        if self.era.modern:
            result.setdefault("resultType", "complete")
            if cached:
                result["ttlMs"] = source.pick((0, 5000, 60000))
                result["cacheScope"] = source.pick(("private", "public"))
            if self.python:
                result = {key: result[key] for key in sorted(result)}
            server = {"name": f"{source.word()}-server", "version": "0.9.3"}
            result["_meta"] = {PREFIX + "serverInfo": server}
        if self.python:
            return {"jsonrpc": "2.0", "id": number, "result": result}
        return {"result": result, "jsonrpc": "2.0", "id": number}

    def members(self, value: Json) -> Json:
        """A struct of the protocol in the order in which this SDK writes it."""
        return {key: value[key] for key in sorted(value)} if self.sorts else value

    def text(self, text: str) -> Json:
        return self.members({"type": "text", "text": text})


@dataclass(frozen=True)
class Talk:
    """A request in the making: who talks, and the number of the request."""

    source: Source
    client: Peer
    server: Peer
    number: int

    def ask(self, method: str, params: Json, definition: str, progress: bool = False) -> Exchange:
        meta = self.client.era.request_meta(self.source, self.number if progress else -1)
        if meta:
            params = {**params, "_meta": meta}
        return self.client.request(self.number, method, params), definition

    def answer(self, members: Json, definition: str, cached: bool = False) -> Exchange:
        response = self.server.result(self.source, self.number, members, cached)
        # Responses have definitions of their own in 2026-07-28 alone.
        return response, f"{definition}Response" if self.client.era.modern else f"{definition}@result"

    def fail(self, code: int, message: str) -> Exchange:
        error = {"code": code, "message": message}
        return {"jsonrpc": "2.0", "id": self.number, "error": error}, "JSONRPCErrorResponse"

    def tell(self, method: str, params: Json, definition: str) -> Exchange:
        return self.server.notification(method, params), definition


def _progress(talk: Talk, steps: int) -> Iterator[Exchange]:
    for step in range(1, steps + 1):
        exact: Json = step * 2.5 if talk.server.python else step * 10
        params: dict[str, Json] = {"progressToken": talk.number, "progress": exact}
        params["total"] = 100.0 if talk.server.python else 100
        if talk.source.one_in(2):
            params["message"] = talk.source.sentence(3, 8)
        yield talk.tell("notifications/progress", params, "ProgressNotification")


def _log(talk: Talk) -> Exchange:
    source = talk.source
    data: Json = source.sentence(5, 14)
    if source.one_in(2):
        data = {"event": source.word(), "elapsedMs": source.below(5000), "detail": data}
    params = {"level": source.pick(("info", "warning", "debug")), "logger": source.word(), "data": data}
    return talk.tell("notifications/message", params, "LoggingMessageNotification")


def _arguments(source: Source) -> Json:
    values: dict[str, Json] = {"query": source.sentence(2, 9)}
    if source.one_in(2):
        values["limit"] = source.below(200)
    if source.one_in(3):
        values["filters"] = {source.word(): [source.word(), source.word()], "strict": source.one_in(2)}
    if source.one_in(3):
        values[f"{source.word()}_path"] = f"/srv/{source.word()}/{source.word()}.txt"
    return values


def call_tool(talk: Talk) -> Iterator[Exchange]:
    source = talk.source
    progress = source.one_in(2)
    params = {"name": f"{source.word()}_{source.word()}", "arguments": _arguments(source)}
    yield talk.ask("tools/call", params, "CallToolRequest", progress)
    if progress:
        yield from _progress(talk, 1 + source.below(4))
    if source.one_in(3):
        yield _log(talk)
    if source.one_in(12):
        yield talk.fail(-32602, f"Unknown tool: {params['name']}")
        return
    text = source.sentence(8, 60)
    if source.one_in(10):
        text = f"{source.foreign()}\n{text}"
    members: dict[str, Json] = {"content": [talk.server.text(text)]}
    if source.one_in(4):
        members["structuredContent"] = {source.word(): source.below(1000), source.word(): source.word()}
    if source.one_in(3) or talk.server.python:
        members["isError"] = source.one_in(6)
    yield talk.answer(members, "CallToolResult")


def ask_for_input(talk: Talk) -> Iterator[Exchange]:
    source = talk.source
    yield talk.ask("tools/call", {"name": source.word(), "arguments": {}}, "CallToolRequest")
    schema = {"type": "object", "properties": {source.word(): {"type": "string"}}}
    asked = {
        "method": "elicitation/create",
        "params": talk.server.members(
            {"mode": "form", "message": source.sentence(4, 9), "requestedSchema": schema}
        ),
    }
    members = {
        "resultType": "input_required",
        "inputRequests": {source.word(): asked},
        "requestState": source.token(40),
    }
    yield talk.answer(members, "CallToolResult")


def list_tools(talk: Talk) -> Iterator[Exchange]:
    source = talk.source
    params = {"cursor": source.token(16)} if source.one_in(2) else {}
    yield talk.ask("tools/list", params, "ListToolsRequest")
    schema = {
        "type": "object",
        "properties": {source.word(): {"type": "string", "description": source.sentence(3, 6)}},
        "$schema": INPUT_SCHEMA,
    }
    tool = {"name": source.word(), "description": source.sentence(4, 12), "inputSchema": schema}
    yield talk.answer({"tools": [talk.server.members(tool)]}, "ListToolsResult", cached=True)


def list_resources(talk: Talk) -> Iterator[Exchange]:
    source = talk.source
    yield talk.ask("resources/list", {}, "ListResourcesRequest")
    resources = []
    for _ in range(1 + source.below(3)):
        name = source.word()
        resource = {
            "uri": f"file:///srv/{name}.md",
            "name": name,
            "mimeType": "text/markdown",
            "size": source.below(100000),
        }
        resources.append(talk.server.members(resource))
    yield talk.answer({"resources": resources}, "ListResourcesResult", cached=True)


def read_resource(talk: Talk) -> Iterator[Exchange]:
    source = talk.source
    uri = f"file:///srv/{source.word()}/{source.word()}.md"
    yield talk.ask("resources/read", {"uri": uri}, "ReadResourceRequest")
    if source.one_in(10):
        yield talk.fail(-32602, f"Resource not found: {uri}")
        return
    text = "\n\n".join(source.sentence(10, 24) for _ in range(1 + source.below(3)))
    contents = talk.server.members({"uri": uri, "mimeType": "text/markdown", "text": text[:450]})
    yield talk.answer({"contents": [contents]}, "ReadResourceResult", cached=True)


def get_prompt(talk: Talk) -> Iterator[Exchange]:
    source = talk.source
    params = {"name": source.word(), "arguments": {"topic": source.word(), "tone": source.word()}}
    yield talk.ask("prompts/get", params, "GetPromptRequest")
    message = talk.server.members({"role": "user", "content": talk.server.text(source.sentence(10, 40))})
    yield talk.answer({"description": source.sentence(3, 8), "messages": [message]}, "GetPromptResult")


def complete(talk: Talk) -> Iterator[Exchange]:
    source = talk.source
    params = {
        "ref": {"type": "ref/prompt", "name": source.word()},
        "argument": {"name": source.word(), "value": source.word()[:2]},
    }
    yield talk.ask("completion/complete", params, "CompleteRequest")
    values = [source.word() for _ in range(1 + source.below(8))]
    completion = talk.server.members({"values": values, "total": len(values), "hasMore": False})
    yield talk.answer({"completion": completion}, "CompleteResult")


def cancel(talk: Talk) -> Iterator[Exchange]:
    yield talk.ask("tools/call", {"name": talk.source.word(), "arguments": {}}, "CallToolRequest")
    params = {"requestId": talk.number, "reason": talk.source.sentence(3, 6)}
    yield talk.client.notification("notifications/cancelled", params), "CancelledNotification"


def updates(talk: Talk) -> Iterator[Exchange]:
    source = talk.source
    updated: dict[str, Json] = {"uri": f"file:///srv/{source.word()}.md"}
    changed: dict[str, Json] = {}
    if talk.server.era.modern:
        updated["_meta"] = changed["_meta"] = {PREFIX + "subscriptionId": source.below(50)}
    yield talk.tell("notifications/resources/updated", updated, "ResourceUpdatedNotification")
    yield talk.tell("notifications/tools/list_changed", changed, "ToolListChangedNotification")


def initialize(talk: Talk) -> Iterator[Exchange]:
    source = talk.source
    params = {
        "protocolVersion": talk.client.era.revision,
        "capabilities": {"roots": {"listChanged": True}, "elicitation": {"form": {}}},
        "clientInfo": {"name": f"{source.word()}-client", "version": "1.4.0"},
    }
    yield talk.ask("initialize", params, "InitializeRequest")
    members = {
        "protocolVersion": talk.client.era.revision,
        "capabilities": {"tools": {"listChanged": True}, "resources": {"subscribe": True}, "logging": {}},
        "serverInfo": {"name": f"{source.word()}-server", "version": "0.3.1"},
    }
    yield talk.answer(members, "InitializeResult")
    initialized = {"method": "notifications/initialized", "jsonrpc": "2.0"}
    yield initialized, "InitializedNotification"


def discover(talk: Talk) -> Iterator[Exchange]:
    yield talk.ask("server/discover", {}, "DiscoverRequest")
    members = {
        "supportedVersions": [MODERN.revision, LEGACY.revision],
        "capabilities": {"tools": {"listChanged": True}, "resources": {"subscribe": True}, "completions": {}},
        "instructions": talk.source.sentence(8, 20),
    }
    yield talk.answer(members, "DiscoverResult", cached=True)


COMMON: tuple[tuple[int, Callable[[Talk], Iterator[Exchange]]], ...] = (
    (50, call_tool),
    (6, list_tools),
    (5, list_resources),
    (15, read_resource),
    (4, get_prompt),
    (4, complete),
    (3, cancel),
    (5, updates),
)


def make_traffic(source: Source, revision: str, messages: int) -> list[Exchange]:
    """That many messages; every response stands after its request."""
    era = MODERN if revision == MODERN.revision else LEGACY
    kinds = (*COMMON, (2, ask_for_input), (2, discover)) if era.modern else (*COMMON, (3, initialize))
    traffic: list[Exchange] = []
    number = 0
    while len(traffic) < messages:
        client, server = Peer(era, source.one_in(2)), Peer(era, source.one_in(2))
        talk = Talk(source, client, server, number)
        traffic += source.weighted(kinds)(talk)
        number += 1
    return traffic[:messages]
