/* SPDX-License-Identifier: MIT */
/*
 * The public functions of requests, as another thread calls them. Each of these brings the call to the
 * session's thread. There its first argument runs, which is the function that called it. They stand in post.c
 * and server_post.c.
 */
#ifndef MCPW_POST_H
#define MCPW_POST_H

#include "registry.h"

mcpw_status
mcpw_post_respond(mcpw_status (*to)(mcpw_request *, const mcpw_type *, const void *, mcpw_error *),
                  mcpw_request *request, const mcpw_type *type, const void *result, mcpw_error *error);
mcpw_status mcpw_post_respond_json(mcpw_status (*to)(mcpw_request *, mcpw_json, mcpw_error *),
                                   mcpw_request *request, mcpw_json result, mcpw_error *error);
mcpw_status mcpw_post_respond_error(mcpw_status (*to)(mcpw_request *, int64_t, const char *, mcpw_json),
                                    mcpw_request *request, int64_t code, const char *message, mcpw_json data);
mcpw_status mcpw_post_refuse(mcpw_status (*to)(mcpw_request *, const char *, const mcpw_error *),
                             mcpw_request *request, const char *prefix, const mcpw_error *why);
mcpw_json mcpw_post_client_capabilities(mcpw_json (*to)(mcpw_request *), mcpw_request *request);
bool mcpw_post_can(bool (*to)(mcpw_request *, const char *), mcpw_request *request, const char *capability);
void mcpw_post_on_cancel(void (*to)(mcpw_request *, void (*)(void *, mcpw_request *), void *),
                         mcpw_request *request, void (*on_cancel)(void *user, mcpw_request *request),
                         void *user);
mcpw_status mcpw_post_progress(mcpw_status (*to)(mcpw_request *, double, double, const char *),
                               mcpw_request *request, double progress, double total, const char *message);
mcpw_status mcpw_post_log(mcpw_status (*to)(mcpw_request *, mcpw_log_level, const char *, mcpw_json),
                          mcpw_request *request, mcpw_log_level level, const char *logger, mcpw_json data);
mcpw_status mcpw_post_ask(mcpw_status (*to)(mcpw_request *, const char *, const mcpw_revision *, int,
                                            const void *, mcpw_result *, mcpw_error *),
                          mcpw_request *request, const char *key, const mcpw_revision *revision, int method,
                          const void *params, mcpw_result *result, mcpw_error *error);
mcpw_status mcpw_post_set_state(mcpw_status (*to)(mcpw_request *, mcpw_json), mcpw_request *request,
                                mcpw_json state);
mcpw_status mcpw_post_return(mcpw_status (*to)(mcpw_request *, mcpw_status), mcpw_request *request,
                             mcpw_status status);

/* In server_post.c. The first is for all functions that take a request and one text; `name` is the
 * function's.
 */
mcpw_status mcpw_post_text(mcpw_status (*to)(mcpw_request *, mcpw_str), const char *name,
                           mcpw_request *request, mcpw_str text);
mcpw_status mcpw_post_structured(mcpw_status (*to)(mcpw_request *, mcpw_json), mcpw_request *request,
                                 mcpw_json value);
mcpw_status mcpw_post_structured_value(mcpw_status (*to)(mcpw_request *, const void *), mcpw_request *request,
                                       const void *value);
mcpw_status mcpw_post_tool_error(mcpw_status (*to)(mcpw_request *, const char *), mcpw_request *request,
                                 const char *text);
mcpw_status mcpw_post_resource_text(mcpw_status (*to)(mcpw_request *, const char *, mcpw_str),
                                    mcpw_request *request, const char *mime_type, mcpw_str text);
mcpw_status mcpw_post_resource_bytes(mcpw_status (*to)(mcpw_request *, const char *, const void *, size_t),
                                     mcpw_request *request, const char *mime_type, const void *bytes,
                                     size_t len);
mcpw_status mcpw_post_resource_not_found(mcpw_status (*to)(mcpw_request *), mcpw_request *request);
mcpw_status mcpw_post_completion(mcpw_status (*to)(mcpw_request *, const mcpw_str *, size_t),
                                 mcpw_request *request, const mcpw_str *values, size_t count);

#endif
