# SPDX-License-Identifier: MIT
"""Makes the parts of a release that are the same on every machine.

Usage: python3 -m tools.release source|checksums OUT
       python3 -m tools.release natives OUT PROGRAMS
  source     mcpwire-VERSION.tar.gz and mcpwire-VERSION.spdx.json of the commit that is checked out
  natives    wheels and npm packages of the programs in PROGRAMS/linux-x86_64/ and the like
  checksums  SHA256SUMS of all files in OUT
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from tools.release import archive, natives, sbom
from tools.release.tree import ReleaseError, read_tree

_ROOT = Path(__file__).resolve().parents[2]
_SUMS = "SHA256SUMS"


def _source(out: Path) -> None:
    tree = read_tree(_ROOT)
    packed = archive.compressed(tree)
    (out / f"{tree.name}.tar.gz").write_bytes(packed)
    (out / f"{tree.name}.spdx.json").write_text(sbom.document(tree, packed), "utf-8")
    print(f"{tree.name}.tar.gz: {len(tree.members)} files, {len(packed)} bytes")


def _natives(out: Path, programs: Path) -> None:
    tree = read_tree(_ROOT)
    license_text = next(each.data for each in tree.members if each.path == "LICENSE")
    for name, data in natives.packages(natives.Release(tree.version, tree.time, license_text), programs):
        (out / name).write_bytes(data)
        print(f"{name}: {len(data)} bytes")


def _checksums(out: Path) -> None:
    files = sorted(each for each in out.iterdir() if each.is_file() and not each.name.startswith(_SUMS))
    lines = [f"{hashlib.sha256(each.read_bytes()).hexdigest()}  {each.name}\n" for each in files]
    (out / _SUMS).write_text("".join(lines), "utf-8")
    print(f"{_SUMS}: {len(lines)} files")


def main() -> int:
    """The exit status: 2 for wrong arguments, 1 if the release cannot be made."""
    command, *rest = sys.argv[1:] or [""]
    arguments = [Path(each) for each in rest]
    counts = {"source": 1, "checksums": 1, "natives": 2}
    if len(arguments) != counts.get(command):
        print(__doc__, file=sys.stderr)
        return 2
    arguments[0].mkdir(parents=True, exist_ok=True)
    try:
        if command == "natives":
            _natives(*arguments)
        elif command == "source":
            _source(*arguments)
        else:
            _checksums(*arguments)
    except ReleaseError as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
