# SPDX-License-Identifier: MIT
"""The figures of docs/figures.md: measured, printed, written into it, and held against it."""
