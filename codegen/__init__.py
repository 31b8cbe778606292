# SPDX-License-Identifier: MIT
"""Generator of C bindings for the Model Context Protocol."""

__version__ = "0.1.0"
