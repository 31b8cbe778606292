# SPDX-License-Identifier: MIT
# The library as a component of ESP-IDF: CMakeLists.txt includes this there. IDF includes it twice, first by a script that only asks
# what the component requires and where its Kconfig is.
if(CMAKE_BUILD_EARLY_EXPANSION)
  idf_component_register(KCONFIG "${CMAKE_CURRENT_LIST_DIR}/Kconfig")
  return()
endif()
include("${CMAKE_CURRENT_LIST_DIR}/../../McpwireKconfig.cmake")
mcpw_read_kconfig("${CMAKE_CURRENT_BINARY_DIR}/config")

idf_component_register(SRCS ${MCPWIRE_SOURCES} INCLUDE_DIRS ${MCPWIRE_INCLUDES} PRIV_INCLUDE_DIRS ${MCPWIRE_PRIVATE_INCLUDES}
                       KCONFIG "${CMAKE_CURRENT_LIST_DIR}/Kconfig")
target_compile_definitions(${COMPONENT_LIB} PRIVATE ${MCPWIRE_DEFINITIONS})
target_compile_options(${COMPONENT_LIB} PRIVATE ${MCPWIRE_FLAGS})
