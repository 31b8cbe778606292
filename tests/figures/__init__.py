# SPDX-License-Identifier: MIT
"""The figures of the README: measured, printed, written into it, and held against it."""
