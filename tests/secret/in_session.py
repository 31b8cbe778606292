# SPDX-License-Identifier: MIT
"""Runs a command in a session of its own with a Secret Service: a D-Bus, and an unlocked keyring of GNOME.

Usage: in_session.py COMMAND [ARGUMENT...]

It exits with 77 where one of the two is not installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from typing import List

SKIPPED = 77
NEEDS = ("dbus-run-session", "gnome-keyring-daemon")
SCRIPT = 'printf x | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; exec "$@"'


def inside(command: List[str], folder: str) -> int:
    """The exit status of a command in such a session."""
    environment = {**os.environ, "HOME": folder, "XDG_RUNTIME_DIR": folder}
    environment.update(
        {f"XDG_{name}_HOME": f"{folder}/{name.lower()}" for name in ("DATA", "CONFIG", "CACHE")}
    )
    for name in ("DBUS_SESSION_BUS_ADDRESS", "GNOME_KEYRING_CONTROL", "DISPLAY", "WAYLAND_DISPLAY"):
        environment.pop(name, None)
    words = ["dbus-run-session", "--", "sh", "-c", SCRIPT, "sh", *command]
    return subprocess.run(words, env=environment, check=False).returncode


def main() -> int:
    """Run the command of the arguments."""
    missing = [name for name in NEEDS if shutil.which(name) is None]
    if missing:
        print(f"skipped: {' and '.join(missing)} not installed (Debian: dbus, gnome-keyring)")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        return inside(sys.argv[1:], folder)


if __name__ == "__main__":
    sys.exit(main())
