# SPDX-License-Identifier: MIT
"""Takes a schema document as it is published. Gives its JSON in one dialect, with known mistakes corrected,
and the pointers and keys that name its places."""
