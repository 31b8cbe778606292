# SPDX-License-Identifier: MIT
"""python -m mcpwire: the command."""

import os
import subprocess
import sys

from . import find_program

command = [find_program(), *sys.argv[1:]]
if os.name == "posix":
    os.execv(command[0], command)
sys.exit(subprocess.run(command, check=False).returncode)
