# SPDX-License-Identifier: MIT
"""Servers that other people have published, and what their tools/list says. They are asked for nothing else,
and get no credentials: only words in the place of some."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

_LIMIT = 60
"""Seconds in which a server has to answer, on a busy machine."""
_CALLS: Tuple[Dict[str, Any], ...] = (
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {"roots": {}, "sampling": {}, "elicitation": {}},
            "clientInfo": {"name": "lister", "version": "1"},
        },
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
)


@dataclass(frozen=True)
class Server:
    """A published server: its program in the folder that setup.sh fills, arguments, and variables."""

    name: str
    program: str
    arguments: Tuple[str, ...] = ()
    variables: Dict[str, str] = field(default_factory=dict)


def _node(name: str, program: str, *arguments: str, **variables: str) -> Server:
    return Server(name, f"node_modules/.bin/{program}", arguments, variables)


def _python(name: str) -> Server:
    return Server(name, f"python/bin/{name}")


SERVERS: Tuple[Server, ...] = (
    _node("everything", "mcp-server-everything"),
    _node("filesystem", "mcp-server-filesystem", "@folder"),
    _node("memory", "mcp-server-memory"),
    _node("sequential_thinking", "mcp-server-sequential-thinking"),
    _node("notion", "notion-mcp-server", NOTION_TOKEN="ntn_none"),
    _node("playwright", "playwright-mcp"),
    _node("context7", "context7-mcp"),
    _node("firecrawl", "firecrawl-mcp", FIRECRAWL_API_KEY="fc-none"),
    _node("exa", "exa-mcp-server", EXA_API_KEY="none"),
    _node("tavily", "tavily-mcp", TAVILY_API_KEY="tvly-none"),
    _node("chrome_devtools", "chrome-devtools-mcp"),
    _node("figma", "figma-developer-mcp", "--stdio", "--figma-api-key", "none"),
    _python("mcp-server-git"),
    _python("mcp-server-time"),
    _python("mcp-server-fetch"),
    _python("duckduckgo-mcp-server"),
)


def list_tools(server: Server, installed: Path, folder: Path) -> Optional[List[Dict[str, Any]]]:
    """The tools of a server, all pages; None if it does not answer."""
    arguments = [each.replace("@folder", str(folder)) for each in server.arguments]
    variables = {"HOME": str(folder), "PATH": os.environ["PATH"], **server.variables}
    process = subprocess.Popen(
        [str(installed / server.program), *arguments],
        cwd=folder,
        env=variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        return _listed(process)
    finally:
        process.kill()
        process.communicate()


def _listed(process: subprocess.Popen[str]) -> Optional[List[Dict[str, Any]]]:
    lines: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_read, args=(process, lines), daemon=True).start()
    tools: List[Dict[str, Any]] = []
    if not _said(process, _CALLS[0]) or _answer(lines, 1) is None or not _said(process, _CALLS[1]):
        return None
    number, cursor = 2, None
    while True:
        params = {"cursor": cursor} if cursor else {}
        _said(process, {"jsonrpc": "2.0", "id": number, "method": "tools/list", "params": params})
        result = _answer(lines, number)
        if result is None:
            return None
        tools += result["tools"]
        number, cursor = number + 1, result.get("nextCursor")
        if not cursor:
            return tools


def _said(process: subprocess.Popen[str], message: Dict[str, Any]) -> bool:
    assert process.stdin is not None
    try:
        process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()
    except OSError:
        return False
    return True


def _read(process: subprocess.Popen[str], lines: queue.Queue[str]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)
    lines.put("")


def _answer(lines: queue.Queue[str], number: int) -> Optional[Dict[str, Any]]:
    while True:
        try:
            line = lines.get(timeout=_LIMIT)
        except queue.Empty:
            return None
        if not line:
            return None
        try:
            message = json.loads(line)
        except ValueError:
            continue
        if isinstance(message, dict) and message.get("id") == number and "method" not in message:
            result = message.get("result")
            return result if isinstance(result, dict) else None
