# SPDX-License-Identifier: MIT
"""Builds mcpwire as a package is built, installs it into WORK/stage, makes Debian packages in WORK/build.

Usage: build.py WORK
The other tests of this folder use what it leaves there. Only object files of an earlier run are kept.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[2])

from tests.package.support import ROOT, Result, generator, run  # noqa: E402


def _must(result: Result) -> None:
    if result.code != 0:
        print(result)
        sys.exit(1)


def main() -> int:
    """Configures for /usr, as distributions do, and installs elsewhere: nothing may depend on the place."""
    work = Path(sys.argv[1]).resolve()
    build = work / "build"
    stage = work / "stage"
    shutil.rmtree(stage, ignore_errors=True)
    for package in build.glob("*.deb"):
        package.unlink()
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG", "-DMCPW_BUILD_TESTS=OFF"]
    _must(run(["cmake", "-S", ROOT, "-B", build, *generator(), "-DCMAKE_INSTALL_PREFIX=/usr", *options]))
    _must(run(["cmake", "--build", build]))
    _must(run(["cmake", "--install", build, "--prefix", stage]))
    if shutil.which("dpkg-shlibdeps") is not None:
        _must(run(["cpack"], cwd=build))
    print(f"installed: {sum(path.is_file() for path in stage.rglob('*'))} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
