# SPDX-License-Identifier: MIT
"""A picture of a schema: methods, what they carry, and the types that those are made of."""
