# SPDX-License-Identifier: MIT
"""Values of Kconfig as Zephyr computes them: python3 kconfig.py KCONFIG FOLDER CONF... writes
FOLDER/config.cmake and FOLDER/autoconf.h. It needs kconfiglib, from which Zephyr's own copy comes."""

from __future__ import annotations

import sys
from pathlib import Path

import kconfiglib


def main(kconfig: str, folder: str, *configurations: str) -> None:
    tree = kconfiglib.Kconfig(kconfig, warn_to_stderr=False)
    for name in configurations:
        tree.load_config(name, replace=False)
    lines = []
    for symbol in tree.unique_defined_syms:
        line = symbol.config_string.replace("# default:", "").strip()
        if line.startswith("CONFIG_"):
            name, _, value = line.partition("=")
            lines.append(f"set({name} {value})\n")
    if [text for text in tree.warnings if "mcpwire" in text.lower()]:
        sys.exit("\n".join(tree.warnings))
    Path(folder, "config.cmake").write_text("".join(lines), "utf-8")
    tree.write_autoconf(str(Path(folder, "autoconf.h")))


if __name__ == "__main__":
    main(*sys.argv[1:])
