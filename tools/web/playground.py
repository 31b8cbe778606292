# SPDX-License-Identifier: MIT
"""Makes the playground: the page of tools/web/ and the module of WebAssembly in one file.

Usage: playground.py PAGE_HEAD PAGE_TAIL MCPWIRE_MJS MCPWIRE_WASM OUT

The first two are the page as page.cmake writes it, before and after its data.
"""

from __future__ import annotations

import base64
import hashlib
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
DATA = {"playground": True}


def digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def playground(head: str, tail: str, library: str, module: bytes) -> str:
    """The page with another script, which its policy names, and with the module as text."""
    script = library + (HERE / "play.js").read_text("utf-8")
    if "</script" in script:
        raise ValueError("the script would end in its middle")
    allowed = f"script-src '{digest(script)}' 'wasm-unsafe-eval' "
    text = head.replace("script-src ", allowed, 1) + json.dumps(DATA) + tail
    before, end, after = text.rpartition("</body>")
    encoded = base64.b64encode(module).decode()
    return (
        f'{before}<script type="application/octet-stream" id="module">{encoded}</script>\n'
        f'<script type="module">{script}</script>\n{end}{after}'
    )


def main() -> int:
    if len(sys.argv) != 6:
        print(__doc__, file=sys.stderr)
        return 2
    head, tail, library, module, out = map(Path, sys.argv[1:])
    page = playground(
        head.read_text("utf-8"), tail.read_text("utf-8"), library.read_text("utf-8"), module.read_bytes()
    )
    out.write_text(page, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
