# SPDX-License-Identifier: MIT
"""Takes the models and plans of two schemas. Gives what changed between them: for the wire, for C source, and
what a C user has to do about it."""
