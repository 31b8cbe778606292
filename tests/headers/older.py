# SPDX-License-Identifier: MIT
"""Writes headers of an imagined earlier version: the same, but the last members of some structs are missing.

Usage: older.py INCLUDE OUT
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

# The struct, and the first of the members that it had not yet.
CUT = {
    "codec.h": (("mcpw_options", "on_error"),),
    "project.h": (("mcpw_project_options", "on_fill"),),
    "schema.h": (("mcpw_schema_options", "max_bytes"),),
    "server.h": (("mcpw_server_config", "fill_defaults"), ("mcpw_tool", "user")),
    "session.h": (("mcpw_session_config", "end_grace_ms"), ("mcpw_call", "on_progress")),
    "io.h": (("mcpw_serve_options", "user"), ("mcpw_spawn", "own_group")),
    "http.h": (("mcpw_http_config", "resource"),),
    "http_client.h": (("mcpw_http_client_config", "max_queued"),),
    "diagnostics.h": (("mcpw_diagnostics_options", "write"),),
}


def shortened(text: str, struct: str, member: str) -> str:
    """The header without that member of the struct and those after it."""
    found = re.search(rf"typedef struct {struct} \{{\n(.*?)\n\}} {struct};", text, re.S)
    if found is None:
        raise SystemExit(f"there is no struct {struct}")
    body = found.group(1)
    declared = re.search(rf"^    (?!\s*/?\*)[\w *(]*\b{member}(?=[;)\[])", body, re.M)
    if declared is None:
        raise SystemExit(f"{struct} has no {member}")
    start = found.start(1)
    kept = body[: declared.start()]
    return text[:start] + kept + text[start + len(body) :]


def main() -> int:
    include, out = Path(sys.argv[1]), Path(sys.argv[2])
    for name, cuts in CUT.items():
        text = (include / "mcpw" / name).read_text(encoding="utf-8")
        for struct, member in cuts:
            text = shortened(text, struct, member)
        target = out / "mcpw" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
