# SPDX-License-Identifier: MIT
"""What changed between two schemas: for the wire, for C source, and what a C user has to do about it."""
