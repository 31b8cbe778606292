# SPDX-License-Identifier: MIT
"""Takes models and plans. Gives what people read: differences, migration notes, pictures, and proofs against
the published schemas."""
