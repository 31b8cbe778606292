/* SPDX-License-Identifier: MIT */
/* Hands the state of a session and the message at hand to the policy. */
#include "judge.h"

#include <mcpw/detail/catalogue.h>

#include "declared.h"

/* How far the handshake is, for a message in a profile. A server may be asked in revisions without one before
 * it and beside it. A client has had one when it knows its server. */
static mcpw_phase phase_of(const mcpw_session *session, const mcpw_profile *profile) {
    if (mcpw_is_server(session) ? profile->modern : session->era == MCPW_ERA_MODERN) {
        return MCPW_PHASE_NONE;
    }
    if (session->era != MCPW_ERA_LEGACY) {
        return MCPW_PHASE_NEW;
    }
    return session->open ? MCPW_PHASE_OPEN : MCPW_PHASE_ANSWERED;
}

static mcpw_policy_message message_of(mcpw_role from, const mcpw_profile *profile, mcpw_message_kind kind,
                                      int method) {
    mcpw_policy_message message = {0};
    message.from = from;
    message.kind = kind;
    message.revision = profile->revision;
    message.method = method;
    return message;
}

unsigned mcpw_judge_phases(const mcpw_profile *profile, int method) {
    static const mcpw_phase phases[] = {MCPW_PHASE_NONE, MCPW_PHASE_OPEN};
    unsigned admitted = 0;
    if ((mcpw_method_flags(mcpw_method_entry(profile->revision, method)) & MCPW_METHOD_EXTENDED) != 0) {
        return 0; /* it depends on what the request declares */
    }
    mcpw_verdict verdict;
    mcpw_policy_message message = message_of(MCPW_ROLE_CLIENT, profile, MCPW_MESSAGE_REQUEST, method);
    message.name = mcpw_method_name(profile->revision, method);
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        const mcpw_policy_state state = {.phase = phases[i]};
        admitted |= mcpw_policy_admits(&state, &message, &verdict) ? 1U << phases[i] : 0U;
    }
    return admitted;
}

bool mcpw_judge_received(const mcpw_session *session, const mcpw_profile *profile, const mcpw_message *m,
                         bool batched, mcpw_declared client, mcpw_verdict *out) {
    if (m->kind == MCPW_MESSAGE_REQUEST && !batched &&
        (profile->bindings[m->method].admitted & 1U << phase_of(session, profile)) != 0) {
        return true;
    }
    mcpw_policy_state state = {.phase = phase_of(session, profile), .library = session->config->library};
    mcpw_policy_message message; /* set member by member: clearing all of it costs more than the rest */
    message.from = mcpw_peer_role(session);
    message.kind = m->kind;
    message.revision = profile->revision;
    message.method = m->method;
    message.name = m->method_name;
    message.version = no_str;
    message.named = NULL;
    message.params = no_json;
    message.type = m->type;
    message.value = m->value;
    message.batched = batched;
    message.inside = false;
    message.cancels = 0;
    message.cancels_task = false;
    if (mcpw_is_server(session)) {
        state.client = client; /* whoever serves a method serves it, so its own are left out */
    } else {
        state.client.text = session->declared;
    }
    return mcpw_policy_admits(&state, &message, out);
}

bool mcpw_judge(const mcpw_session *session, const mcpw_profile *profile, unsigned rules, const mcpw_case *c,
                mcpw_verdict *out) {
    static const mcpw_json nothing = {"{}", sizeof "{}" - 1, 0};
    const bool is_extension = rules == MCPW_RULES_EXTENSION;
    const bool is_clients =
        is_extension || (c->kind == MCPW_MESSAGE_REQUEST) == (c->from == MCPW_ROLE_SERVER);
    mcpw_policy_state state = {.phase = phase_of(session, profile), .library = session->config->library};
    mcpw_declared *const declared = is_clients ? &state.client : &state.server;
    const int method = c->cancels != 0 ? profile->number[MCPW_OWN_CANCELLED] : c->method;
    mcpw_policy_message message = message_of(c->from, profile, c->kind, method);
    mcpw_verdict ignored;
    *declared = c->declared;
    declared->text = declared->text.ptr != NULL ? declared->text : nothing;
    if (is_extension && !mcpw_is_server(session)) {
        state.server = mcpw_peer_declared(session); /* a server that serves a method serves it */
    }
    message.inside = c->inside;
    message.cancels = c->cancels;
    message.cancels_task = c->cancels_task;
    message.type = c->type;
    message.value = c->value;
    message.params = c->raw;
    for (int rule = 0; rules >> rule != 0; rule++) {
        if ((rules >> rule & 1U) != 0 &&
            mcpw_policy_breaks((mcpw_rule)rule, &state, &message, out != NULL ? out : &ignored)) {
            return false;
        }
    }
    return true;
}

bool mcpw_judge_version(const mcpw_profile *newest, mcpw_str method, mcpw_str version,
                        const mcpw_profile *named, mcpw_verdict *out) {
    const mcpw_policy_state state = {.phase = MCPW_PHASE_NONE};
    mcpw_policy_message message = message_of(MCPW_ROLE_CLIENT, newest, MCPW_MESSAGE_REQUEST, 0);
    message.name = method;
    message.version = version;
    message.named = named != NULL ? named->revision : NULL;
    return (!mcpw_policy_breaks(MCPW_RULE_VERSION_UNKNOWN, &state, &message, out) &&
            !mcpw_policy_breaks(MCPW_RULE_VERSION_ERA, &state, &message, out)) ||
           out->reaction == MCPW_REACTION_TAKE;
}
