# SPDX-License-Identifier: MIT
"""The command mcpwire, as a program beside this interpreter."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path


def find_program() -> str:
    """The path of the program. FileNotFoundError: it was removed."""
    name = "mcpwire.exe" if sys.platform == "win32" else "mcpwire"
    user = f"{os.name}_user"
    folders = [sysconfig.get_path("scripts"), str(Path(sys.executable).parent)]
    if user in sysconfig.get_scheme_names():
        folders.append(sysconfig.get_path("scripts", user))
    for folder in folders:
        path = Path(folder) / name
        if path.is_file():
            return str(path)
    raise FileNotFoundError(f"{name} is not in {', '.join(folders)}")
