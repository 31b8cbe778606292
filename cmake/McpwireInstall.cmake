# SPDX-License-Identifier: MIT
# What `cmake --install` puts where. The components are named after the Debian packages that they become:
# libmcpwire1 the shared libraries, libmcpwire-dev what programs are built with, mcpwire the command.
# Every path in an installed file is relative to that file, so that the folder can be moved.

include(CMakePackageConfigHelpers)

set(_runtime libmcpwire${PROJECT_VERSION_MAJOR})
set(_dev libmcpwire-dev)
set(_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/mcpwire")
set(_data_dir "${CMAKE_INSTALL_DATADIR}/mcpwire")

# Libraries: one export set for each part that a program can do without.
function(mcpw_install_libraries part)
  set(_targets "")
  foreach(_target IN LISTS ARGN)
    if(TARGET ${_target})
      list(APPEND _targets ${_target})
    endif()
  endforeach()
  if(NOT _targets)
    return()
  endif()
  install(TARGETS ${_targets} EXPORT mcpwire-${part}
          ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT ${_dev}
          LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT ${_runtime} NAMELINK_COMPONENT ${_dev}
          RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT ${_runtime})
  install(EXPORT mcpwire-${part} FILE mcpwire-${part}.cmake NAMESPACE mcpwire:: DESTINATION "${_package_dir}"
          COMPONENT ${_dev})
endfunction()
mcpw_install_libraries(codec mcpwire_static mcpwire_shared)
mcpw_install_libraries(session mcpwire_session mcpwire_session_shared)
# The parts of one library each, lower ones first, and the headers that a package has only with them.
set(_parts json_c pcre2 http http_client http_redis oauth oauth_jose oauth_issuer oauth_secret http_login skills serve)
set(_json_c_headers json_c.h)
set(_pcre2_headers pcre2.h)
set(_http_headers http_serve.h)
set(_http_client_headers http_connect.h)
set(_http_redis_headers http_redis.h task_redis.h)
set(_oauth_headers oauth.h oauth_upstream.h)
set(_oauth_jose_headers oauth_jose.h oauth_verifier.h)
set(_oauth_issuer_headers oauth_issuer.h)
set(_oauth_secret_headers oauth_secret.h)
set(_http_login_headers http_login.h)
set(_skills_headers skills.h)
set(_serve_headers serve.h)
foreach(_part IN LISTS _parts)
  mcpw_install_libraries(${_part} mcpwire_${_part})
endforeach()

# Headers: those of the revisions that are built, and the configured <mcpw/config.h>.
set(_without "")
foreach(_part IN LISTS _parts)
  if(NOT TARGET mcpwire_${_part})
    foreach(_header IN LISTS _${_part}_headers)
      list(APPEND _without PATTERN ${_header} EXCLUDE)
    endforeach()
  endif()
endforeach()
if(NOT MCPW_HTTP_CORE)
  list(APPEND _without PATTERN http.h EXCLUDE PATTERN http_client.h EXCLUDE PATTERN event_reader.h EXCLUDE PATTERN challenge.h EXCLUDE)
endif()
if(NOT MCPW_HAVE_TASKS)
  list(APPEND _without PATTERN tasks.h EXCLUDE)
endif()
if(NOT MCPW_HAVE_TRANSPORT)
  list(APPEND _without PATTERN io.h EXCLUDE PATTERN thread.h EXCLUDE PATTERN diagnostics.h EXCLUDE PATTERN mcpw.hpp EXCLUDE)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/runtime/include/mcpw" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        COMPONENT ${_dev} FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" PATTERN config.h EXCLUDE ${_without})
install(FILES "${MCPW_CONFIG_DIR}/mcpw/config.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/mcpw" COMPONENT ${_dev})
foreach(_folder common ${MCPW_REVISIONS})
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/generated/${_folder}/mcp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
          COMPONENT ${_dev} FILES_MATCHING PATTERN "*.h")
endforeach()

# The CMake package.
set(MCPW_DEFAULT_SHARED OFF)
if(BUILD_SHARED_LIBS)
  set(MCPW_DEFAULT_SHARED ON)
endif()
set(MCPW_NEEDS_SODIUM OFF)
if(MCPW_BUILD_SESSION AND MCPW_HAVE_SODIUM)
  set(MCPW_NEEDS_SODIUM ON)
endif()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/mcpwireConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/package/mcpwireConfig.cmake"
                              INSTALL_DESTINATION "${_package_dir}"
                              PATH_VARS CMAKE_INSTALL_BINDIR _data_dir)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/mcpwireConfigVersion.cmake"
                                 COMPATIBILITY SameMajorVersion)
install(FILES "${PROJECT_BINARY_DIR}/package/mcpwireConfig.cmake"
              "${PROJECT_BINARY_DIR}/package/mcpwireConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/McpwireGenerate.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/McpwirePage.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/McpwireTool.cmake"
        DESTINATION "${_package_dir}" COMPONENT ${_dev})

# pkg-config files, beside the libraries.
set(_pc_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH MCPW_PC_PREFIX "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
file(RELATIVE_PATH MCPW_PC_LIBDIR "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_LIBDIR}")
file(RELATIVE_PATH MCPW_PC_INCLUDEDIR "${CMAKE_INSTALL_PREFIX}" "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
string(REGEX REPLACE "/$" "" MCPW_PC_PREFIX "${MCPW_PC_PREFIX}")
list(JOIN MCPW_REVISIONS " " MCPW_PC_REVISIONS)
set(MCPW_PC_LIBM "")
if(UNIX)
  set(MCPW_PC_LIBM " -lm")
endif()
set(MCPW_PC_SODIUM "")
if(MCPW_NEEDS_SODIUM)
  set(MCPW_PC_SODIUM "Requires.private: libsodium\n")
endif()
set(MCPW_PC_THREADS "")
if(MCPW_THREAD_FLAGS)
  set(MCPW_PC_THREADS "\nLibs.private: ${MCPW_THREAD_FLAGS}")
endif()
set(_pc mcpwire)
if(TARGET mcpwire_session OR TARGET mcpwire_session_shared)
  list(APPEND _pc mcpwire-session)
endif()
foreach(_part IN LISTS _parts)
  if(TARGET mcpwire_${_part})
    list(APPEND _pc mcpwire-${_part})
  endif()
endforeach()
list(TRANSFORM _pc REPLACE "_(client|redis|jose|issuer|secret|login)$" "-\\1") # json_c keeps its name
set(MCPW_PC_SERVES_BY mcpwire-session)
if(TARGET mcpwire_http)
  set(MCPW_PC_SERVES_BY mcpwire-http)
endif()
foreach(_name IN LISTS _pc)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${_name}.pc.in" "${PROJECT_BINARY_DIR}/package/${_name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/package/${_name}.pc" DESTINATION "${_pc_dir}" COMPONENT ${_dev})
endforeach()

# The generator: the Python package, its templates and the schemas, and a command that runs it.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/codegen" "${PROJECT_SOURCE_DIR}/schema" DESTINATION "${_data_dir}"
        COMPONENT ${_dev} FILES_MATCHING PATTERN "*.py" PATTERN "*.j2" PATTERN "*.json" PATTERN "*.cjs"
        PATTERN __pycache__ EXCLUDE)
if(UNIX)
  file(RELATIVE_PATH MCPW_CODEGEN_ROOT "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_DATADIR}/mcpwire")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/mcpwire-codegen.in" "${PROJECT_BINARY_DIR}/package/mcpwire-codegen" @ONLY)
  install(PROGRAMS "${PROJECT_BINARY_DIR}/package/mcpwire-codegen" DESTINATION "${CMAKE_INSTALL_BINDIR}"
          COMPONENT ${_dev})
  install(FILES "${PROJECT_SOURCE_DIR}/tools/man/mcpwire-codegen.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1"
          COMPONENT ${_dev})
  # Completion, where each shell looks for it; Debian's packages have a folder of their own for zsh.
  set(_zsh "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
  if(EXISTS /etc/debian_version AND CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set(_zsh "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
  endif()
  set(_completion "${PROJECT_SOURCE_DIR}/tools/completion")
  install(FILES "${_completion}/mcpwire-codegen.bash" RENAME mcpwire-codegen COMPONENT ${_dev}
          DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES "${_completion}/_mcpwire-codegen" DESTINATION "${_zsh}" COMPONENT ${_dev})
  install(FILES "${_completion}/mcpwire-codegen.fish" COMPONENT ${_dev}
          DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
endif()

foreach(_component ${_runtime} ${_dev})
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${_component}"
          RENAME copyright COMPONENT ${_component})
endforeach()
if(EXISTS "${PROJECT_SOURCE_DIR}/docs/README.md") # recipes of package managers leave it out
  include(cmake/McpwireInstallDocs.cmake)
endif()

# cmake --build BUILD --target uninstall. The manifests of single components are not looked at: those of cpack are alike,
# and name files that were never put there.
if(PROJECT_IS_TOP_LEVEL AND NOT TARGET uninstall)
  add_custom_target(uninstall
                    COMMAND "${CMAKE_COMMAND}" -D "MANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt"
                            -P "${PROJECT_SOURCE_DIR}/cmake/McpwireUninstall.cmake" VERBATIM)
endif()
