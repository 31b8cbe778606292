# SPDX-License-Identifier: MIT
"""Makes one source and one header of the library: tools/amalgamate.py is its front.

tokens      text -> tokens and directives
conditions  leaves out branches that the configuration decides
macros      what macros do with their arguments
declare     the names that a file declares, and which tokens are members
source      a file: its text, its includes
listing     which files belong to the library, as CMake says
plan        which headers are shared, and which names need another one
write       puts the text together
"""
