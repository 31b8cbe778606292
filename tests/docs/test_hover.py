# SPDX-License-Identifier: MIT
"""The text that an editor shows at a name: asked of clangd, for a name of each kind."""

from __future__ import annotations

import shutil
import tempfile
import unittest
from pathlib import Path

from tests.docs.clangd import Clangd

ROOT = Path(__file__).resolve().parents[2]

# Each line of the file, the name that is pointed at, and what must be shown of it.
POINTED = [
    ("mcp_20251125_tool full;", "mcp_20251125_tool", "Tool: "),
    ("mcp_20251125_tool source;", "mcp_20251125_tool", "specification/2025-11-25/schema#tool"),
    ("mcp_20241105_tool old;", "mcp_20241105_tool", "(Definition Tool of MCP 2024-11-05.)"),
    ("mcp_tool shorter;", "mcp_tool", "/* Tool: "),
    ("mcp_tool same;", "mcp_tool", "mcp_20260728_tool"),
    ("mcpw_str a(mcp_20251125_tool *t) { return t->name; }", "name;", "(required)"),
    (
        "mcpw_json b(mcp_20251125_tool *t) { return t->input_schema; }",
        "input_schema",
        '("inputSchema", required)',
    ),
    ("int c(void) { return MCP_20251125_ROLE_USER; }", "MCP_20251125_ROLE_USER", '"user"'),
    ("int d(void) { return MCP_20251125_CONTENT_BLOCK_TEXT_CONTENT; }", "MCP_", "as.text_content"),
    (
        "int e(void) { return MCP_20251125_METHOD_TOOLS_CALL; }",
        "MCP_",
        "tools/call, a request of the",
    ),
    ("int f(void) { return MCP_METHOD_TOOLS_CALL; }", "MCP_", "/* tools/call */"),
    (
        "const mcpw_type *g(void) { return &mcp_20251125_tool_table; }",
        "mcp_20251125_tool_table",
        "type handle",
    ),
    (
        "bool h(mcp_tool *t) { return mcp_20260728_tool_equal(t, t); }",
        "mcp_20260728_tool_equal",
        "see mcpw_equal",
    ),
    ("bool i(mcp_tool *t) { return mcp_tool_equal(t, t); }", "mcp_tool_equal", "see mcpw_equal"),
    (
        "void *j(mcp_server_handlers *s) { return (void *)s->tools_call; }",
        "tools_call",
        "Answers tools/call.",
    ),
    ("int k(mcp_20251125_str_list *l) { return (int)l->count; }", "count", "Number of items."),
    ("mcpw_arena l = MCPW_ARENA_INIT;", "mcpw_arena", "A bump allocator."),
    (
        "void m(mcpw_arena *a) { mcpw_arena_reset(a); }",
        "mcpw_arena_reset",
        "Frees every value",
    ),
    ("size_t n(mcpw_arena *a) { return a->limit; }", "limit", "the most bytes of all blocks"),
    ("int o(void) { return MCPW_E_UTF8; }", "MCPW_E_UTF8", "text is not valid UTF-8"),
    ("int p(void) { return MCPW_ROLE_CLIENT; }", "MCPW_ROLE_CLIENT", "opens"),
]


@unittest.skipIf(shutil.which("clangd") is None, "clangd is not installed")
class HoverTest(unittest.TestCase):
    def test_every_kind_of_name_tells_what_it_is(self) -> None:
        roots = [ROOT / "runtime" / "include", *sorted((ROOT / "generated").iterdir())]
        includes = "#include <mcp/revisions.h>\n#include <mcp/client.h>\n"
        text = includes + "".join(line + "\n" for line, _, _ in POINTED)
        with tempfile.TemporaryDirectory() as name:
            arguments = ["-std=c11", *(f"-I{root}" for root in roots)]
            with Clangd(Path(name), arguments) as clangd:
                uri = clangd.open("names.c", text)
                for number, (line, pointed, shown) in enumerate(POINTED, includes.count("\n")):
                    with self.subTest(line):
                        said = clangd.hover(uri, number, line.index(pointed))
                        self.assertIn(shown, " ".join(said.split()))


if __name__ == "__main__":
    unittest.main()
