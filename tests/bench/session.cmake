# SPDX-License-Identifier: MIT
# The session bench: an echo server on the library beside others, and two tests that need no clock.

set(MCPW_NODE_MODULES "${PROJECT_BINARY_DIR}/interop" CACHE PATH "Folder that tests/interop/setup.sh filled")

# As for the codec: the sessions as they are built, or a copy at -O3.
get_target_property(_session_definitions mcpwire_session COMPILE_DEFINITIONS)
if(NOT _session_definitions)
  set(_session_definitions "")
endif()
set(_session_libraries "")
if(MCPW_HAVE_SODIUM) # the target that was found is known in its folder alone
  find_package(PkgConfig QUIET)
  pkg_check_modules(SODIUM QUIET IMPORTED_TARGET libsodium)
  set(_session_libraries PkgConfig::SODIUM)
endif()
if(_bench_copies)
  add_library(bench_session STATIC EXCLUDE_FROM_ALL ${MCPW_SESSION_SOURCES} echo.c)
else()
  add_library(bench_session STATIC EXCLUDE_FROM_ALL echo.c)
  target_link_libraries(bench_session PUBLIC mcpwire_session)
endif()
target_include_directories(bench_session PRIVATE "${PROJECT_SOURCE_DIR}/runtime/session")
target_compile_definitions(bench_session PRIVATE ${_session_definitions})
target_compile_options(bench_session PRIVATE ${_c_warnings})
target_link_libraries(bench_session PUBLIC bench_runtime ${_session_libraries})

foreach(_program echo_server echo_typed)
  add_executable(bench_${_program} ${_program}.c)
  target_link_libraries(bench_${_program} PRIVATE bench_session)
endforeach()
add_executable(bench_bare_echo bare_echo.c)
target_compile_options(bench_bare_echo PRIVATE ${_optimise})
add_executable(session_bench session_bench.c session_peer.c session_load.c)
target_compile_options(session_bench PRIVATE ${_optimise})
add_executable(bench_session_one session_one.c session_inside.c session_load.c)
target_link_libraries(bench_session_one PRIVATE bench_session)
foreach(_program bench_echo_server bench_echo_typed bench_bare_echo session_bench bench_session_one)
  target_compile_options(${_program} PRIVATE ${_c_warnings})
endforeach()

# `cmake --build BUILD --target run_session_bench` prints the tables. Node finds packages beside its script.
set(_typescript "${CMAKE_CURRENT_BINARY_DIR}/typescript")
add_custom_target(run_session_bench
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${_typescript}"
  COMMAND "${CMAKE_COMMAND}" -E create_symlink "${MCPW_NODE_MODULES}/node_modules" "${_typescript}/node_modules"
  COMMAND "${CMAKE_COMMAND}" -E copy "${CMAKE_CURRENT_SOURCE_DIR}/echo_server.mjs" "${_typescript}"
  COMMAND session_bench $<TARGET_FILE:bench_echo_server> $<TARGET_FILE:bench_echo_typed>
          $<TARGET_FILE:bench_bare_echo> "${_typescript}/echo_server.mjs"
  USES_TERMINAL VERBATIM)
add_dependencies(run_session_bench bench_echo_server bench_echo_typed bench_bare_echo)

add_executable(bench_session_allocations session_allocations.c session_inside.c session_load.c echo.c libc_calls.c)
target_link_libraries(bench_session_allocations PRIVATE mcpwire_session)
mcpw_configure(bench_session_allocations)
mcpw_wrap_malloc(bench_session_allocations)
add_mcpw_test(NAME bench_session_allocations LABELS bench COMMAND bench_session_allocations)

add_mcpw_test(NAME bench_session_instructions LABELS bench
              COMMAND "${MCPW_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/session_instructions.py"
                      --program $<TARGET_FILE:bench_session_one>
              ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)

add_executable(bench_http_one http_one.c)
target_link_libraries(bench_http_one PRIVATE bench_session)
target_compile_options(bench_http_one PRIVATE ${_c_warnings})
add_mcpw_test(NAME bench_http_instructions LABELS bench limits
              COMMAND "${MCPW_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/http_instructions.py"
                      --program $<TARGET_FILE:bench_http_one>
              ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)

# The cost of verifying a token: `bench_verify` prints it, and so does tools/figures.sh http.
if(TARGET mcpwire_oauth_jose)
  add_executable(bench_verify verify.c)
  target_include_directories(bench_verify PRIVATE "${PROJECT_SOURCE_DIR}/runtime" "${PROJECT_SOURCE_DIR}/generated/oauth"
                                                  "${PROJECT_SOURCE_DIR}/generated/jose")
  target_link_libraries(bench_verify PRIVATE mcpwire_oauth_jose)
  mcpw_configure(bench_verify)
  add_mcpw_test(NAME bench_verify LABELS bench COMMAND bench_verify 20)
endif()

# A task that is read, beside an echo.
if(MCPW_HAVE_TASKS)
  add_executable(bench_tasks_one tasks_one.c)
  target_link_libraries(bench_tasks_one PRIVATE bench_session)
  target_compile_options(bench_tasks_one PRIVATE ${_c_warnings})
  add_mcpw_test(NAME bench_tasks_instructions LABELS bench
                COMMAND "${MCPW_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/tasks_instructions.py"
                        --program $<TARGET_FILE:bench_tasks_one>)
  if(TARGET mcpwire_serve)
    add_executable(bench_tasks_server tasks_server.c)
    target_link_libraries(bench_tasks_server PRIVATE mcpwire_serve)
    mcpw_configure(bench_tasks_server)
  endif()
endif()
