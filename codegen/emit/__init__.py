# SPDX-License-Identifier: MIT
"""Takes the C plan. Gives the text of the generated files, from templates that decide nothing, and writes
what has changed."""
