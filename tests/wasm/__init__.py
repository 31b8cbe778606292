# SPDX-License-Identifier: MIT
"""The module of WebAssembly and its package for npm."""
