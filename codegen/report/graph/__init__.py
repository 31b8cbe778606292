# SPDX-License-Identifier: MIT
"""Takes a model. Gives a picture of it: methods, what they carry, and the types that those are made of."""
