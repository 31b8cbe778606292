# SPDX-License-Identifier: MIT
"""Takes the JSON of a schema. Gives the model: typed, frozen nodes, each with the pointer it came from; no
JSON is left after it."""
