# SPDX-License-Identifier: MIT
"""The Python SDK 1.x over HTTP, as a client of everything_server or as a server.

usage: peer_python_v1.py client URL REVISION | server
"""

import asyncio
import socket
import sys

import uvicorn
from mcp import ClientSession, McpError, types
from mcp.client.streamable_http import streamablehttp_client
from mcp.server.fastmcp import Context, FastMCP
from peer_python import PROGRESS, STEP, battery

PATIENCE = 3  # s, for a notification


class Peer:
    error = McpError

    def __init__(self):
        self.told = []
        self.changed = asyncio.Event()
        self.session = None
        self.initialized = None

    def revision(self):
        return self.initialized.protocolVersion

    async def list_tools(self):
        names = []
        cursor = None
        while True:
            page = await self.session.list_tools(cursor=cursor)
            names += [tool.name for tool in page.tools]
            cursor = page.nextCursor
            if cursor is None:
                return names

    async def on_progress(self, progress, total, _message):
        self.told.append((progress, total))

    async def call(self, name, **arguments):
        result = await self.session.call_tool(name, arguments, progress_callback=self.on_progress)
        assert not result.isError, result
        return result.content[0].text

    async def read(self, uri):
        return (await self.session.read_resource(uri)).contents[0].text

    async def on_message(self, message):
        if isinstance(message, types.ServerNotification) and isinstance(
            message.root, types.ToolListChangedNotification
        ):
            self.changed.set()

    async def on_input_request(self, _context, _params):
        return types.ElicitResult(action="accept", content={"name": "Ada"})

    async def hear_change(self):
        await self.call("test_trigger_tool_change")
        await asyncio.wait_for(self.changed.wait(), PATIENCE)


async def be_client(url, revision):
    peer = Peer()
    callbacks = {"elicitation_callback": peer.on_input_request, "message_handler": peer.on_message}
    async with streamablehttp_client(url) as (r, w, _), ClientSession(r, w, **callbacks) as session:
        peer.session = session
        peer.initialized = await session.initialize()
        await battery(peer, revision)
    print("ok close")


def be_server():
    server = FastMCP("peer-python-v1")

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


if __name__ == "__main__":
    if sys.argv[1] == "client":
        asyncio.run(be_client(*sys.argv[2:]))
    else:
        be_server()
