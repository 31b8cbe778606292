# SPDX-License-Identifier: MIT
"""What the clients of the Python SDKs do with everything_server; peer_python_v1.py and _v2.py say how."""

from __future__ import annotations

from typing import Any, Awaitable, List, Protocol, Tuple

INVALID_PARAMS = -32602
STEP = 0.1  # s between notifications of a server
PROGRESS = ((0.0, 100.0), (50.0, 100.0), (100.0, 100.0))


class Peer(Protocol):
    """A client that is connected; it answers the question for a name by "Ada"."""

    error: type  # what an error of JSON-RPC is raised as
    told: List[Tuple[float, Any]]  # the progress so far

    def revision(self) -> str: ...
    def list_tools(self) -> Awaitable[List[str]]: ...
    def call(self, name: str, **arguments: Any) -> Awaitable[str]: ...
    def read(self, uri: str) -> Awaitable[str]: ...
    def hear_change(self) -> Awaitable[None]: ...


def expect(found: object, wanted: object, what: str) -> None:
    if found != wanted:
        raise SystemExit(f"not ok {what}: {found!r:.300}, not {wanted!r:.300}")


async def battery(peer: Peer, revision: str) -> None:
    expect(peer.revision(), revision, "connect")
    print(f"ok connect: {revision}")

    tools = await peer.list_tools()
    expect("echo" in tools and len(set(tools)) == len(tools) > 20, True, f"list tools: {tools}")
    print("ok list tools")

    for message in ('Grüße, 世界 🌍 "quoted" \\ \n end', "x" * 300000):
        expect(await peer.call("echo", message=message), message, "call")
    print("ok call: arguments come back as they were")

    await peer.call("test_tool_with_progress")
    expect(tuple(peer.told), PROGRESS, "progress")
    print("ok progress")

    try:
        await peer.call("no_such_tool")
    except Exception as error:  # the SDKs name it differently
        expect(type(error), peer.error, "call: unknown tool")
        expect(error.error.code, INVALID_PARAMS, "call: unknown tool")  # type: ignore[attr-defined]
    else:
        raise SystemExit("not ok call: unknown tool: no error")
    print("ok call: unknown tool")

    expect(await peer.call("test_input_required_result_elicitation"), "Hello, Ada!", "elicitation")
    print("ok elicitation")

    expect(await peer.call("test_reconnection"), "Reconnection test completed", "come back")
    print("ok come back for the answer of a stream that the server ends early")

    text = await peer.read("test://static-text")
    expect(text, "This is the content of the static text resource.", "read")
    print("ok read")

    await peer.hear_change()
    print("ok lists that change")
