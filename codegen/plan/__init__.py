# SPDX-License-Identifier: MIT
"""Takes the model and the facts. Gives the C plan: every name, type, method and table entry of the output,
decided and frozen."""
