/* SPDX-License-Identifier: MIT */
/*
 * The public functions of requests as another thread calls them: each of these brings the call to the
 * session's thread, where the function of the same name runs it. far.c and server_far.c.
 */
#ifndef MCPW_FAR_H
#define MCPW_FAR_H

#include <mcpw/server.h>

/* Whether the caller is on another thread than the request's session. Then it calls the far one below. */
bool mcpw_request_is_far(const mcpw_request *request);

/* Runs a function on the session's thread, and waits for it. MCPW_E_THREAD, told to on_note by name, where
 * the request is not detached: then nothing of it may be looked at. */
mcpw_status mcpw_request_bring(mcpw_request *request, const char *name, void (*run)(void *argument),
                               void *argument, mcpw_error *error);

mcpw_status mcpw_far_respond(mcpw_request *request, const mcpw_type *type, const void *result,
                             mcpw_error *error);
mcpw_status mcpw_far_respond_json(mcpw_request *request, mcpw_json result, mcpw_error *error);
mcpw_status mcpw_far_respond_error(mcpw_request *request, int64_t code, const char *message, mcpw_json data);
mcpw_status mcpw_far_refuse(mcpw_request *request, const char *prefix, const mcpw_error *why);
mcpw_json mcpw_far_client_capabilities(mcpw_request *request);
bool mcpw_far_can(mcpw_request *request, const char *capability);
void mcpw_far_on_cancel(mcpw_request *request, void (*on_cancel)(void *user, mcpw_request *request),
                        void *user);
mcpw_status mcpw_far_progress(mcpw_request *request, double progress, double total, const char *message);
mcpw_status mcpw_far_log(mcpw_request *request, mcpw_log_level level, const char *logger, mcpw_json data);
mcpw_status mcpw_far_ask(mcpw_request *request, const char *key, const mcpw_revision *revision, int method,
                         const void *params, mcpw_result *result, mcpw_error *error);
mcpw_status mcpw_far_set_state(mcpw_request *request, mcpw_json state);
mcpw_status mcpw_far_return(mcpw_request *request, mcpw_status status);

/* server_far.c. The first is for all functions that take a request and one text. */
mcpw_status mcpw_far_text(mcpw_request *request, mcpw_status (*respond)(mcpw_request *, mcpw_str),
                          mcpw_str text);
mcpw_status mcpw_far_structured(mcpw_request *request, mcpw_json value);
mcpw_status mcpw_far_structured_value(mcpw_request *request, const void *value);
mcpw_status mcpw_far_tool_error(mcpw_request *request, const char *text);
mcpw_status mcpw_far_resource_text(mcpw_request *request, const char *mime_type, mcpw_str text);
mcpw_status mcpw_far_resource_bytes(mcpw_request *request, const char *mime_type, const void *bytes,
                                    size_t len);
mcpw_status mcpw_far_resource_not_found(mcpw_request *request);
mcpw_status mcpw_far_completion(mcpw_request *request, const mcpw_str *values, size_t count);

#endif
