# SPDX-License-Identifier: MIT
"""A client on the Python SDK 1.x that leaves while calls are open: each has timed out at its end, and the SDK
tells no server of that. What the server writes afterwards nobody expects.

usage: peer_python_v1_leaves.py SERVER [ARGUMENT ...]
"""

import asyncio
import sys
from datetime import timedelta

from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client.stdio import stdio_client

CALLS = 3
AT_ONCE = timedelta(milliseconds=100)


async def leave_early(command, *arguments):
    server = StdioServerParameters(command=command, args=list(arguments))
    async with stdio_client(server) as (r, w), ClientSession(r, w) as session:
        await session.initialize()
        for _ in range(CALLS):
            try:
                await session.call_tool("test_slow", {"ms": 60000}, read_timeout_seconds=AT_ONCE)
            except McpError as error:
                assert "Timed out" in str(error), error
            else:
                raise AssertionError("the call was answered")
        result = await session.call_tool("echo", {"message": "still here"})
        assert result.content[0].text == "still here", result
    print("ok leaves three calls open")


asyncio.run(leave_early(*sys.argv[1:]))
