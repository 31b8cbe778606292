# SPDX-License-Identifier: MIT
"""The Python SDK 1.x as a client of tasks in the form of 2025-11-25.

usage: client_tasks_python.py URL | tasks_python.py -- SERVER [ARGUMENT ...]
"""

import asyncio
import sys
from contextlib import asynccontextmanager

from mcp import ClientSession, McpError, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

INVALID_PARAMS = -32602
METHOD_NOT_FOUND = -32601
PAUSE = 0.05  # s between two polls


def expect(found, wanted, what):
    if found != wanted:
        raise SystemExit(f"not ok {what}: {found!r:.300}, not {wanted!r:.300}")
    print(f"ok {what}")


async def answer(_context, _params):
    """The user agrees to everything."""
    return types.ElicitResult(action="accept", content={"confirm": True, "name": "Ada"})


@asynccontextmanager
async def connected(arguments):
    if arguments[0] == "--":
        server = StdioServerParameters(command=arguments[1], args=arguments[2:])
        async with stdio_client(server) as (r, w), ClientSession(r, w, elicitation_callback=answer) as s:
            yield s
    else:
        async with (
            streamablehttp_client(arguments[0]) as (r, w, _),
            ClientSession(r, w, elicitation_callback=answer) as s,
        ):
            yield s


async def code_of(request):
    try:
        await request
    except McpError as error:
        return error.error.code
    return 0


async def follow(tasks, task):
    """The status of a task that is not worked on any more."""
    while (status := (await tasks.get_task(task.taskId)).status) == "working":
        await asyncio.sleep(PAUSE)
    return status


async def every_tool(session):
    page = await session.list_tools()
    found = page.tools
    while page.nextCursor is not None:
        page = await session.list_tools(params=types.PaginatedRequestParams(cursor=page.nextCursor))
        found += page.tools
    return {tool.name: tool for tool in found}


async def run(session, has_lists):
    initialized = await session.initialize()
    tasks = session.experimental
    expect(initialized.protocolVersion, "2025-11-25", "the revision")
    announced = initialized.capabilities.tasks
    expect(announced.requests.tools.call is not None, True, "tasks are announced")
    expect(announced.cancel is not None, True, "and that they can be cancelled")
    expect(announced.list is not None, has_lists, "lists are announced where clients have names")
    tools = await every_tool(session)
    expect(tools["failing_job"].execution.taskSupport, "required", "a tool that requires tasks says so")
    expect(tools["greet"].execution is None, True, "a tool without tasks says nothing")

    plain = await session.call_tool("greet", {"name": "Ada"})
    expect(plain.content[0].text, "Hello, Ada!", "a plain call")

    task = (await tasks.call_tool_as_task("slow_compute", {"seconds": 0.2}, ttl=60000)).task
    expect((task.status, task.ttl), ("working", 60000), "a task")
    result = await tasks.get_task_result(task.taskId, types.CallToolResult)
    expect(result.content[0].text, "computed for 200 ms", "its result is waited for")
    expect(result.meta["io.modelcontextprotocol/related-task"], {"taskId": task.taskId}, "it names its task")
    expect((await tasks.get_task(task.taskId)).status, "completed", "it has ended")
    expect(await code_of(tasks.cancel_task(task.taskId)), INVALID_PARAMS, "an ended task is not cancelled")

    task = (await tasks.call_tool_as_task("failing_job")).task
    result = await tasks.get_task_result(task.taskId, types.CallToolResult)
    expect(result.isError, True, "a tool's error")
    expect((await tasks.get_task(task.taskId)).status, "failed", "fails its task")
    task = (await tasks.call_tool_as_task("protocol_error_job")).task
    failed = await code_of(tasks.get_task_result(task.taskId, types.CallToolResult))
    expect(failed, -32603, "an error of the protocol")

    task = (await tasks.call_tool_as_task("confirm_delete", {"filename": "a"})).task
    expect(await follow(tasks, task), "input_required", "a task asks")
    result = await tasks.get_task_result(task.taskId, types.CallToolResult)
    expect(result.content[0].text, "a is deleted", "and goes on with the answer")
    task = (await tasks.call_tool_as_task("multi_input")).task
    result = await tasks.get_task_result(task.taskId, types.CallToolResult)
    expect(result.content[0].text, "2 of 2 were accepted", "two questions at once")

    task = (await tasks.call_tool_as_task("slow_compute", {"seconds": 60})).task
    expect((await tasks.cancel_task(task.taskId)).status, "cancelled", "a task is cancelled")
    unknown = tasks.get_task("0123456789abcdef0123456789abcdef")
    expect(await code_of(unknown), INVALID_PARAMS, "an unknown task")
    expect(await code_of(tasks.call_tool_as_task("greet", {"name": "x"})), METHOD_NOT_FOUND, "a plain tool")
    if has_lists:
        listed = await tasks.list_tasks()
        expect(listed.tasks[0].taskId, task.taskId, "the newest task stands first in the list")


async def main(arguments):
    async with connected(arguments) as session:
        await run(session, arguments[0] == "--")
    print("passed")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
