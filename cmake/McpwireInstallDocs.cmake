# SPDX-License-Identifier: MIT
# The guide, the migration notes and the examples, laid out as in the source tree so that their links hold.

set(_docs "${CMAKE_INSTALL_DATADIR}/doc/${_dev}")
install(FILES "${PROJECT_SOURCE_DIR}/CHANGELOG.md" DESTINATION "${_docs}" COMPONENT ${_dev})
install(FILES "${PROJECT_SOURCE_DIR}/docs/README.md" "${PROJECT_SOURCE_DIR}/docs/peers.md"
              "${PROJECT_SOURCE_DIR}/docs/stability.md" "${PROJECT_SOURCE_DIR}/docs/upgrading.md" DESTINATION "${_docs}/docs"
        COMPONENT ${_dev})
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/guide" "${PROJECT_SOURCE_DIR}/docs/migration" DESTINATION "${_docs}/docs"
        COMPONENT ${_dev} FILES_MATCHING PATTERN "*.md" PATTERN "*.c" PATTERN "*.cpp" PATTERN "*.png")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/deploy" "${PROJECT_SOURCE_DIR}/docs/publish" DESTINATION "${_docs}/docs" COMPONENT ${_dev}
        PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" DESTINATION "${_docs}" COMPONENT ${_dev}
        FILES_MATCHING PATTERN "*.c" PATTERN "*.cpp" PATTERN "*.h" PATTERN "*.json" PATTERN "*.ndjson" PATTERN "*.html" PATTERN "*.js")

# Links to what is in the source tree alone become their text.
set(_kept_out "(\\.\\./)*(runtime|schema|cmake|codegen|tests|tools|README\\.md|SECURITY\\.md|CONTRIBUTING\\.md|figures\\.md|testing\\.md|roadmap\\.md|releasing\\.md|why\\.md|dependencies\\.md|features\\.md)")
install(CODE "
  set(_docs \"${_docs}\")
  set(_link [==[\\[([^]]*)\\]\\(${_kept_out}[^)]*\\)]==])
  if(NOT IS_ABSOLUTE \"\${_docs}\")
    set(_docs \"\${CMAKE_INSTALL_PREFIX}/\${_docs}\")
  endif()
  file(GLOB_RECURSE _pages \"\$ENV{DESTDIR}\${_docs}/docs/*.md\")
  foreach(_page IN LISTS _pages)
    file(READ \"\${_page}\" _text)
    string(REGEX REPLACE \"\${_link}\" [==[\\1]==] _text \"\${_text}\")
    file(WRITE \"\${_page}\" \"\${_text}\")
  endforeach()" COMPONENT ${_dev})
