"""A server with tasks of 2025-11-25, of the Python SDK, over stdio. Usage: tasks_python.py"""

from __future__ import annotations

from typing import Any, Dict, List, Union

import anyio
import mcp.types as types
from mcp.server.experimental.task_context import ServerTaskContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

server: Server[Any, Any] = Server("tasks-python")
server.experimental.enable_tasks()


def tool(name: str, support: types.TaskExecutionMode) -> types.Tool:
    execution = types.ToolExecution(taskSupport=support)
    return types.Tool(name=name, inputSchema={"type": "object"}, execution=execution)


def text(words: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=words)])


@server.list_tools()  # type: ignore[no-untyped-call, misc]
async def list_tools() -> List[types.Tool]:
    return [
        tool("slow", "required"),
        tool("ask", "required"),
        tool("endless", "optional"),
        tool("plain", "forbidden"),
    ]


async def slow(task: ServerTaskContext) -> types.CallToolResult:
    await task.update_status("begun")
    await anyio.sleep(0.7)
    return text("slow work")


async def ask(task: ServerTaskContext) -> types.CallToolResult:
    answer = await task.elicit("sure?", {"type": "object", "properties": {}})
    return text(f"the answer is {answer.action}")


async def endless(task: ServerTaskContext) -> types.CallToolResult:
    await anyio.sleep(600)
    return text("never")


WORK = {"slow": slow, "ask": ask, "endless": endless}


@server.call_tool()  # type: ignore[misc]
async def call_tool(
    name: str, arguments: Dict[str, Any]
) -> Union[types.CallToolResult, types.CreateTaskResult]:
    context = server.request_context
    if name not in WORK or not context.experimental.is_task:
        return text("plain work")
    return await context.experimental.run_task(WORK[name])


async def main() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


anyio.run(main)
