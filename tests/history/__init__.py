# SPDX-License-Identifier: MIT
"""Every schema of a folder or of a git history, generated, compiled and held against python-jsonschema."""
