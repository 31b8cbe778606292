# SPDX-License-Identifier: MIT
"""The Python SDK, 1.x or 2.x as it is installed: over HTTP a client of everything_server and a server, over
stdio a client that leaves while calls are open.

usage: peer_python.py client URL REVISION | server | leaves SERVER [ARGUMENT ...]
"""

import asyncio
import socket
import sys
from contextlib import asynccontextmanager
from datetime import timedelta
from importlib.metadata import version

from mcp import types

IS_FIRST = version("mcp").startswith("1.")
if IS_FIRST:
    from mcp import ClientSession, McpError, StdioServerParameters
    from mcp.client.stdio import stdio_client
    from mcp.client.streamable_http import streamablehttp_client
    from mcp.server.fastmcp import Context
    from mcp.server.fastmcp import FastMCP as Server
else:
    from mcp import Client
    from mcp import MCPError as McpError
    from mcp.server import MCPServer as Server
    from mcp.server.mcpserver import Context

MODERN = "2026-07-28"
INVALID_PARAMS = -32602
PATIENCE = 3  # s, for a notification
STEP = 0.1  # s between notifications of a server
PROGRESS = ((0.0, 100.0), (50.0, 100.0), (100.0, 100.0))
CALLS_LEFT = 3
AT_ONCE = timedelta(milliseconds=100)


def expect(found, wanted, what):
    if found != wanted:
        raise SystemExit(f"not ok {what}: {found!r:.300}, not {wanted!r:.300}")


class Peer:
    """A client; it answers the question for a name by "Ada"."""

    def __init__(self):
        self.told = []  # the progress so far
        self.changed = asyncio.Event()
        self.client = None  # 1.x: the session
        self.revision = ""

    @asynccontextmanager
    async def connected(self, url, revision):
        callbacks = {"elicitation_callback": self.on_input_request, "message_handler": self.on_message}
        if IS_FIRST:
            async with (
                streamablehttp_client(url) as (r, w, _),
                ClientSession(r, w, **callbacks) as self.client,
            ):
                self.revision = (await self.client.initialize()).protocolVersion
                yield
        else:
            async with Client(
                url, mode="auto" if revision == MODERN else "legacy", **callbacks
            ) as self.client:
                self.revision = self.client.protocol_version
                yield

    async def list_tools(self):
        names = []
        cursor = None
        while True:
            page = await self.client.list_tools(cursor=cursor)
            names += [tool.name for tool in page.tools]
            cursor = page.nextCursor if IS_FIRST else page.next_cursor
            if cursor is None:
                return names

    async def on_progress(self, progress, total, _message):
        self.told.append((progress, total))

    async def call(self, name, **arguments):
        result = await self.client.call_tool(name, arguments, progress_callback=self.on_progress)
        assert not (result.isError if IS_FIRST else result.is_error), result
        return result.content[0].text

    async def read(self, uri):
        return (await self.client.read_resource(uri)).contents[0].text

    async def on_message(self, message):
        if isinstance(getattr(message, "root", message), types.ToolListChangedNotification):
            self.changed.set()

    async def on_input_request(self, _context, _params):
        return types.ElicitResult(action="accept", content={"name": "Ada"})

    async def hear_change(self):
        if self.revision < MODERN:
            await self.call("test_trigger_tool_change")
            await asyncio.wait_for(self.changed.wait(), PATIENCE)
            return
        async with self.client.listen(tools_list_changed=True) as subscription:
            await self.call("test_trigger_tool_change")
            await asyncio.wait_for(subscription.__anext__(), PATIENCE)


async def battery(peer, revision):
    """The actions of a client with everything_server."""
    expect(peer.revision, revision, "connect")
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
    except McpError as error:
        expect(error.error.code, INVALID_PARAMS, "call: unknown tool")
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


async def be_client(url, revision):
    peer = Peer()
    async with peer.connected(url, revision):
        await battery(peer, revision)
    print("ok close")


def be_server():
    import uvicorn

    server = Server(f"peer-python-v{version('mcp')[0]}")

    @server.tool()
    def echo(message: str) -> str:
        return message

    @server.tool()
    async def test_tool_with_progress(context: Context) -> str:
        for progress, total in PROGRESS:
            await context.report_progress(progress, total)
            await asyncio.sleep(STEP)
        return "Done"

    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    config = uvicorn.Config(server.streamable_http_app(), log_level="warning")
    uvicorn.Server(config).run(sockets=[listener])


async def leave_early(command, *arguments):
    """With 1.x: each call times out at this end, and the SDK tells no server of that. Nobody expects what the
    server writes afterwards.
    """
    server = StdioServerParameters(command=command, args=list(arguments))
    async with stdio_client(server) as (r, w), ClientSession(r, w) as session:
        await session.initialize()
        for _ in range(CALLS_LEFT):
            try:
                await session.call_tool("test_slow", {"ms": 60000}, read_timeout_seconds=AT_ONCE)
            except McpError as error:
                assert "Timed out" in str(error), error
            else:
                raise AssertionError("the call was answered")
        result = await session.call_tool("echo", {"message": "still here"})
        assert result.content[0].text == "still here", result
    print("ok leaves three calls open")


if __name__ == "__main__":
    if sys.argv[1] == "client":
        asyncio.run(be_client(*sys.argv[2:]))
    elif sys.argv[1] == "leaves":
        asyncio.run(leave_early(*sys.argv[2:]))
    else:
        be_server()
