# SPDX-License-Identifier: MIT
"""The parts of a release: source archive, bill of materials, checksums, wheels, npm packages."""
