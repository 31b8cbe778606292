# SPDX-License-Identifier: MIT
# cmake -D OPTION=ON|OFF... -P options.cmake: what these options define, leave out and compile with, a line each.
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/McpwireSmall.cmake")
message("${MCPW_EXTRA_DEFINITIONS}")
message("${MCPW_EXCLUDED_SOURCES}")
message("${MCPW_SMALL_FLAGS}")
