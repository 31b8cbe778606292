# SPDX-License-Identifier: MIT
"""Whether the component manager of ESP-IDF takes a manifest: python3 manifest.py MANIFEST."""

from __future__ import annotations

import sys

from idf_component_tools.manager import ManifestManager


def main(path: str) -> None:
    print(ManifestManager(path, name="mcpwire", upload_mode=True).load().version)


if __name__ == "__main__":
    main(sys.argv[1])
