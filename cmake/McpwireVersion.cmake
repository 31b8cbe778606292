# SPDX-License-Identifier: MIT
# Included where there is no project of CMake's: reads the version that PROJECT_SOURCE_DIR states, and sets what project() sets.
file(STRINGS "${PROJECT_SOURCE_DIR}/CMakeLists.txt" _project REGEX "^project\\(mcpwire VERSION ")
string(REGEX MATCH "VERSION (([0-9]+)\\.([0-9]+)\\.([0-9]+))" _all "${_project}")
set(PROJECT_VERSION "${CMAKE_MATCH_1}")
set(PROJECT_VERSION_MAJOR "${CMAKE_MATCH_2}")
set(PROJECT_VERSION_MINOR "${CMAKE_MATCH_3}")
set(PROJECT_VERSION_PATCH "${CMAKE_MATCH_4}")
