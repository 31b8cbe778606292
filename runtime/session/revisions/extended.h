/* SPDX-License-Identifier: MIT */
/*
 * The code that only ends with extensions or middleware need. mcpw_extensions has it as a table, which
 * registration puts there. Nothing else refers to that code, so a program without extensions and middleware
 * links none of it.
 */
#ifndef MCPW_EXTENDED_H
#define MCPW_EXTENDED_H

#include "../core/core.h"
#include "../core/registry.h"

struct mcpw_received; /* ../calls/received.h */
#include <mcpw/detail/protocol_table.h>

struct mcpw_extended {
    /* How requests of the peer are served. */
    const mcpw_rerun_callbacks *rerun;

    /* ---- Endpoints: extension_check.h, extension_bind.h ---- */
    mcpw_status (*add_revisions)(const mcpw_extensions *set, mcpw_library *library, mcpw_error *error);
    bool (*bring)(const mcpw_extensions *set, const mcpw_revision *revision);
    mcpw_status (*declare)(mcpw_endpoint *endpoint, mcpw_error *error);
    mcpw_status (*bind)(mcpw_endpoint *endpoint, mcpw_profile *profile, mcpw_error *error);
    mcpw_status (*check)(mcpw_endpoint *endpoint, mcpw_error *error);
    void (*free)(mcpw_extensions *set);

    /* The scopes of messages: extension_scopes.h. */
    mcpw_status (*need)(const mcpw_extensions *set, mcpw_str method, const mcpw_message_envelope *envelope,
                        mcpw_need_scopes *need, void *user);

    /* Whether an extension answers a request that the revision has in its core. */
    bool (*is_in_core)(const mcpw_endpoint *endpoint, const mcpw_profile *profile, mcpw_str name);

    /* ---- Subscriptions: ../subscriptions/custom_filter.h ---- */
    mcpw_status (*read_filters)(mcpw_request *request, mcpw_field asked, mcpw_filter *filter);
    void (*end_filters)(mcpw_filter *filter);

    /* ---- Messages of the peer: ../connection/extended_session.h, custom.h ---- */
    bool (*admits)(mcpw_request *request);
    void (*take)(mcpw_request *request, bool *admitted, mcpw_verdict *verdict);
    void (*take_notification)(mcpw_session *session, mcpw_request *transport);

    /* ---- Responses to them: ../requests/respond_extended.h ---- */
    mcpw_status (*respond)(mcpw_request *request, const mcpw_type *type, const void *result,
                           mcpw_error *error);
    mcpw_status (*check_text)(mcpw_request *request, mcpw_json result, mcpw_error *error);
    mcpw_status (*pass_value)(mcpw_request *request, const mcpw_type *type, const void *result, bool bare,
                              mcpw_error *error);
    mcpw_status (*pass_text)(mcpw_request *request, const mcpw_type *type, mcpw_json result,
                             mcpw_error *error);
    mcpw_status (*pass_error)(mcpw_request *request, const mcpw_rpc_error *error);
    void (*begin_written)(mcpw_written *written, mcpw_request *request);
    mcpw_status (*end_written)(mcpw_written *written);

    /* ---- Messages of this end: ../requests/passing.h, ../calls/extended_call.h ---- */
    mcpw_status (*pass_notification)(mcpw_session *session, const mcpw_profile *profile,
                                     const mcpw_message *message, const mcpw_route *route, mcpw_error *error);
    const mcpw_custom *(*numbered)(const mcpw_session *session, const mcpw_revision *revision, int method);
    mcpw_status (*notify)(mcpw_session *session, const mcpw_custom *custom, const void *params,
                          mcpw_error *error);
    mcpw_status (*send)(mcpw_pending *pending, const void *params, mcpw_error *error);
    mcpw_status (*pass_sent)(mcpw_pending *pending, const mcpw_profile *profile, const mcpw_message *message,
                             const mcpw_route *route, mcpw_error *error);
    mcpw_status (*pass_reply)(mcpw_pending *pending, mcpw_request *transport, mcpw_error *error);
    void (*reply)(mcpw_pending *pending, mcpw_request *transport);
    bool (*read_added)(mcpw_session *session, struct mcpw_received *text, const mcpw_error *why,
                       mcpw_request *transport);
    bool (*reply_added)(mcpw_pending *pending, mcpw_request *transport);
    void (*take_result)(mcpw_pending *pending, const mcpw_type *type, const void *value, mcpw_arena *arena);
    bool (*holds)(mcpw_pending *pending, const void *params);
    mcpw_status (*add_members)(mcpw_pending *pending, const mcpw_type *type, const void **params,
                               mcpw_error *error);
    void (*end_state)(mcpw_pending *pending);
    const mcpw_topic *(*topic)(const mcpw_session *session, const char *filter);
    void (*end_passage)(mcpw_passage *passage);
};

#endif
