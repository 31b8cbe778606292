/* SPDX-License-Identifier: MIT */
#include "rules.h"

#include "glance.h"
#include "text.h"

#include <mcpw/codec.h>

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
    (void)snprintf(f->pointer, sizeof f->pointer, "%s", pointer);
    va_start(args, fmt);
    (void)vsnprintf(f->message, sizeof f->message, fmt, args);
    va_end(args);
}

/* A text of the peer's in a message of ours: the arguments for "%.*s%s". */
#define SHOW(s) (int)text_cut((s).ptr, (s).len, SHOWN), (s).ptr, ((s).len > SHOWN ? "..." : "")

static const char *side_name(side of) { return of == CLIENT ? "client" : "server"; }

static bool is_real(const mcpw_id *id) { return id->kind == MCPW_ID_STRING || id->kind == MCPW_ID_INTEGER; }

static bool is_method(const talk_message *m, const char *name) { return mcpw_str_is(m->method, name); }

/* The rules of a session that begins with initialize hold for this message. */
static bool has_handshake(const talk_message *m) {
    return m->named.ptr == NULL && talk_has_handshake(m->revision);
}

/* ---- methods ---- */

/* A revision that has a method; NULL when none has. */
static const mcpw_revision *revision_with(mcpw_str method) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    while (count-- > 0) {
        if (mcpw_method_number(all[count], method.ptr, method.len) != 0) {
            return all[count];
        }
    }
    return NULL;
}

static bool method_unknown(talk *t, const talk_message *m, finding *f) {
    if (m->entry != NULL || revision_with(m->method) != NULL) {
        return false;
    }
    finding_set(f, RULE_METHOD_UNKNOWN, "/method",
                "no revision has a method \"%.*s%s\": its params are not checked", SHOW(m->method));
    f->severity = t->strict ? ERROR : f->severity;
    return true;
}

static bool method_revision(talk *t, const talk_message *m, finding *f) {
    const mcpw_revision *const other = m->entry == NULL ? revision_with(m->method) : NULL;
    (void)t;
    if (other == NULL) {
        return false;
    }
    finding_set(f, RULE_METHOD_REVISION, "/method", "revision %s has no method \"%.*s%s\"; %s has it",
                m->revision->name, SHOW(m->method), other->name);
    return true;
}

static bool direction(talk *t, const talk_message *m, finding *f) {
    const unsigned flag = m->from == CLIENT ? MCPW_METHOD_FROM_CLIENT : MCPW_METHOD_FROM_SERVER;
    (void)t;
    if (m->entry == NULL) {
        return false;
    }
    if ((m->entry->flags & MCPW_METHOD_INPUT) != 0) {
        finding_set(f, RULE_DIRECTION, "/method",
                    "in revision %s \"%.*s%s\" travels inside an input_required result, not as a message",
                    m->revision->name, SHOW(m->method));
        return true;
    }
    if ((m->entry->flags & flag) == 0) {
        finding_set(f, RULE_DIRECTION, "/method", "in revision %s \"%.*s%s\" is not sent by a %s",
                    m->revision->name, SHOW(m->method), side_name(m->from));
        return true;
    }
    return false;
}

static bool batch_initialize(talk *t, const talk_message *m, finding *f) {
    (void)t;
    if (!m->batched || !is_method(m, "initialize")) {
        return false;
    }
    finding_set(f, RULE_BATCH_INITIALIZE, "/method",
                "initialize is a message of its own, not one of a batch");
    return true;
}

/* ---- ids ---- */

static bool id_in_flight(talk *t, const talk_message *m, finding *f) {
    const open_request *const entry = requests_find(&t->parties[m->from].open, &m->id);
    const request_facts *const facts = entry != NULL ? entry->facts : NULL;
    if (entry == NULL || (facts != NULL && facts->cancelled)) {
        return false;
    }
    finding_set(f, RULE_ID_IN_FLIGHT, "/id",
                "a request of the %s with this id waits for its answer: message %" PRIu64, side_name(m->from),
                facts != NULL ? facts->number : 0);
    return true;
}

static bool id_reused(talk *t, const talk_message *m, finding *f) {
    const party *const p = &t->parties[m->from];
    if (!t->strict || requests_find(&p->used, &m->id) == NULL || requests_find(&p->open, &m->id) != NULL) {
        return false;
    }
    finding_set(f, RULE_ID_REUSED, "/id", "an earlier request of the %s had this id", side_name(m->from));
    return true;
}

/* The id that looks the same and is of the other type. False: there is none. */
static bool twin_of(const mcpw_id *id, char buffer[TWIN_SIZE], mcpw_id *twin) {
    if (id->kind == MCPW_ID_INTEGER) {
        twin->kind = MCPW_ID_STRING;
        twin->as.string.ptr = buffer;
        twin->as.string.len = (size_t)snprintf(buffer, TWIN_SIZE, "%" PRId64, id->as.integer);
        return true;
    }
    const mcpw_json number = {id->as.string.ptr, id->as.string.len};
    twin->kind = MCPW_ID_INTEGER;
    return mcpw_json_int(number, &twin->as.integer) == MCPW_OK;
}

/* An answer to nothing that is open. */
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

/* An answer may cross the cancellation. One that comes much later was made in spite of it. */
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
                    "an answer without an id, though the %s has sent nothing that could not be read: "
                    "notifications are not answered",
                    name);
        return true;
    }
    finding_set(f, RULE_ANSWER_NO_ID, "", "the %s has sent nothing whose id could not be read", name);
    return m->kind == MCPW_MESSAGE_ERROR; /* a result must have an id in any case */
}

/* ---- revisions ---- */

/* The revision that a message names, if it names one, and where. */
static mcpw_str named_revision(talk *t, const talk_message *m, const char **pointer) {
    static const mcpw_str none = {NULL, 0};
    if (m->kind == MCPW_MESSAGE_REQUEST && is_method(m, "initialize")) {
        *pointer = "/params/protocolVersion";
        return talk_string(t, m->params, "protocolVersion");
    }
    if (m->kind == MCPW_MESSAGE_RESULT && is_method(m, "initialize")) {
        *pointer = "/result/protocolVersion";
        return talk_string(t, m->result, "protocolVersion");
    }
    *pointer = VERSION_POINTER;
    return m->kind == MCPW_MESSAGE_REQUEST ? m->named : none;
}

static bool version_unknown(talk *t, const talk_message *m, finding *f) {
    const char *pointer = NULL;
    const mcpw_str name = named_revision(t, m, &pointer);
    if (name.ptr == NULL || t->forced != NULL || glance_revision(name) != NULL) {
        return false;
    }
    const bool result = m->kind == MCPW_MESSAGE_RESULT;
    finding_set(f, RULE_VERSION_UNKNOWN, pointer,
                "revision \"%.*s%s\" is not known here: messages are checked by %s", SHOW(name),
                result ? talk_revision(t)->name : m->revision->name);
    return true;
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

static bool version_era(talk *t, const talk_message *m, finding *f) {
    const char *pointer = NULL;
    const mcpw_str name = named_revision(t, m, &pointer);
    const mcpw_revision *const named = name.ptr != NULL ? glance_revision(name) : NULL;
    const bool initialize = is_method(m, "initialize");
    if (named == NULL || talk_has_handshake(named) == initialize || (!initialize && t->agreed != NULL)) {
        return false;
    }
    finding_set(f, RULE_VERSION_ERA, pointer,
                initialize ? "revision %s is named with each request in _meta; it has no initialize"
                           : "revision %s is agreed on by initialize, not named in _meta",
                named->name);
    return true;
}

static bool version_mixed(talk *t, const talk_message *m, finding *f) {
    if (t->agreed == NULL || m->named.ptr == NULL || is_method(m, "initialize") ||
        mcpw_str_is(m->named, t->agreed->name)) {
        return false;
    }
    finding_set(f, RULE_VERSION_MIXED, VERSION_POINTER,
                "_meta names revision %.*s%s, but initialize agreed on %s", SHOW(m->named), t->agreed->name);
    return true;
}

static bool version_forced(talk *t, const talk_message *m, finding *f) {
    const char *pointer = NULL;
    const mcpw_str name = named_revision(t, m, &pointer);
    const bool asks = m->kind == MCPW_MESSAGE_REQUEST && is_method(m, "initialize");
    if (t->forced == NULL || name.ptr == NULL || asks || mcpw_str_is(name, t->forced->name)) {
        return false;
    }
    finding_set(f, RULE_VERSION_FORCED, pointer,
                "this is revision %.*s%s, but messages are checked by %s (--revision)", SHOW(name),
                t->forced->name);
    return true;
}

static bool lists(talk *t, mcpw_json list, const char *name) {
    mcpw_json_iter it;
    mcpw_json item = {NULL, 0};
    mcpw_str text = {NULL, 0};
    bool found = false;
    if (mcpw_json_kind_of(list) != MCPW_JSON_ARRAY || mcpw_json_iterate(list, &it) != MCPW_OK) {
        return false;
    }
    while (mcpw_json_next(&it, NULL, &item)) {
        found = found || (mcpw_json_string(item, &t->arena, &text) == MCPW_OK && mcpw_str_is(text, name));
    }
    return found;
}

static bool version_refused(talk *t, const talk_message *m, finding *f) {
    const request_facts *const asked = m->answer_facts;
    int64_t code = 0;
    mcpw_json data = {NULL, 0};
    mcpw_json supported = {NULL, 0};
    if (asked == NULL || !asked->stateless || mcpw_json_get_int(m->error, "code", &code) != MCPW_OK ||
        code != m->revision->role_codes[MCPW_CODE_UNSUPPORTED_VERSION] ||
        mcpw_json_get(m->error, "data", &data) != MCPW_OK) {
        return false;
    }
    if (mcpw_json_get(data, "supported", &supported) == MCPW_OK &&
        lists(t, supported, asked->revision->name)) {
        finding_set(f, RULE_VERSION_REFUSED, "/error/data/supported",
                    "revision %s is refused and listed as supported", asked->revision->name);
        return true;
    }
    const mcpw_str requested = talk_string(t, data, "requested");
    if (requested.ptr != NULL && !mcpw_str_is(requested, asked->revision->name)) {
        finding_set(f, RULE_VERSION_REFUSED, "/error/data/requested",
                    "the request named revision %s, not %.*s%s", asked->revision->name, SHOW(requested));
        return true;
    }
    return false;
}

/* ---- the beginning of a session ---- */

/* A request of the client's that has to wait for initialize. */
static bool waits_for_initialize(const talk_message *m) {
    return m->from == CLIENT && has_handshake(m) && !is_method(m, "initialize") && !is_method(m, "ping");
}

static bool before_initialize(talk *t, const talk_message *m, finding *f) {
    if (t->handshake == HANDSHAKE_NONE && waits_for_initialize(m)) {
        finding_set(f, RULE_BEFORE_INITIALIZE, "/method",
                    "the client has not sent initialize, nor does _meta name a revision");
        return true;
    }
    return false;
}

static bool before_answer(talk *t, const talk_message *m, finding *f) {
    if (t->handshake == HANDSHAKE_ASKED && waits_for_initialize(m)) {
        finding_set(f, RULE_BEFORE_ANSWER, "/method", "the server has not yet answered initialize");
        return true;
    }
    return false;
}

static bool initialized_missing(talk *t, const talk_message *m, finding *f) {
    if (t->handshake == HANDSHAKE_ANSWERED && waits_for_initialize(m)) {
        finding_set(f, RULE_INITIALIZED_MISSING, "/method",
                    "the client has not sent notifications/initialized");
        return true;
    }
    return false;
}

static bool initialize_twice(talk *t, const talk_message *m, finding *f) {
    if (m->from == CLIENT && is_method(m, "initialize") && t->handshake != HANDSHAKE_NONE) {
        finding_set(f, RULE_INITIALIZE_TWICE, "/method", "the client has sent initialize before");
        return true;
    }
    return false;
}

static bool initialized_order(talk *t, const talk_message *m, finding *f) {
    const bool early = t->handshake == HANDSHAKE_NONE || t->handshake == HANDSHAKE_ASKED;
    if (m->from != CLIENT || !has_handshake(m) || !is_method(m, "notifications/initialized") ||
        (!early && !t->initialized)) {
        return false;
    }
    finding_set(f, RULE_INITIALIZED_ORDER, "/method",
                early ? "the server has not answered initialize with a result"
                      : "the client has sent notifications/initialized before");
    return true;
}

static bool server_early(talk *t, const talk_message *m, finding *f) {
    if (m->from == SERVER && has_handshake(m) && t->handshake != HANDSHAKE_DONE && !is_method(m, "ping")) {
        finding_set(f, RULE_SERVER_EARLY, "/method", "the client has not sent notifications/initialized");
        return true;
    }
    return false;
}

/* ---- cancelling and progress ---- */

static bool cancelled(talk *t, const talk_message *m, finding *f) {
    if (!is_method(m, "notifications/cancelled")) {
        return false;
    }
    const mcpw_id id = talk_id(t, m->params, "requestId");
    const open_request *const entry = talk_cancels(t, m, &id);
    const request_facts *const facts = entry != NULL ? entry->facts : NULL;
    if (entry == NULL) {
        finding_set(f, RULE_CANCELLED_UNKNOWN, "/params/requestId",
                    "no open request of the %s has this id; the answer may have crossed it",
                    side_name(m->from));
        return is_real(&id) && !t->parties[m->from].forgot;
    }
    if (entry->answers[0].task) {
        finding_set(f, RULE_CANCELLED_TASK, "/params/requestId",
                    "the request asked for a task, which tasks/cancel cancels");
        return true;
    }
    if (facts != NULL &&
        mcpw_str_is(mcpw_method_name(facts->revision, entry->answers[0].method), "initialize")) {
        finding_set(f, RULE_CANCELLED_INITIALIZE, "/params/requestId", "this is the id of initialize");
        return true;
    }
    return false;
}

static bool cancelled_early(talk *t, const talk_message *m, finding *f) {
    if (requests_find(&t->parties[m->from].early, &m->id) == NULL) {
        return false;
    }
    finding_set(f, RULE_CANCELLED_EARLY, "/id",
                "the %s has cancelled this id before it sent the request: nobody can give it up now",
                side_name(m->from));
    return true;
}

static bool progress(talk *t, const talk_message *m, finding *f) {
    double value = 0;
    if (!is_method(m, "notifications/progress")) {
        return false;
    }
    const party *const asker = &t->parties[talk_other(m->from)];
    const mcpw_id id = talk_id(t, m->params, "progressToken");
    const open_request *const entry = requests_find(&asker->tokens, &id);
    if (entry == NULL) {
        finding_set(f, RULE_PROGRESS_UNKNOWN, "/params/progressToken",
                    "no open request of the %s has this token", side_name(talk_other(m->from)));
        return is_real(&id) && !asker->forgot;
    }
    const token_facts *const facts = entry->facts;
    if (facts != NULL && facts->any && mcpw_json_get_double(m->params, "progress", &value) == MCPW_OK &&
        value <= facts->progress) {
        finding_set(f, RULE_PROGRESS_ORDER, "/params/progress", "progress was %g before, and is now %g",
                    facts->progress, value);
        return true;
    }
    return false;
}

static bool progress_token(talk *t, const talk_message *m, finding *f) {
    const mcpw_id id = talk_id(t, m->meta, "progressToken");
    if (requests_find(&t->parties[m->from].tokens, &id) == NULL) {
        return false;
    }
    finding_set(f, RULE_PROGRESS_TOKEN, "/params/_meta/progressToken",
                "another open request of the %s has this token", side_name(m->from));
    return true;
}

/* ---- capabilities ---- */

/* A capability that a method needs of its receiver because of its params; NULL: all are there. */
static const char *gate_closed(talk *t, const mcpw_revision *r, int method, mcpw_json params,
                               mcpw_json declared) {
    for (size_t i = 0; i < r->gate_count; i++) {
        const mcpw_gate *const gate = r->gates + i;
        mcpw_json value = {NULL, 0};
        if (gate->method != method || mcpw_json_get(params, gate->member, &value) != MCPW_OK) {
            continue;
        }
        if ((gate->value == NULL || mcpw_str_is(talk_string(t, params, gate->member), gate->value)) &&
            !talk_declares(declared, gate->capability)) {
            return gate->capability;
        }
    }
    return NULL;
}

static bool capability(talk *t, const talk_message *m, finding *f) {
    const mcpw_method *const e = m->entry;
    if (e == NULL) {
        return false;
    }
    const bool senders = (e->flags & MCPW_METHOD_SENDER_DECLARES) != 0;
    const side who = senders ? m->from : talk_other(m->from);
    const mcpw_json declared = talk_capabilities(t, m, who);
    const char *lacking = NULL;
    if (declared.ptr == NULL) {
        return false;
    }
    if (e->capability != NULL && !talk_declares(declared, e->capability)) {
        lacking = e->capability;
    } else if (!senders) {
        lacking = gate_closed(t, m->revision, m->method_number, m->params, declared);
    }
    if (lacking == NULL) {
        return false;
    }
    finding_set(f, RULE_CAPABILITY, "/method", "the %s has not declared the capability \"%s\"",
                side_name(who), lacking);
    return true;
}

/* The capability that a request for input needs and the client lacks; NULL: none. */
static const char *input_lacks(talk *t, const talk_message *m, mcpw_json request, mcpw_json declared) {
    const mcpw_str name = talk_string(t, request, "method");
    const int number = name.ptr != NULL ? mcpw_method_number(m->revision, name.ptr, name.len) : 0;
    const mcpw_method *const e = mcpw_method_entry(m->revision, number);
    mcpw_json params = {NULL, 0};
    if (e == NULL) {
        return NULL;
    }
    if (e->capability != NULL && !talk_declares(declared, e->capability)) {
        return e->capability;
    }
    return mcpw_json_get(request, "params", &params) == MCPW_OK
               ? gate_closed(t, m->revision, number, params, declared)
               : NULL;
}

/* What is asked for inside an input_required result. */
static bool input_capability(talk *t, const talk_message *m, finding *f) {
    const mcpw_json declared = talk_capabilities(t, m, CLIENT);
    mcpw_json requests = {NULL, 0};
    mcpw_json_iter it;
    mcpw_json key = {NULL, 0};
    mcpw_json request = {NULL, 0};
    if (talk_has_handshake(m->revision) || declared.ptr == NULL ||
        mcpw_json_get(m->result, "inputRequests", &requests) != MCPW_OK ||
        mcpw_json_iterate(requests, &it) != MCPW_OK) {
        return false;
    }
    while (mcpw_json_next(&it, &key, &request)) {
        const char *const lacking = input_lacks(t, m, request, declared);
        if (lacking != NULL) {
            finding_set(f, RULE_CAPABILITY, "/result/inputRequests",
                        "%.*s: the client has not declared the capability \"%s\" with its request",
                        (int)text_cut(key.ptr, key.len, SHOWN), key.ptr, lacking);
            return true;
        }
    }
    return false;
}

/* ---- resources ---- */

/* -32602 says that params are wrong. Before 2026-07-28 a resource that is not there has a code of its own. */
static bool resource_code(talk *t, const talk_message *m, finding *f) {
    const int32_t wanted = m->revision->role_codes[MCPW_CODE_RESOURCE_NOT_FOUND];
    int64_t code = 0;
    (void)t;
    if (m->answer_facts == NULL || !m->answer_facts->valid || !is_method(m, "resources/read") ||
        wanted == 0 || mcpw_json_get_int(m->error, "code", &code) != MCPW_OK || code != INVALID_PARAMS ||
        code == wanted) {
        return false;
    }
    finding_set(f, RULE_RESOURCE_CODE, "/error/code",
                "the params are right; a resource that is not there is %" PRId32 " in revision %s", wanted,
                m->revision->name);
    return true;
}

/* ---- revisions without a handshake ---- */

/* Said once: a server that leaves it out does so in all of its results. */
static bool server_info(talk *t, const talk_message *m, finding *f) {
    mcpw_json meta = {NULL, 0};
    mcpw_json info = {NULL, 0};
    if (!t->strict || t->info_missed || m->from != SERVER || m->answers == NULL ||
        talk_has_handshake(m->revision) ||
        (mcpw_json_get(m->result, "_meta", &meta) == MCPW_OK &&
         mcpw_json_get(meta, META_SERVER_INFO, &info) == MCPW_OK)) {
        return false;
    }
    t->info_missed = true;
    finding_set(f, RULE_SERVER_INFO, "/result/_meta",
                "the result does not say who the server is: no " META_SERVER_INFO);
    return true;
}

static bool log_unasked(talk *t, const talk_message *m, finding *f) {
    if (talk_has_handshake(m->revision) || m->from != SERVER || !is_method(m, "notifications/message") ||
        t->parties[CLIENT].loggers != 0) {
        return false;
    }
    finding_set(f, RULE_LOG_UNASKED, "/method", "no open request has a log level in its _meta");
    return true;
}

/* Whether a notification belongs to a subscription: it tells of a change that a server can declare. */
static bool of_subscription(const talk_message *m) {
    return m->entry != NULL && m->entry->capability != NULL &&
           (m->entry->flags & MCPW_METHOD_SENDER_DECLARES) != 0 && strchr(m->entry->capability, '.') != NULL;
}

static bool subscription(talk *t, const talk_message *m, finding *f) {
    const bool acknowledges = is_method(m, "notifications/subscriptions/acknowledged");
    if (talk_has_handshake(m->revision) || m->from != SERVER || (!acknowledges && !of_subscription(m))) {
        return false;
    }
    const mcpw_id id = talk_id(t, m->meta, META_SUBSCRIPTION);
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

/* ---- the table ---- */

enum {
    REQUEST = 1U << MCPW_MESSAGE_REQUEST,
    NOTIFICATION = 1U << MCPW_MESSAGE_NOTIFICATION,
    RESULT = 1U << MCPW_MESSAGE_RESULT,
    ERROR_ANSWER = 1U << MCPW_MESSAGE_ERROR
};

/* The checks in the order of the report, and the messages that they are for. */
static const struct {
    unsigned kinds;
    bool (*breaks)(talk *t, const talk_message *m, finding *f);
} checks[] = {
    {REQUEST | NOTIFICATION, method_unknown},
    {REQUEST | NOTIFICATION, method_revision},
    {REQUEST | NOTIFICATION, direction},
    {REQUEST, batch_initialize},
    {REQUEST, id_in_flight},
    {REQUEST, id_reused},
    {RESULT | ERROR_ANSWER, answer_unknown},
    {RESULT | ERROR_ANSWER, answer_again},
    {RESULT | ERROR_ANSWER, answer_cancelled},
    {RESULT | ERROR_ANSWER, answer_without_id},
    {REQUEST | RESULT, version_unknown},
    {RESULT, version_other},
    {REQUEST | RESULT, version_era},
    {REQUEST, version_mixed},
    {REQUEST | RESULT, version_forced},
    {ERROR_ANSWER, version_refused},
    {REQUEST, before_initialize},
    {REQUEST, before_answer},
    {REQUEST, initialized_missing},
    {REQUEST, initialize_twice},
    {NOTIFICATION, initialized_order},
    {REQUEST, server_early},
    {NOTIFICATION, cancelled},
    {REQUEST, cancelled_early},
    {NOTIFICATION, progress},
    {REQUEST, progress_token},
    {REQUEST | NOTIFICATION, capability},
    {RESULT, input_capability},
    {ERROR_ANSWER, resource_code},
    {RESULT, server_info},
    {NOTIFICATION, log_unasked},
    {NOTIFICATION, subscription},
};

void rules_check(talk *t, const talk_message *m, void (*on_finding)(void *user, const finding *f),
                 void *user) {
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        finding f;
        if ((checks[i].kinds & 1U << m->kind) != 0 && checks[i].breaks(t, m, &f)) {
            on_finding(user, &f);
        }
    }
}
