# SPDX-License-Identifier: MIT
"""Packs an MCP bundle, and writes its sum into server.json.

Usage: bundle.py MANIFEST SERVER_JSON OUT.mcpb PROGRAM...

Each PROGRAM goes to server/ in the bundle, under its own name. Every command of the manifest has to be one of
them. The same programs give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import sys
import zipfile
from pathlib import Path
from typing import Any, Dict, List, Sequence

_HERE = "${__dirname}/"
_PROGRAM = 0o100755 << 16
_FILE = 0o100644 << 16


def commands(manifest: Dict[str, Any]) -> List[str]:
    """The programs that the manifest starts, as paths in the bundle."""
    start = manifest["server"]["mcp_config"]
    starts = [start, *start.get("platform_overrides", {}).values()]
    found = [manifest["server"]["entry_point"]]
    found += [each["command"].replace(_HERE, "") for each in starts if "command" in each]
    return found


def pack(manifest: Path, programs: Sequence[Path], out: Path) -> str:
    """Writes the bundle, and returns its SHA-256 in hexadecimal digits."""
    members = [("manifest.json", manifest, _FILE)]
    members += [(f"server/{each.name}", each, _PROGRAM) for each in programs]
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, path, mode in members:
            entry = zipfile.ZipInfo(name)  # of 1980: no time of this machine
            entry.external_attr = mode
            entry.compress_type = zipfile.ZIP_DEFLATED
            bundle.writestr(entry, path.read_bytes())
    return hashlib.sha256(out.read_bytes()).hexdigest()


def main() -> int:
    """The exit status: 1 if a program of the manifest is missing, 2 for wrong arguments."""
    if len(sys.argv) < 5:
        print(__doc__, file=sys.stderr)
        return 2
    manifest, server, out, *programs = (Path(each) for each in sys.argv[1:])
    given = {f"server/{each.name}" for each in programs}
    missing = sorted(set(commands(json.loads(manifest.read_text("utf-8")))) - given)
    if missing:
        print(f"bundle: {manifest} starts {', '.join(missing)}, which is not given", file=sys.stderr)
        return 1
    whole = json.loads(server.read_text("utf-8"))
    for package in whole["packages"]:
        if package["identifier"].endswith(f"/{out.name}"):
            package["fileSha256"] = pack(manifest, programs, out)
            server.write_text(json.dumps(whole, indent=2) + "\n", "utf-8")
            print(f"{out.name}: {package['fileSha256']}")
            return 0
    print(f"bundle: {server} has no package whose file is {out.name}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
