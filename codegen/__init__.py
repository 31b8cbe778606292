# SPDX-License-Identifier: MIT
"""Generator of C bindings for the Model Context Protocol."""

__version__ = "1.0.0"
