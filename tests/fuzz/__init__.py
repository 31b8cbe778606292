# SPDX-License-Identifier: MIT
"""The oracle: the library's verdicts against those of a standard JSON Schema validator."""
