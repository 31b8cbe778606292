# SPDX-License-Identifier: MIT
"""Takes the files beside the schemas, which state what no schema does: comments, choices in unions,
capabilities, error codes. Gives what holds for one revision."""
