/* SPDX-License-Identifier: MIT */
/*
 * The rules of the report. The library's policy (<mcpw/policy.h>) decides whether a message is allowed at its
 * position. This file has the rules that need the history of the conversation, and the rules of this tool.
 */
#include "rules.h"

#include "text.h"

#include <mcpw/codec.h>
#include <mcpw/detail/protocol.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 60, TWIN_SIZE = 24, INVALID_PARAMS = -32602 };

#define VERSION_POINTER "/params/_meta/io.modelcontextprotocol~1protocolVersion"
#define SUBSCRIPTION_POINTER "/params/_meta/io.modelcontextprotocol~1subscriptionId"

static const rule rules[RULE_COUNT] = {
#define RULES_ENTRY(id, code, severity, meaning) [RULE_##id] = {code, severity, meaning},
    RULES(RULES_ENTRY)
#undef RULES_ENTRY
};

const rule *rules_get(rule_id id) { return &rules[id]; }

const char *severity_name(severity of) {
    static const char *const names[SEVERITIES] = {[NOTE] = "note", [WARNING] = "warning", [ERROR] = "error"};
    return names[of];
}

void finding_set(finding *f, rule_id id, const char *pointer, const char *fmt, ...) {
    va_list args;
    f->rule = id;
    f->severity = rules[id].severity;
    f->status = MCPW_OK;
    f->offset = 0;
    (void)snprintf(f->pointer, sizeof f->pointer, "%s", pointer);
    va_start(args, fmt);
    (void)vsnprintf(f->message, sizeof f->message, fmt, args);
    va_end(args);
}

/* Prints a text of the peer in a message: the arguments for "%.*s%s". */
#define SHOW(s) (int)text_cut((s).ptr, (s).len, SHOWN), (s).ptr, ((s).len > SHOWN ? "..." : "")

static const char *side_name(side of) { return of == CLIENT ? "client" : "server"; }

static bool is_real(const mcpw_id *id) { return id->kind == MCPW_ID_STRING || id->kind == MCPW_ID_INTEGER; }

static bool is_method(const talk_message *m, const char *name) { return mcpw_str_is(m->method, name); }

/* ---- ids ---- */

static bool id_in_flight(talk *t, const talk_message *m, finding *f) {
    const open_request *const entry = requests_find(&t->parties[m->from].open, &m->id);
    const request_facts *const facts = entry != NULL ? entry->facts : NULL;
    if (entry == NULL || (facts != NULL && facts->cancelled)) {
        return false;
    }
    finding_set(f, RULE_ID_IN_FLIGHT, "/id",
                "a request of the %s with this id waits for its response: message %" PRIu64,
                side_name(m->from), facts != NULL ? facts->number : 0);
    return true;
}

static bool id_reused(talk *t, const talk_message *m, finding *f) {
    const party *const p = &t->parties[m->from];
    const open_request *const used = requests_find(&p->used, &m->id);
    if (!t->strict || used == NULL || used->marks[0] || requests_find(&p->open, &m->id) != NULL) {
        return false;
    }
    finding_set(f, RULE_ID_REUSED, "/id", "an earlier request of the %s had this id", side_name(m->from));
    return true;
}

/* The id that looks the same but has the other type. False: there is none. */
static bool twin_of(const mcpw_id *id, char buffer[TWIN_SIZE], mcpw_id *twin) {
    if (id->kind == MCPW_ID_INTEGER) {
        twin->kind = MCPW_ID_STRING;
        twin->as.string.ptr = buffer;
        twin->as.string.len = (size_t)snprintf(buffer, TWIN_SIZE, "%" PRId64, id->as.integer);
        return true;
    }
    const mcpw_json number = mcpw_json_of(id->as.string.ptr, id->as.string.len);
    twin->kind = MCPW_ID_INTEGER;
    return mcpw_json_int(number, &twin->as.integer) == MCPW_OK;
}

/* True if a response answers no open request. */
static bool is_unasked(const talk *t, const talk_message *m) {
    return is_real(&m->id) && m->answers == NULL && !t->parties[talk_other(m->from)].forgot;
}

static bool answer_again(talk *t, const talk_message *m, finding *f) {
    const side asker = talk_other(m->from);
    if (!is_unasked(t, m) || requests_find(&t->parties[asker].used, &m->id) == NULL) {
        return false;
    }
    finding_set(f, RULE_ANSWER_AGAIN, "/id", "the %s's request with this id has been answered",
                side_name(asker));
    return true;
}

static bool answer_unknown(talk *t, const talk_message *m, finding *f) {
    const party *const asker = &t->parties[talk_other(m->from)];
    const char *const name = side_name(talk_other(m->from));
    char buffer[TWIN_SIZE];
    mcpw_id twin;
    if (!is_unasked(t, m) || requests_find(&asker->used, &m->id) != NULL) {
        return false;
    }
    if (twin_of(&m->id, buffer, &twin) && requests_find(&asker->open, &twin) != NULL) {
        finding_set(f, RULE_ANSWER_UNKNOWN, "/id", "the %s's request has this id as a %s, not as a %s", name,
                    twin.kind == MCPW_ID_STRING ? "string" : "number",
                    twin.kind == MCPW_ID_STRING ? "number" : "string");
    } else {
        finding_set(f, RULE_ANSWER_UNKNOWN, "/id", "the %s has sent no request with this id", name);
    }
    return true;
}

/* Reports a response to a cancelled request. It may cross the cancellation, so only a much later one counts.
 */
static bool answer_cancelled(talk *t, const talk_message *m, finding *f) {
    enum { CROSSING = 1000 /* ms */ };
    const request_facts *const facts = m->answer_facts;
    if (facts == NULL || !facts->cancelled) {
        return false;
    }
    const uint64_t passed = t->now - facts->cancelled_at;
    const bool late = passed >= CROSSING;
    finding_set(f, RULE_ANSWER_CANCELLED, "/id",
                late ? "the %s cancelled this request %" PRIu64 " ms before"
                     : "the %s cancelled this request %" PRIu64 " ms before; the two may have crossed",
                side_name(talk_other(m->from)), passed);
    f->severity = late ? WARNING : f->severity;
    return true;
}

static bool answer_without_id(talk *t, const talk_message *m, finding *f) {
    const party *const asker = &t->parties[talk_other(m->from)];
    const char *const name = side_name(talk_other(m->from));
    if ((m->id.kind != MCPW_ID_NULL && m->id.kind != MCPW_ID_ABSENT) || asker->unreadable != 0) {
        return false;
    }
    if (asker->notifications != 0) {
        finding_set(f, RULE_ANSWER_NOTIFICATION, "",
                    "a response without an id, though the %s has sent nothing that could not be read: "
                    "notifications are not answered",
                    name);
        return true;
    }
    finding_set(f, RULE_ANSWER_NO_ID, "", "the %s has sent nothing whose id could not be read", name);
    return m->kind == MCPW_MESSAGE_ERROR; /* a result must have an id in any case */
}

/* ---- revisions ---- */

/* The revision that a message names, if any, and its pointer. */
static mcpw_str named_revision(talk *t, const talk_message *m, const char **pointer) {
    static const mcpw_str none = {NULL, 0};
    if (m->kind == MCPW_MESSAGE_REQUEST && is_method(m, "initialize")) {
        *pointer = "/params/protocolVersion";
        return glance_text(m->at[MCPW_AT_PROTOCOL_VERSION], &t->arena);
    }
    if (m->kind == MCPW_MESSAGE_RESULT && is_method(m, "initialize")) {
        *pointer = "/result/protocolVersion";
        return glance_string(m->at[MCPW_AT_RESULT], "protocolVersion", &t->arena);
    }
    *pointer = VERSION_POINTER;
    return m->kind == MCPW_MESSAGE_REQUEST ? m->named : none;
}

static bool version_other(talk *t, const talk_message *m, finding *f) {
    const char *pointer = NULL;
    const mcpw_str name = named_revision(t, m, &pointer);
    if (m->kind != MCPW_MESSAGE_RESULT || name.ptr == NULL || t->handshake != HANDSHAKE_ASKED ||
        mcpw_str_is(name, t->requested_name)) {
        return false;
    }
    finding_set(f, RULE_VERSION_OTHER, pointer, "the client asked for %s, the server offers %.*s%s",
                t->requested_name, SHOW(name));
    return true;
}

static bool version_forced(talk *t, const talk_message *m, finding *f) {
    const char *pointer = NULL;
    const mcpw_str name = named_revision(t, m, &pointer);
    const bool asks = m->kind == MCPW_MESSAGE_REQUEST && is_method(m, "initialize");
    if (t->forced == NULL || name.ptr == NULL || asks || mcpw_str_is(name, mcpw_revision_name(t->forced))) {
        return false;
    }
    finding_set(f, RULE_VERSION_FORCED, pointer,
                "this is revision %.*s%s, but messages are checked by %s (--revision)", SHOW(name),
                mcpw_revision_name(t->forced));
    return true;
}

static bool lists(talk *t, mcpw_json list, const char *name) {
    mcpw_json_iter it;
    mcpw_json item = {NULL, 0, 0};
    bool found = false;
    if (mcpw_json_kind_of(list) != MCPW_JSON_ARRAY || mcpw_json_iterate(list, &it) != MCPW_OK) {
        return false;
    }
    while (mcpw_json_next(&it, NULL, &item)) {
        found = found || mcpw_str_is(glance_text(item, &t->arena), name);
    }
    return found;
}

static bool version_refused(talk *t, const talk_message *m, finding *f) {
    const request_facts *const asked = m->answer_facts;
    int64_t code = 0;
    const mcpw_json data = glance_member(m->at[MCPW_AT_ERROR], "data");
    if (asked == NULL || !asked->stateless || mcpw_json_int(m->at[MCPW_AT_CODE], &code) != MCPW_OK ||
        code != mcpw_protocol_code(m->revision, MCPW_CODE_UNSUPPORTED_VERSION) || data.ptr == NULL) {
        return false;
    }
    if (lists(t, glance_member(data, "supported"), mcpw_revision_name(asked->revision))) {
        finding_set(f, RULE_VERSION_REFUSED, "/error/data/supported",
                    "revision %s is refused and listed as supported", mcpw_revision_name(asked->revision));
        return true;
    }
    const mcpw_str requested = glance_string(data, "requested", &t->arena);
    if (requested.ptr != NULL && !mcpw_str_is(requested, mcpw_revision_name(asked->revision))) {
        finding_set(f, RULE_VERSION_REFUSED, "/error/data/requested",
                    "the request named revision %s, not %.*s%s", mcpw_revision_name(asked->revision),
                    SHOW(requested));
        return true;
    }
    return false;
}

/* ---- cancelling and progress ---- */

static bool cancelled_unknown(talk *t, const talk_message *m, finding *f) {
    if (!is_method(m, "notifications/cancelled")) {
        return false;
    }
    const mcpw_id id = glance_id(m->at[MCPW_AT_REQUEST_ID], &t->arena);
    if (talk_cancels(t, m, &id) != NULL || !is_real(&id) || t->parties[m->from].forgot) {
        return false;
    }
    finding_set(f, RULE_CANCELLED_UNKNOWN, "/params/requestId",
                "no open request of the %s has this id; the response may have crossed it",
                side_name(m->from));
    return true;
}

static bool cancelled_early(talk *t, const talk_message *m, finding *f) {
    if (requests_find(&t->parties[m->from].early, &m->id) == NULL) {
        return false;
    }
    finding_set(f, RULE_CANCELLED_EARLY, "/id",
                "the %s has cancelled this id before it sent the request: it cannot be cancelled now",
                side_name(m->from));
    return true;
}

static bool progress(talk *t, const talk_message *m, finding *f) {
    double value = 0;
    if (!is_method(m, "notifications/progress")) {
        return false;
    }
    const party *const asker = &t->parties[talk_other(m->from)];
    const mcpw_id id = talk_token(t, m);
    const open_request *const entry = requests_find(&asker->tokens, &id);
    if (entry == NULL) {
        finding_set(f, RULE_PROGRESS_UNKNOWN, "/params/progressToken",
                    "no open request of the %s has this token", side_name(talk_other(m->from)));
        return is_real(&id) && !asker->forgot;
    }
    const token_facts *const facts = entry->facts;
    if (facts != NULL && facts->any &&
        mcpw_json_get_double(m->at[MCPW_AT_PARAMS], "progress", &value) == MCPW_OK &&
        value <= facts->progress) {
        finding_set(f, RULE_PROGRESS_ORDER, "/params/progress", "progress was %g before, and is now %g",
                    facts->progress, value);
        return true;
    }
    return false;
}

static bool progress_token(talk *t, const talk_message *m, finding *f) {
    const mcpw_id id = glance_id(m->at[MCPW_AT_PROGRESS_TOKEN], &t->arena);
    if (requests_find(&t->parties[m->from].tokens, &id) == NULL) {
        return false;
    }
    finding_set(f, RULE_PROGRESS_TOKEN, "/params/_meta/progressToken",
                "another open request of the %s has this token", side_name(m->from));
    return true;
}

/* ---- resources ---- */

/* -32602 means invalid params. Before 2026-07-28 a missing resource has its own code. */
static bool resource_code(talk *t, const talk_message *m, finding *f) {
    const int32_t wanted = mcpw_protocol_code(m->revision, MCPW_CODE_RESOURCE_NOT_FOUND);
    int64_t code = 0;
    (void)t;
    if (m->answer_facts == NULL || !m->answer_facts->valid || !is_method(m, "resources/read") ||
        wanted == 0 || mcpw_json_int(m->at[MCPW_AT_CODE], &code) != MCPW_OK || code != INVALID_PARAMS ||
        code == wanted) {
        return false;
    }
    finding_set(f, RULE_RESOURCE_CODE, "/error/code",
                "the params are valid; a missing resource is %" PRId32 " in revision %s", wanted,
                mcpw_revision_name(m->revision));
    return true;
}

/* ---- revisions without a handshake ---- */

/* Reported once for each server, because such a server omits it in all of its results. */
static bool server_info(talk *t, const talk_message *m, finding *f) {
    const bool reported = t->info_missed != NULL && *t->info_missed;
    if (!t->strict || reported || m->from != SERVER || m->answers == NULL ||
        mcpw_revision_has_handshake(m->revision) ||
        glance_member(glance_member(m->at[MCPW_AT_RESULT], "_meta"), META_SERVER_INFO).ptr != NULL) {
        return false;
    }
    if (t->info_missed != NULL) {
        *t->info_missed = true;
    }
    finding_set(f, RULE_SERVER_INFO, "/result/_meta",
                "the result does not name the server: no " META_SERVER_INFO);
    return true;
}

static bool log_unasked(talk *t, const talk_message *m, finding *f) {
    if (mcpw_revision_has_handshake(m->revision) || m->from != SERVER ||
        !is_method(m, "notifications/message") || t->parties[CLIENT].loggers != 0) {
        return false;
    }
    finding_set(f, RULE_LOG_UNASKED, "/method", "no open request has a log level in its _meta");
    return true;
}

/* True if a notification belongs to a subscription: it announces a change that a server can declare. */
static bool of_subscription(const talk_message *m) {
    bool by_sender = false;
    const char *const needed =
        m->entry != NULL ? mcpw_capability_of(m->revision, m->method_number, &by_sender) : NULL;
    return by_sender && strchr(needed, '.') != NULL;
}

static bool subscription(talk *t, const talk_message *m, finding *f) {
    const bool acknowledges = is_method(m, "notifications/subscriptions/acknowledged");
    if (mcpw_revision_has_handshake(m->revision) || m->from != SERVER ||
        (!acknowledges && !of_subscription(m))) {
        return false;
    }
    const mcpw_id id = talk_subscription(t, m);
    const open_request *const entry = requests_find(&t->parties[CLIENT].open, &id);
    const request_facts *const facts = entry != NULL && talk_listens(entry) ? entry->facts : NULL;
    if (facts == NULL || facts->ended) {
        finding_set(f, RULE_SUBSCRIPTION_ID, SUBSCRIPTION_POINTER,
                    facts != NULL  ? "the server has ended this subscription"
                    : is_real(&id) ? "no open subscriptions/listen has this id"
                                   : "the id of the subscription is missing");
        return !t->parties[CLIENT].forgot;
    }
    if (!facts->acknowledged && !acknowledges) {
        finding_set(f, RULE_SUBSCRIPTION_ORDER, "/method", "the subscription has not been acknowledged yet");
        return true;
    }
    return false;
}

/* ---- the library's policy ---- */

static mcpw_role role_of(side of) { return of == CLIENT ? MCPW_ROLE_CLIENT : MCPW_ROLE_SERVER; }

static mcpw_declared declared_by(const talk *t, const talk_message *m, side who) {
    const mcpw_declared declared = {talk_capabilities(t, m, who), NULL};
    return declared;
}

static mcpw_policy_state state_of(const talk *t, const talk_message *m) {
    static const mcpw_phase phases[] = {[HANDSHAKE_NONE] = MCPW_PHASE_NEW,
                                        [HANDSHAKE_ASKED] = MCPW_PHASE_ASKED,
                                        [HANDSHAKE_ANSWERED] = MCPW_PHASE_ANSWERED,
                                        [HANDSHAKE_DONE] = MCPW_PHASE_OPEN};
    const mcpw_policy_state state = {
        phases[t->handshake],      t->initialized, t->agreed, declared_by(t, m, CLIENT),
        declared_by(t, m, SERVER), t->library};
    return state;
}

static mcpw_policy_message message_of(talk *t, const talk_message *m) {
    const char *pointer = NULL;
    mcpw_policy_message out;
    memset(&out, 0, sizeof out);
    out.from = role_of(m->from);
    out.kind = m->kind;
    out.revision = m->revision;
    out.method = m->method_number;
    out.name = m->method;
    out.version = named_revision(t, m, &pointer);
    out.named = out.version.ptr != NULL ? glance_revision(out.version) : NULL;
    out.params = m->at[m->kind == MCPW_MESSAGE_RESULT ? MCPW_AT_RESULT : MCPW_AT_PARAMS];
    out.batched = m->batched;
    if (is_method(m, "notifications/cancelled")) {
        const mcpw_id id = glance_id(m->at[MCPW_AT_REQUEST_ID], &t->arena);
        const open_request *const entry = talk_cancels(t, m, &id);
        out.cancels = entry != NULL ? entry->answers[0].method : 0;
        out.cancels_task = entry != NULL && entry->answers[0].task;
    }
    return out;
}

/* Adds this tool's own text to a finding of the policy. */
static void add_to_finding(const talk *t, const talk_message *m, finding *f) {
    char *const end = f->message + strlen(f->message);
    const size_t room = sizeof f->message - strlen(f->message);
    if (f->rule == RULE_METHOD_UNKNOWN) {
        (void)snprintf(end, room, ": its params are not checked");
        f->severity = t->strict ? ERROR : f->severity;
    } else if (f->rule == RULE_VERSION_UNKNOWN) {
        const bool is_result = m->kind == MCPW_MESSAGE_RESULT;
        (void)snprintf(end, room, ": messages are checked by %s",
                       is_result ? mcpw_revision_name(talk_revision(t)) : mcpw_revision_name(m->revision));
    }
}

/* The pointer to the part of the message that a rule is about. */
static const char *pointer_of(talk *t, const talk_message *m, rule_id id) {
    const char *pointer = "/method";
    if (id == RULE_VERSION_UNKNOWN || id == RULE_VERSION_ERA || id == RULE_VERSION_MIXED) {
        (void)named_revision(t, m, &pointer);
    } else if (id == RULE_CANCELLED_INITIALIZE || id == RULE_CANCELLED_TASK) {
        pointer = "/params/requestId";
    }
    return pointer;
}

/* The policy's rules for those of the report. */
static const mcpw_rule policy_rules[RULE_COUNT] = {
    [RULE_METHOD_UNKNOWN] = MCPW_RULE_METHOD_UNKNOWN,
    [RULE_METHOD_REVISION] = MCPW_RULE_METHOD_REVISION,
    [RULE_DIRECTION] = MCPW_RULE_DIRECTION,
    [RULE_BATCH] = MCPW_RULE_BATCH,
    [RULE_BATCH_INITIALIZE] = MCPW_RULE_BATCH_INITIALIZE,
    [RULE_VERSION_UNKNOWN] = MCPW_RULE_VERSION_UNKNOWN,
    [RULE_VERSION_ERA] = MCPW_RULE_VERSION_ERA,
    [RULE_VERSION_MIXED] = MCPW_RULE_VERSION_MIXED,
    [RULE_BEFORE_INITIALIZE] = MCPW_RULE_BEFORE_INITIALIZE,
    [RULE_BEFORE_RESPONSE] = MCPW_RULE_BEFORE_RESPONSE,
    [RULE_INITIALIZED_MISSING] = MCPW_RULE_INITIALIZED_MISSING,
    [RULE_INITIALIZE_TWICE] = MCPW_RULE_INITIALIZE_TWICE,
    [RULE_INITIALIZED_ORDER] = MCPW_RULE_INITIALIZED_ORDER,
    [RULE_SERVER_EARLY] = MCPW_RULE_SERVER_EARLY,
    [RULE_CANCELLED_TASK] = MCPW_RULE_CANCELLED_TASK,
    [RULE_CANCELLED_INITIALIZE] = MCPW_RULE_CANCELLED_INITIALIZE,
    [RULE_CAPABILITY] = MCPW_RULE_CAPABILITY,
    [RULE_EXTENSION] = MCPW_RULE_EXTENSION,
};

mcpw_rule rules_policy(rule_id id) { return policy_rules[id]; }

/* A message and its state for the policy. */
typedef struct judged {
    mcpw_policy_state state;
    mcpw_policy_message message;
} judged;

/* True for rules that look up the method in the revision, which lacks the methods of overlays. */
static bool is_of_methods(rule_id id) {
    return id == RULE_METHOD_UNKNOWN || id == RULE_METHOD_REVISION || id == RULE_DIRECTION ||
           id == RULE_CAPABILITY;
}

static bool breaks_policy(talk *t, const talk_message *m, rule_id id, const judged *j, finding *f) {
    mcpw_verdict verdict;
    if ((id == RULE_VERSION_UNKNOWN && t->forced != NULL) || (m->brought != NULL && is_of_methods(id)) ||
        !mcpw_policy_breaks(policy_rules[id], &j->state, &j->message, &verdict)) {
        return false;
    }
    finding_set(f, id, pointer_of(t, m, id), "%s", verdict.text);
    add_to_finding(t, m, f);
    return true;
}

/* ---- overlays ---- */

static bool brought_direction(talk *t, const talk_message *m, finding *f) {
    (void)t;
    if (m->brought == NULL || (m->from == CLIENT ? m->brought->by_client : m->brought->by_server)) {
        return false;
    }
    finding_set(f, RULE_DIRECTION, "/method", "a %s does not send %.*s%s", side_name(m->from),
                SHOW(m->method));
    return true;
}

/* True if a side has declared its capabilities, but not this extension ("extensions.NAME"). */
static bool lacks_extension(const talk *t, const talk_message *m, side who, const char *capability) {
    const mcpw_json declared = talk_capabilities(t, m, who);
    const char *const dot = strchr(capability, '.');
    return declared.ptr != NULL && dot != NULL &&
           mcpw_json_kind_of(glance_member(glance_member(declared, "extensions"), dot + 1)) !=
               MCPW_JSON_OBJECT;
}

static bool brought_extension(talk *t, const talk_message *m, finding *f) {
    const bool is_result = m->kind == MCPW_MESSAGE_RESULT;
    overlay_use use;
    size_t at = 0;
    bool found = false;
    while (overlays_next_use(t->overlays, m->revision, m->method, is_result,
                             m->at[is_result ? MCPW_AT_RESULT : MCPW_AT_PARAMS], m->by_overlay, &at, &use)) {
        const bool client = lacks_extension(t, m, CLIENT, use.capability);
        const bool lacks = client || lacks_extension(t, m, SERVER, use.capability);
        if (!lacks && use.is_any) {
            return false;
        }
        if (lacks && !found) {
            found = true;
            finding_set(f, RULE_EXTENSION, use.pointer, "the %s has not declared the capability \"%s\"",
                        side_name(client ? CLIENT : SERVER), use.capability);
        }
    }
    return found;
}

bool rules_batch(const talk_message *m, finding *f) {
    const mcpw_policy_state state = {.phase = MCPW_PHASE_OPEN};
    mcpw_policy_message batch;
    mcpw_verdict verdict;
    memset(&batch, 0, sizeof batch);
    batch.from = role_of(m->from);
    batch.kind = MCPW_MESSAGE_BATCH;
    batch.revision = m->revision;
    if (!mcpw_policy_breaks(MCPW_RULE_BATCH, &state, &batch, &verdict)) {
        return false;
    }
    finding_set(f, RULE_BATCH, "", "%s", verdict.text);
    return true;
}

/* Checks the input requests inside an input_required result. */
static bool input_capability(talk *t, const talk_message *m, finding *f) {
    const mcpw_policy_state state = state_of(t, m);
    mcpw_policy_message input_request;
    mcpw_json_iter it;
    mcpw_json key = {NULL, 0, 0};
    mcpw_json request = {NULL, 0, 0};
    memset(&input_request, 0, sizeof input_request);
    input_request.from = role_of(m->from);
    input_request.kind = MCPW_MESSAGE_REQUEST;
    input_request.revision = m->revision;
    input_request.inside = true;
    if (mcpw_revision_has_handshake(m->revision) ||
        mcpw_json_iterate(glance_member(m->at[MCPW_AT_RESULT], "inputRequests"), &it) != MCPW_OK) {
        return false;
    }
    while (mcpw_json_next(&it, &key, &request)) {
        mcpw_verdict verdict;
        input_request.name = glance_string(request, "method", &t->arena);
        input_request.params = glance_member(request, "params");
        if (input_request.name.ptr != NULL &&
            mcpw_policy_breaks(MCPW_RULE_CAPABILITY, &state, &input_request, &verdict)) {
            finding_set(f, RULE_CAPABILITY, "/result/inputRequests", "%.*s: %s",
                        (int)text_cut(key.ptr, key.len, SHOWN), key.ptr, verdict.text);
            return true;
        }
    }
    return false;
}

/* ---- the table ---- */

enum {
    REQUEST = 1U << MCPW_MESSAGE_REQUEST,
    NOTIFICATION = 1U << MCPW_MESSAGE_NOTIFICATION,
    RESULT = 1U << MCPW_MESSAGE_RESULT,
    ERROR_ANSWER = 1U << MCPW_MESSAGE_ERROR
};

#define POLICY(id) NULL, RULE_##id
#define OWN(function) function, RULE_COUNT

/* The checks in the order of the report, and the messages that they apply to. Rules without a function belong
 * to the policy. */
static const struct {
    bool (*breaks)(talk *t, const talk_message *m, finding *f);
    rule_id policy;
    unsigned kinds;
} checks[] = {
    {POLICY(METHOD_UNKNOWN), REQUEST | NOTIFICATION},
    {POLICY(METHOD_REVISION), REQUEST | NOTIFICATION},
    {POLICY(DIRECTION), REQUEST | NOTIFICATION},
    {OWN(brought_direction), REQUEST | NOTIFICATION},
    {POLICY(BATCH_INITIALIZE), REQUEST},
    {OWN(id_in_flight), REQUEST},
    {OWN(id_reused), REQUEST},
    {OWN(answer_unknown), RESULT | ERROR_ANSWER},
    {OWN(answer_again), RESULT | ERROR_ANSWER},
    {OWN(answer_cancelled), RESULT | ERROR_ANSWER},
    {OWN(answer_without_id), RESULT | ERROR_ANSWER},
    {POLICY(VERSION_UNKNOWN), REQUEST | RESULT},
    {OWN(version_other), RESULT},
    {POLICY(VERSION_ERA), REQUEST | RESULT},
    {POLICY(VERSION_MIXED), REQUEST},
    {OWN(version_forced), REQUEST | RESULT},
    {OWN(version_refused), ERROR_ANSWER},
    {POLICY(BEFORE_INITIALIZE), REQUEST},
    {POLICY(BEFORE_RESPONSE), REQUEST},
    {POLICY(INITIALIZED_MISSING), REQUEST},
    {POLICY(INITIALIZE_TWICE), REQUEST},
    {POLICY(INITIALIZED_ORDER), NOTIFICATION},
    {POLICY(SERVER_EARLY), REQUEST},
    {OWN(cancelled_unknown), NOTIFICATION},
    {POLICY(CANCELLED_TASK), NOTIFICATION},
    {POLICY(CANCELLED_INITIALIZE), NOTIFICATION},
    {OWN(cancelled_early), REQUEST},
    {OWN(progress), NOTIFICATION},
    {OWN(progress_token), REQUEST},
    {POLICY(CAPABILITY), REQUEST | NOTIFICATION},
    {POLICY(EXTENSION), REQUEST | NOTIFICATION | RESULT},
    {OWN(brought_extension), REQUEST | NOTIFICATION | RESULT},
    {OWN(input_capability), RESULT},
    {OWN(resource_code), ERROR_ANSWER},
    {OWN(server_info), RESULT},
    {OWN(log_unasked), NOTIFICATION},
    {OWN(subscription), NOTIFICATION},
};

void rules_check(talk *t, const talk_message *m, void (*on_finding)(void *user, const finding *f),
                 void *user) {
    const judged j = {state_of(t, m), message_of(t, m)};
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        finding f;
        if ((checks[i].kinds & 1U << m->kind) == 0) {
            continue;
        }
        if (checks[i].breaks != NULL ? checks[i].breaks(t, m, &f)
                                     : breaks_policy(t, m, checks[i].policy, &j, &f)) {
            on_finding(user, &f);
        }
    }
}
