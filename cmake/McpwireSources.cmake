# SPDX-License-Identifier: MIT
# The sources of the libraries. This file asks no compiler and makes no target, so that a script can include it, too:
# McpwireOneFile.cmake does, for every system. Whoever includes it states WIN32, UNIX, APPLE, MCPW_TELLS_SINGLE_THREADED (whether
# the C library tells that a process has one thread), MCPW_CONFIG_DIR and what McpwireRevisions.cmake and McpwireSmall.cmake set.

set(_runtime "${PROJECT_SOURCE_DIR}/runtime")
set(_generated "${PROJECT_SOURCE_DIR}/generated")
set(_sources
    base/arena.c base/error_text.c base/memory_given.c base/memory_malloc.c base/print_alone.c
    base/print_stdio.c base/printable.c base/sort.c base/status.c base/utf8.c base/version.c
    json/append_members.c json/characters.c json/decimal.c json/format_int.c json/format_number.c json/json_equal.c json/json_read.c json/json_write.c
    json/names.c json/net_formats.c json/number.c json/number_alone.c json/number_fast.c json/number_small.c
    json/number_stdio.c json/isa.c json/put_decimals.c json/reader.c json/reader_fast.c json/reader_small.c json/runs_avx2.c
    json/runs_plain.c json/scan_unquoted.c json/scanner.c json/sealed.c json/sort_names.c json/sort_names_small.c json/time_formats.c json/unordered_find.c
    json/unordered_sort.c
    codec/append.c codec/bound.c codec/bound_small.c codec/check.c codec/check_names.c codec/check_token.c codec/check_words.c
    codec/choose.c codec/choose_text.c codec/choose_value.c codec/copy.c codec/decode.c codec/residual.c codec/describe.c codec/describe_code.c codec/encode.c codec/envelope.c codec/envelope_read.c
    codec/equal.c codec/find.c codec/formats.c codec/keys.c codec/kinds.c codec/kinds_small.c
    codec/lookup.c codec/message.c codec/message_decode.c codec/message_encode.c codec/message_small.c
    codec/message_validate.c codec/project.c codec/project_plan.c codec/project_plan_small.c codec/project_scalar.c codec/project_text.c codec/project_union.c
    codec/reflect.c codec/revisions.c codec/store.c codec/table_fast.c codec/table_small.c codec/error_report.c codec/error_report_collect.c codec/error_report_path.c codec/type.c codec/validate.c codec/walk.c codec/walk_decode.c
    codec/walk_small.c codec/walk_validate.c codec/write.c codec/write_small.c)
if(MCPW_WITH_SCHEMA)
  list(APPEND _sources
    schema/compile.c schema/compile_loops.c schema/compile_object.c schema/compile_rows.c schema/compile_values.c schema/fit.c
    schema/fit_errors.c schema/fit_object.c schema/fit_steps.c schema/fit_text.c schema/fit_values.c schema/keywords.c schema/dictionary.c schema/library.c schema/locations.c schema/metaschemas.c
    schema/multiple.c schema/names.c schema/own_patterns.c schema/pack.c schema/pointers.c schema/tape.c schema/tape_equal.c
    schema/text_formats.c schema/uri.c schema/verdict.c codec/described.c codec/described_type.c)
endif()
set(_session
    session/protocol.c session/random.c
    session/support/adapt.c session/support/base64.c session/support/defaults.c session/support/hash_table.c
    session/support/print_alone.c session/support/print_stdio.c session/support/scopes.c session/support/text.c session/support/uri_template.c
    session/core/changes.c session/core/core.c session/core/digest.c session/core/form.c session/core/level.c
    session/core/provider.c session/core/threads.c session/core/time_of_day.c
    session/revisions/capability.c session/revisions/declared.c session/revisions/endpoint.c session/revisions/judge.c
    session/revisions/extension.c session/revisions/extension_bind.c session/revisions/extension_check.c session/revisions/extension_scopes.c session/revisions/overlaid.c session/revisions/plans.c session/revisions/policy.c session/revisions/profile.c
    session/requests/custom_result.c session/requests/detach.c session/requests/extension_result.c session/requests/outbound.c session/requests/passage.c session/requests/passing.c session/requests/refuse.c session/requests/report.c
    session/requests/request.c session/requests/respond.c session/requests/respond_extended.c session/requests/running.c session/requests/written.c
    session/calls/ask.c session/calls/ask_json.c session/calls/call.c session/calls/custom_call.c session/calls/extended_call.c session/calls/passing_call.c session/calls/lenient.c session/calls/listed.c
    session/calls/own_request.c session/calls/pending.c session/calls/received.c session/calls/reply.c session/calls/round.c session/calls/state.c session/calls/taker.c
    session/subscriptions/custom_filter.c session/subscriptions/custom_topic.c session/subscriptions/listen.c session/subscriptions/notify.c session/subscriptions/subscribe.c
    session/subscriptions/uri_subscription.c
    session/connection/broken.c session/connection/custom.c session/connection/close.c session/connection/control.c session/connection/dispatch.c session/connection/extended_session.c
    session/connection/era.c session/connection/open.c session/connection/receive.c session/connection/relay.c
    session/connection/session.c session/connection/share.c session/connection/stream.c
    apps/apps.c apps/csp.c apps/origins.c apps/pages.c apps/ui.c
    client_tasks/task_add.c client_tasks/task_ask.c client_tasks/task_call.c client_tasks/task_follow.c client_tasks/task_handle.c
    client_tasks/task_input.c client_tasks/task_life.c client_tasks/task_read.c
    session/middleware/access_log.c session/middleware/rate_limit.c session/middleware/tracing.c
    session/server/server.c session/server/server_changes.c session/server/server_common.c session/server/server_extensions.c
    session/server/server_prompts.c session/server/server_registry.c session/server/server_resources.c
    session/server/server_respond.c session/server/server_scopes.c session/server/server_tools.c)
if(MCPW_SMALL) # the _meta of requests is not remembered
  list(APPEND _session session/requests/known_meta_small.c)
else()
  list(APPEND _session session/requests/known_meta.c)
endif()
if(MCPW_WITH_SCHEMA) # the schemas of tools hold
  list(APPEND _session session/core/tool_schema.c)
else()
  list(APPEND _session session/core/tool_schema_none.c)
endif()
# The port layer: the files of one system.
set(_os "")
set(_os_parts process stream system thread wait wakeup)
if(WIN32)
  set(_os win)
  list(APPEND _os_parts command pipe private transfer)
elseif(UNIX)
  set(_os posix)
  list(APPEND _os_parts guard)
endif()
if(WIN32) # whose own random bytes need no library
  list(TRANSFORM _session REPLACE "session/random[.]c" "session/random_win.c")
endif()
if(_os)
  list(APPEND _session base/lock_${_os}.c)
else()
  list(APPEND _session base/lock_none.c)
endif()
if(WIN32)
  list(APPEND _session base/time_win.c)
elseif(UNIX OR WASI)
  list(APPEND _session base/time_posix.c)
else()
  list(APPEND _session base/time_none.c)
endif()
set(_transport transport/beside.c transport/child.c transport/client.c transport/client_tasks.c transport/diagnostics.c transport/io.c transport/io_system.c transport/queue.c transport/serve.c
    transport/workers.c)
foreach(_part IN LISTS _os_parts)
  list(APPEND _transport transport/os_${_part}_${_os}.c)
endforeach()
if(APPLE)
  list(TRANSFORM _transport REPLACE "os_wait_posix" "os_wait_select")
  list(TRANSFORM _transport REPLACE "os_guard_posix" "os_guard_macos")
endif()
if(MCPW_TELLS_SINGLE_THREADED)
  list(APPEND _transport transport/alone_glibc.c)
else()
  list(APPEND _transport transport/alone_none.c)
endif()
set(_http http/body.c http/server.c
    http/core/access.c http/core/answer.c http/core/bearer.c http/core/challenge.c http/core/cors.c http/core/exchange.c http/core/fields.c http/core/framing.c http/core/head.c
    http/core/parameters.c http/core/resource.c http/core/scope_check.c http/core/timers.c
    http/stateless/stateless.c
    http/session/alone.c http/session/events.c http/session/http_streams.c http/session/session_exchange.c http/session/sessions.c http/session/table.c
    http/cluster/cluster.c http/cluster/record.c
    http/client/client.c http/client/client_again.c http/client/client_calls.c http/client/client_head.c http/client/client_receive.c http/client/client_origins.c
    http/client/client_refused.c http/client/client_take.c http/client/client_tools.c http/client/event_reader.c)
set(_tasks tasks/change.c tasks/clock.c tasks/create.c tasks/form.c tasks/hear.c tasks/keeper.c tasks/log.c tasks/memory.c tasks/methods.c tasks/record.c
    tasks/run.c tasks/table.c tasks/tasks.c tasks/views.c)
set(_framing transport/frame.c transport/lines.c)
set(MCPW_HAVE_TRANSPORT OFF)
if(_os AND MCPW_WITH_MALLOC) # what runs threads and processes has memory of its own
  set(MCPW_HAVE_TRANSPORT ON)
else()
  set(_transport "")
endif()
list(APPEND _transport ${_framing})
list(APPEND _session ${_transport})
set(MCPW_HTTP_CORE OFF)
if(MCPW_WITH_HTTP_CORE STREQUAL "AUTO")
  if(NOT MCPW_SMALL AND (MCPW_WITH_HTTP OR (MCPW_WITH_HIREDIS AND NOT MCPW_WITH_HIREDIS STREQUAL "AUTO")))
    set(MCPW_HTTP_CORE ON)
  endif()
elseif(MCPW_WITH_HTTP_CORE)
  set(MCPW_HTTP_CORE ON)
endif()
if(MCPW_HTTP_CORE)
  list(APPEND _session ${_http})
endif()
set(MCPW_HAVE_TASKS OFF)
if(NOT DEFINED MCPW_WITH_TASKS)
  set(MCPW_WITH_TASKS ON)
  if(MCPW_SMALL)
    set(MCPW_WITH_TASKS OFF)
  endif()
endif()
if(MCPW_WITH_TASKS)
  set(MCPW_HAVE_TASKS ON)
  list(APPEND _session ${_tasks})
endif()
set(MCPW_HAVE_TASKS "${MCPW_HAVE_TASKS}" CACHE INTERNAL "Whether servers keep tasks")
foreach(_path IN LISTS MCPW_LEFT_OUT) # beginnings of paths that tools/amalgamate.py does without
  list(FILTER _session EXCLUDE REGEX "^${_path}")
endforeach()
if(MCPW_EXCLUDED_SOURCES)
  list(REMOVE_ITEM _sources ${MCPW_EXCLUDED_SOURCES})
  list(REMOVE_ITEM _session ${MCPW_EXCLUDED_SOURCES})
endif()
list(TRANSFORM _sources PREPEND "${_runtime}/")
list(TRANSFORM _session PREPEND "${_runtime}/")

set(_includes "${MCPW_CONFIG_DIR}" "${_runtime}/include" "${_generated}/common")
set(_private_includes "${_runtime}/base" "${_runtime}/session") # of the sessions
set(_definitions "MCPW_PIN=${MCPW_PIN_NUMBER}")
foreach(_revision IN LISTS MCPW_REVISIONS)
  string(REPLACE "-" "" _number "${_revision}")
  list(APPEND _sources "${_generated}/${_revision}/tables.c")
  list(APPEND _session "${_generated}/${_revision}/handlers.c" "${_generated}/${_revision}/protocol_table.c")
  list(APPEND _includes "${_generated}/${_revision}")
  list(APPEND _definitions "MCPW_WITH_${_number}=1")
endforeach()
list(APPEND _sources "${_generated}/common/registry.c")
list(APPEND _session "${_generated}/common/registry_protocols.c")
# For targets of the tests that compile the library once more; <mcpw/config.h> says the same to all others.
list(APPEND _definitions ${MCPW_EXTRA_DEFINITIONS})
# One call that serves over stdio, and over HTTP where runtime/CMakeLists.txt finds that.
set(_serve "")
if(MCPW_HAVE_TRANSPORT)
  set(_serve os_signals_${_os}.c serve_arguments.c serve_command.c serve_stdio.c)
endif()
set(_serve_without_http serve_http_none.c)
