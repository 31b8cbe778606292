/* SPDX-License-Identifier: MIT */
/*
 * The rules of <mcpw/policy.h>, each a function that says whether a message breaks it. They stand in the
 * order in which a receiver asks them.
 */
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/protocol.h>
#include <mcpw/error.h>

#include "../core/core.h"
#include "../support/print.h"
#include "declared.h"

#include <stdarg.h>

typedef mcpw_policy_state state;
typedef mcpw_policy_message message;
typedef mcpw_verdict verdict;

enum { SHOWN = 60 /* bytes of a text of the peer's */, PATH_SIZE = 128 };

/* ---- What the tables say of methods ---- */

/* The method's number in the message's revision; 0: it has none such. */
static int number_of(const message *m) {
    return m->method != 0 ? m->method : mcpw_method_number(m->revision, m->name.ptr, m->name.len);
}

static const mcpw_method *method_of(const message *m) { return mcpw_method_entry(m->revision, number_of(m)); }

static mcpw_str name_of(const message *m) {
    return m->name.ptr != NULL ? m->name : mcpw_method_name(m->revision, m->method);
}

static bool is_method(const message *m, const char *name) { return mcpw_str_is(name_of(m), name); }

/* A revision that has a method; NULL when none has. */
static const mcpw_revision *revision_with(const state *s, mcpw_str method) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_library_revisions(s->library, &count);
    while (count-- > 0) {
        if (mcpw_method_number(all[count], method.ptr, method.len) != 0) {
            return all[count];
        }
    }
    return NULL;
}

bool mcpw_revision_has_handshake(const mcpw_revision *revision) {
    return mcpw_method_number(revision, "initialize", sizeof "initialize" - 1) != 0;
}

/* ---- Verdicts ---- */

static const char *side_name(mcpw_role role) { return role == MCPW_ROLE_CLIENT ? "client" : "server"; }

static mcpw_role other(mcpw_role role) {
    return role == MCPW_ROLE_CLIENT ? MCPW_ROLE_SERVER : MCPW_ROLE_CLIENT;
}

/* A text of the peer's in one of ours: the arguments for "%.*s%s". */
#define SHOW(s) shown_length(s), (s).ptr, ((s).len > SHOWN ? "..." : "")

static int shown_length(mcpw_str text) {
    size_t len = text.len < SHOWN ? text.len : SHOWN;
    while (len < text.len && len > 0 && ((unsigned char)text.ptr[len] & 0xc0U) == 0x80U) {
        len--; /* not in the middle of a character */
    }
    return (int)len;
}

/* Begins a verdict: the message is taken all the same. True, for who returns that. */
MCPW_PRINTF(3, 4) static bool found_broken(verdict *v, mcpw_rule rule, const char *format, ...) {
    va_list arguments;
    v->rule = rule;
    v->reaction = MCPW_REACTION_TAKE;
    v->code = 0;
    v->capability = NULL;
    v->answer[0] = '\0';
    va_start(arguments, format);
    (void)mcpw_vprint_text(v->text, sizeof v->text, format, arguments);
    va_end(arguments);
    return true;
}

MCPW_PRINTF(2, 3) static void receiver_drops(verdict *v, const char *why, ...) {
    va_list arguments;
    v->reaction = MCPW_REACTION_DROP;
    va_start(arguments, why);
    (void)mcpw_vprint_text(v->answer, sizeof v->answer, why, arguments);
    va_end(arguments);
}

MCPW_PRINTF(3, 4) static void receiver_refuses(verdict *v, int32_t code, const char *answer, ...) {
    va_list arguments;
    v->reaction = MCPW_REACTION_REFUSE;
    v->code = code;
    va_start(arguments, answer);
    (void)mcpw_vprint_text(v->answer, sizeof v->answer, answer, arguments);
    va_end(arguments);
}

/* ---- Batches ---- */

static bool batch(const state *s, const message *m, verdict *v) {
    (void)s;
    if (mcpw_revision_has_batches(m->revision) != 0) {
        return false;
    }
    (void)found_broken(v, MCPW_RULE_BATCH, "revision %s has no batches: a message is an object",
                       mcpw_revision_name(m->revision));
    receiver_refuses(v, MCPW_RPC_INVALID_REQUEST, "Invalid Request: %s has no batches",
                     mcpw_revision_name(m->revision));
    return true;
}

static bool batch_initialize(const state *s, const message *m, verdict *v) {
    (void)s;
    if (!m->batched || !is_method(m, "initialize")) {
        return false;
    }
    (void)found_broken(v, MCPW_RULE_BATCH_INITIALIZE,
                       "initialize is a message of its own, not one of a batch");
    receiver_refuses(v, MCPW_RPC_INVALID_REQUEST, "Invalid Request: initialize stands in no batch");
    return true;
}

/* ---- The revision that a message names ---- */

/* initialize is answered with a revision that has it, whatever it names, if there is one. */
static void refuse_version(const message *m, verdict *v) {
    const bool is_answered = is_method(m, "initialize") && mcpw_revision_has_handshake(m->revision);
    if (m->kind == MCPW_MESSAGE_REQUEST && !is_answered) {
        receiver_refuses(v, mcpw_protocol_code(m->revision, MCPW_CODE_UNSUPPORTED_VERSION),
                         "Unsupported protocol version");
    }
}

static bool version_unknown(const state *s, const message *m, verdict *v) {
    (void)s;
    if (m->version.ptr == NULL || m->named != NULL) {
        return false;
    }
    (void)found_broken(v, MCPW_RULE_VERSION_UNKNOWN, "revision \"%.*s%s\" is not known here",
                       SHOW(m->version));
    refuse_version(m, v);
    return true;
}

static bool version_era(const state *s, const message *m, verdict *v) {
    if (m->named == NULL) {
        return false;
    }
    const bool initialize = is_method(m, "initialize");
    if (mcpw_revision_has_handshake(m->named) == initialize || (!initialize && s->agreed != NULL)) {
        return false;
    }
    (void)found_broken(v, MCPW_RULE_VERSION_ERA,
                       initialize ? "revision %s is named with each request in _meta; it has no initialize"
                                  : "revision %s is agreed on by initialize, not named in _meta",
                       mcpw_revision_name(m->named));
    refuse_version(m, v);
    return true;
}

/* The negotiated revision holds, whatever _meta says. */
static bool version_mixed(const state *s, const message *m, verdict *v) {
    return s->agreed != NULL && m->version.ptr != NULL &&
           !mcpw_str_is(m->version, mcpw_revision_wire(s->agreed)) && !is_method(m, "initialize") &&
           found_broken(v, MCPW_RULE_VERSION_MIXED,
                        "_meta names revision %.*s%s, but initialize agreed on %s", SHOW(m->version),
                        mcpw_revision_name(s->agreed));
}

/* ---- The handshake ---- */

static bool initialize_twice(const state *s, const message *m, verdict *v) {
    if (m->from != MCPW_ROLE_CLIENT || s->phase == MCPW_PHASE_NONE || s->phase == MCPW_PHASE_NEW ||
        !is_method(m, "initialize")) {
        return false;
    }
    (void)found_broken(v, MCPW_RULE_INITIALIZE_TWICE, "the client has sent initialize before");
    receiver_refuses(v, MCPW_RPC_INVALID_REQUEST, "Invalid Request: already initialized");
    return true;
}

/* Whether it waits for what comes first in a session that begins with initialize. */
static bool waits(const message *m, mcpw_role from) {
    return m->from == from && mcpw_revision_has_handshake(m->revision) && !is_method(m, "ping") &&
           !is_method(m, "initialize");
}

static bool before_initialize(const state *s, const message *m, verdict *v) {
    if (s->phase != MCPW_PHASE_NEW || !waits(m, MCPW_ROLE_CLIENT)) {
        return false;
    }
    (void)found_broken(v, MCPW_RULE_BEFORE_INITIALIZE,
                       "the client has not sent initialize, nor does _meta name a revision without it");
    receiver_refuses(v, MCPW_RPC_INVALID_PARAMS,
                     "Invalid params: send initialize first, or name a protocol version in "
                     "params._meta[\"io.modelcontextprotocol/protocolVersion\"]");
    return true;
}

static bool before_answer(const state *s, const message *m, verdict *v) {
    return s->phase == MCPW_PHASE_ASKED && waits(m, MCPW_ROLE_CLIENT) &&
           found_broken(v, MCPW_RULE_BEFORE_RESPONSE, "the server has not yet answered initialize");
}

/* The client goes on as if initialized: so may the server. */
static bool initialized_missing(const state *s, const message *m, verdict *v) {
    return s->phase == MCPW_PHASE_ANSWERED && waits(m, MCPW_ROLE_CLIENT) &&
           found_broken(v, MCPW_RULE_INITIALIZED_MISSING,
                        "the client has not sent notifications/initialized");
}

static bool initialized_order(const state *s, const message *m, verdict *v) {
    const bool early = s->phase == MCPW_PHASE_NEW || s->phase == MCPW_PHASE_ASKED;
    if (m->from != MCPW_ROLE_CLIENT || (!early && !s->initialized) ||
        !is_method(m, "notifications/initialized") || !mcpw_revision_has_handshake(m->revision)) {
        return false;
    }
    (void)found_broken(v, MCPW_RULE_INITIALIZED_ORDER,
                       early ? "the server has not answered initialize with a result"
                             : "the client has sent notifications/initialized before");
    if (early) {
        receiver_drops(v, "notifications/initialized comes after the result of initialize");
    }
    return true;
}

static bool server_early(const state *s, const message *m, verdict *v) {
    return s->phase != MCPW_PHASE_OPEN && waits(m, MCPW_ROLE_SERVER) &&
           found_broken(v, MCPW_RULE_SERVER_EARLY, "the client has not sent notifications/initialized");
}

/* ---- Methods ---- */

/* Whether servers make no requests: they ask inside their results. */
static bool is_one_way(const state *s, const message *m) {
    return s->phase == MCPW_PHASE_NONE && !mcpw_revision_has_handshake(m->revision);
}

/* The receiver's reaction to a message whose method has no place. */
static void has_no_place(const state *s, const message *m, verdict *v) {
    char name[MCPW_EXCERPT_SIZE];
    const mcpw_str method = name_of(m);
    if (m->kind == MCPW_MESSAGE_NOTIFICATION) {
        receiver_drops(v, "not a notification that this end receives in %s", mcpw_revision_name(m->revision));
    } else if (m->from == MCPW_ROLE_SERVER && !m->inside && is_one_way(s, m)) {
        receiver_drops(v, "servers make no requests in %s", mcpw_revision_name(m->revision));
    } else {
        receiver_refuses(v, MCPW_RPC_METHOD_NOT_FOUND, "Method not found: %s",
                         mcpw_excerpt(name, method.ptr, method.len));
    }
}

static bool method_unknown(const state *s, const message *m, verdict *v) {
    if (method_of(m) != NULL || revision_with(s, m->name) != NULL) {
        return false;
    }
    (void)found_broken(v, MCPW_RULE_METHOD_UNKNOWN, "no revision has a method \"%.*s%s\"", SHOW(m->name));
    has_no_place(s, m, v);
    return true;
}

static bool method_revision(const state *s, const message *m, verdict *v) {
    const mcpw_revision *const elsewhere = method_of(m) == NULL ? revision_with(s, m->name) : NULL;
    if (elsewhere == NULL) {
        return false;
    }
    (void)found_broken(v, MCPW_RULE_METHOD_REVISION, "revision %s has no method \"%.*s%s\"; %s has it",
                       mcpw_revision_name(m->revision), SHOW(m->name), mcpw_revision_name(elsewhere));
    has_no_place(s, m, v);
    return true;
}

/* A response that no request can wait for. */
static bool answers_nothing(const state *s, const message *m, verdict *v) {
    if (m->from != MCPW_ROLE_CLIENT || !is_one_way(s, m)) {
        return false;
    }
    (void)found_broken(v, MCPW_RULE_DIRECTION,
                       "in revision %s servers make no requests: a client answers none",
                       mcpw_revision_name(m->revision));
    receiver_drops(v, "servers make no requests in %s", mcpw_revision_name(m->revision));
    return true;
}

static bool direction(const state *s, const message *m, verdict *v) {
    const unsigned sender = m->from == MCPW_ROLE_CLIENT ? MCPW_METHOD_FROM_CLIENT : MCPW_METHOD_FROM_SERVER;
    if (m->kind == MCPW_MESSAGE_RESULT || m->kind == MCPW_MESSAGE_ERROR) {
        return answers_nothing(s, m, v);
    }
    const mcpw_method *const method = method_of(m);
    const mcpw_str name = name_of(m);
    if (method == NULL) {
        return false;
    }
    if (m->inside && (mcpw_method_flags(method) & MCPW_METHOD_INPUT) == 0) {
        (void)found_broken(v, MCPW_RULE_DIRECTION,
                           "in revision %s \"%.*s%s\" is not an input request of a result",
                           mcpw_revision_name(m->revision), SHOW(name));
    } else if (!m->inside && (mcpw_method_flags(method) & MCPW_METHOD_INPUT) != 0) {
        (void)found_broken(
            v, MCPW_RULE_DIRECTION,
            "in revision %s \"%.*s%s\" travels inside an input_required result, not as a message",
            mcpw_revision_name(m->revision), SHOW(name));
    } else if ((mcpw_method_flags(method) & sender) == 0) {
        (void)found_broken(v, MCPW_RULE_DIRECTION, "in revision %s \"%.*s%s\" is not sent by a %s",
                           mcpw_revision_name(m->revision), SHOW(name), side_name(m->from));
    } else {
        return false;
    }
    has_no_place(s, m, v);
    return true;
}

/* ---- Capabilities ---- */

static const mcpw_declared *declared_by(const state *s, mcpw_role role) {
    return role == MCPW_ROLE_CLIENT ? &s->client : &s->server;
}

/* Whether a param is that string. */
static bool is_string(mcpw_json param, const char *string) {
    char quoted[PATH_SIZE];
    const int len = mcpw_print_text(quoted, sizeof quoted, "\"%s\"", string);
    const mcpw_json text = {quoted, (size_t)len, 0};
    return len > 0 && (size_t)len < sizeof quoted && mcpw_json_equal(param, text);
}

/* Whether a text holds the member at a dotted path, with a value if that is not NULL. */
static bool text_holds(mcpw_json text, const char *path, const char *value) {
    while (*path != '\0') {
        char name[PATH_SIZE];
        const size_t len = strcspn(path, ".");
        (void)mcpw_print_text(name, sizeof name, "%.*s", (int)len, path);
        if (mcpw_json_get(text, name, &text) != MCPW_OK) {
            return false;
        }
        path += len + (path[len] == '.');
    }
    return value == NULL || is_string(text, value);
}

/* Whether what a message carries holds the member at a dotted path, with a value if that is not NULL. */
static bool holds(const message *m, const char *path, const char *value) {
    if (m->value == NULL) {
        return m->params.ptr != NULL && text_holds(m->params, path, value);
    }
    mcpw_field field = mcpw_field_of(m->type, m->value);
    for (const char *rest = path; *rest != '\0';) {
        char name[PATH_SIZE];
        const size_t len = strcspn(rest, ".");
        const mcpw_json text = mcpw_field_json(field);
        if (text.ptr != NULL) { /* a value of a union that is known to no revision stays text */
            return text_holds(text, rest, value);
        }
        (void)mcpw_print_text(name, sizeof name, "%.*s", (int)len, rest);
        field = mcpw_field_get(field, name);
        rest += len + (rest[len] == '.');
    }
    return field.at != NULL && (value == NULL || mcpw_str_is(mcpw_field_str(field), value) ||
                                mcpw_str_is(mcpw_field_enum_text(field), value));
}

/* The capability that params need and that their receiver lacks; NULL: none. */
static const char *closed_gate(const message *m, int method, mcpw_declared declared) {
    const mcpw_protocol *const protocol = mcpw_protocol_of(m->revision);
    for (size_t i = 0; i < protocol->gate_count; i++) {
        const mcpw_gate *const gate = protocol->gates + i;
        if (gate->method == method && holds(m, gate->member, gate->value) &&
            !mcpw_declares(declared, gate->capability)) {
            return gate->capability;
        }
    }
    return NULL;
}

static bool capability(const state *s, const message *m, verdict *v) {
    const int method = number_of(m);
    const mcpw_need *const need = mcpw_need_of(m->revision, method);
    const bool senders = need->by_sender;
    const mcpw_role who = senders ? m->from : other(m->from);
    const mcpw_declared declared = *declared_by(s, who);
    const char *lacking = NULL;
    if (declared.text.ptr == NULL) {
        return false;
    }
    const bool whole = need->capability != NULL && !mcpw_declares(declared, need->capability);
    lacking = whole ? need->capability : lacking;
    lacking = !whole && !senders ? closed_gate(m, method, declared) : lacking;
    if (lacking == NULL) {
        return false;
    }
    (void)found_broken(v, MCPW_RULE_CAPABILITY, "the %s has not declared the capability \"%s\"%s",
                       side_name(who), lacking, m->inside ? " with its request" : "");
    v->capability = lacking;
    /* A server needs no capability for the methods that it serves. But clients must refuse params that they
     * have not declared. (MCP 2025-11-25, "Elicitation", error handling; "Sampling", tools.) */
    if (!whole && !m->inside && m->from == MCPW_ROLE_SERVER) {
        receiver_refuses(v, MCPW_RPC_INVALID_PARAMS, "Invalid params: the client has not declared \"%s\"",
                         lacking);
    }
    return true;
}

/* Whether a message is, or carries, what a feature names. */
static bool is_about(const mcpw_feature *feature, const message *m) {
    const bool is_result = m->kind == MCPW_MESSAGE_RESULT;
    return is_result == (feature->part == MCPW_PART_RESULT) &&
           (feature->path == NULL || holds(m, feature->path, feature->value));
}

static bool is_lacking(const mcpw_declared *declared, const char *capability) {
    return declared->text.ptr != NULL && !mcpw_declares(*declared, capability);
}

/* The receiver's reaction to a part of an extension that the client has not declared. */
static void undeclared(const message *m, const char *capability, verdict *v) {
    if (m->kind == MCPW_MESSAGE_REQUEST && m->from == MCPW_ROLE_CLIENT) {
        receiver_refuses(v, mcpw_protocol_code(m->revision, MCPW_CODE_MISSING_CAPABILITY),
                         "Missing required client capability: %s", capability);
    } else {
        receiver_drops(v, "the client has not declared \"%s\"", capability);
    }
}

/* Nothing of an extension is sent unless both sides have declared it. An end that serves a method needs no
 * capability, but serves only clients that have declared it. (MCP 2026-07-28, "Extensions"; "Tasks", error
 * handling.) */
static bool extension(const state *s, const message *m, verdict *v) {
    const mcpw_protocol *const protocol = mcpw_protocol_of(m->revision);
    const int method = protocol->feature_count != 0 ? number_of(m) : 0;
    for (size_t i = 0; i < protocol->feature_count; i++) {
        const mcpw_feature *const feature = protocol->features + i;
        const bool clients = is_lacking(&s->client, feature->capability);
        if (feature->part == MCPW_PART_VALUE || feature->method != method ||
            !(clients || is_lacking(&s->server, feature->capability)) || !is_about(feature, m)) {
            continue;
        }
        (void)found_broken(v, MCPW_RULE_EXTENSION, "the %s has not declared the capability \"%s\"",
                           clients ? "client" : "server", feature->capability);
        v->capability = feature->capability;
        if (clients) {
            undeclared(m, feature->capability, v);
        }
        return true;
    }
    return false;
}

static bool path_of_tasks(mcpw_str method, char path[PATH_SIZE]) {
    const int len = mcpw_print_text(path, PATH_SIZE, "tasks.requests.%.*s", (int)method.len, method.ptr);
    for (char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash, '/')) {
        *slash = '.';
    }
    return len > 0 && len < PATH_SIZE;
}

bool mcpw_declares_tasks(mcpw_declared declared, const mcpw_revision *revision, int method) {
    const mcpw_method *const entry = mcpw_method_entry(revision, method);
    char path[PATH_SIZE];
    return entry != NULL && mcpw_method_task_result(entry) != NULL &&
           path_of_tasks(mcpw_method_name(revision, method), path) && mcpw_declares(declared, path);
}

/* ---- Cancelling ---- */

static bool cancels(const message *m) { return m->cancels != 0 && is_method(m, "notifications/cancelled"); }

static bool cancelled_initialize(const state *s, const message *m, verdict *v) {
    (void)s;
    if (!cancels(m) || !mcpw_str_is(mcpw_method_name(m->revision, m->cancels), "initialize")) {
        return false;
    }
    (void)found_broken(v, MCPW_RULE_CANCELLED_INITIALIZE, "this is the id of initialize");
    receiver_drops(v, "initialize cannot be cancelled");
    return true;
}

static bool cancelled_task(const state *s, const message *m, verdict *v) {
    (void)s;
    return cancels(m) && m->cancels_task &&
           found_broken(v, MCPW_RULE_CANCELLED_TASK,
                        "the request asked for a task, which tasks/cancel cancels");
}

/* ---- The table ---- */

enum {
    REQUEST = 1U << MCPW_MESSAGE_REQUEST,
    NOTIFICATION = 1U << MCPW_MESSAGE_NOTIFICATION,
    RESULT = 1U << MCPW_MESSAGE_RESULT,
    ANSWER = 1U << MCPW_MESSAGE_RESULT | 1U << MCPW_MESSAGE_ERROR,
    BATCH = 1U << MCPW_MESSAGE_BATCH
};

/* The rules with the kinds of messages that they are for. */
static const struct {
    const char *name;
    unsigned kinds;
    bool (*breaks)(const state *s, const message *m, verdict *v);
} rules[MCPW_RULE_COUNT] = {
    [MCPW_RULE_BATCH] = {"batch", BATCH, batch},
    [MCPW_RULE_VERSION_UNKNOWN] = {"version-unknown", REQUEST | RESULT, version_unknown},
    [MCPW_RULE_VERSION_ERA] = {"version-era", REQUEST | RESULT, version_era},
    [MCPW_RULE_VERSION_MIXED] = {"version-mixed", REQUEST, version_mixed},
    [MCPW_RULE_INITIALIZE_TWICE] = {"initialize-twice", REQUEST, initialize_twice},
    [MCPW_RULE_BATCH_INITIALIZE] = {"batch-initialize", REQUEST, batch_initialize},
    [MCPW_RULE_BEFORE_INITIALIZE] = {"before-initialize", REQUEST, before_initialize},
    [MCPW_RULE_BEFORE_RESPONSE] = {"before-answer", REQUEST, before_answer},
    [MCPW_RULE_INITIALIZED_MISSING] = {"initialized-missing", REQUEST, initialized_missing},
    [MCPW_RULE_INITIALIZED_ORDER] = {"initialized-order", NOTIFICATION, initialized_order},
    [MCPW_RULE_SERVER_EARLY] = {"server-early", REQUEST, server_early},
    [MCPW_RULE_METHOD_UNKNOWN] = {"method-unknown", REQUEST | NOTIFICATION, method_unknown},
    [MCPW_RULE_METHOD_REVISION] = {"method-revision", REQUEST | NOTIFICATION, method_revision},
    [MCPW_RULE_DIRECTION] = {"direction", REQUEST | NOTIFICATION | ANSWER, direction},
    [MCPW_RULE_CAPABILITY] = {"capability", REQUEST | NOTIFICATION, capability},
    [MCPW_RULE_CANCELLED_INITIALIZE] = {"cancelled-initialize", NOTIFICATION, cancelled_initialize},
    [MCPW_RULE_CANCELLED_TASK] = {"cancelled-task", NOTIFICATION, cancelled_task},
    [MCPW_RULE_EXTENSION] = {"extension", REQUEST | NOTIFICATION | RESULT, extension},
};

const char *mcpw_rule_name(mcpw_rule rule) {
    return rule > MCPW_RULE_NONE && rule < MCPW_RULE_COUNT ? rules[rule].name : NULL;
}

bool mcpw_policy_breaks(mcpw_rule rule, const state *s, const message *m, verdict *out) {
    return rule > MCPW_RULE_NONE && rule < MCPW_RULE_COUNT && (rules[rule].kinds & 1U << m->kind) != 0 &&
           rules[rule].breaks(s, m, out);
}

/* Whether params of a method may need a capability. */
static bool has_gates(const mcpw_revision *revision, int method) {
    const mcpw_protocol *const protocol = mcpw_protocol_of(revision);
    for (size_t i = 0; i < protocol->gate_count; i++) {
        if (protocol->gates[i].method == method) {
            return true;
        }
    }
    return false;
}

/* Whether it is initialize, as far as its name is given: each request of a session is asked. */
static inline bool may_be_initialize(const message *m) {
    static const char name[] = "initialize";
    return m->name.ptr == NULL ||
           (m->name.len == sizeof name - 1 && memcmp(m->name.ptr, name, sizeof name - 1) == 0);
}

/* Whether it is what most messages are, which no rule is against: a request or notification of its side's, in
 * a session that is open or has no handshake, that names no revision. Params are asked for by clients alone.
 */
static inline bool is_ordinary(const state *s, const message *m) {
    static const uint8_t flags_of[MCPW_ROLE_CLIENT + 1][MCPW_MESSAGE_NOTIFICATION + 1] = {
        [MCPW_ROLE_CLIENT][MCPW_MESSAGE_REQUEST] = MCPW_METHOD_FROM_CLIENT | MCPW_METHOD_REQUEST,
        [MCPW_ROLE_CLIENT][MCPW_MESSAGE_NOTIFICATION] = MCPW_METHOD_FROM_CLIENT | MCPW_METHOD_NOTIFICATION,
        [MCPW_ROLE_SERVER][MCPW_MESSAGE_REQUEST] = MCPW_METHOD_FROM_SERVER | MCPW_METHOD_REQUEST,
        [MCPW_ROLE_SERVER][MCPW_MESSAGE_NOTIFICATION] = MCPW_METHOD_FROM_SERVER | MCPW_METHOD_NOTIFICATION};
    /* Not all in one: compilers would read neighbours at once that were written one by one, and wait. */
    if (m->kind > MCPW_MESSAGE_NOTIFICATION || m->version.ptr != NULL || m->cancels != 0) {
        return false;
    }
    const unsigned wanted = flags_of[m->from][m->kind];
    const unsigned flags = mcpw_method_flags(mcpw_method_entry(m->revision, m->method));
    if (m->batched) {
        return false;
    }
    return !m->inside && (flags & (wanted | MCPW_METHOD_INPUT | MCPW_METHOD_EXTENDED)) == wanted &&
           (s->phase == MCPW_PHASE_NONE || (s->phase == MCPW_PHASE_OPEN && !may_be_initialize(m))) &&
           (m->from == MCPW_ROLE_CLIENT || !has_gates(m->revision, m->method));
}

/* Asks rule by rule. */
MCPW_NOINLINE static bool is_admitted(const state *s, const message *m, verdict *out) {
    for (mcpw_rule rule = MCPW_RULE_BATCH; rule < MCPW_RULE_COUNT; rule++) {
        if (mcpw_policy_breaks(rule, s, m, out) && out->reaction != MCPW_REACTION_TAKE) {
            return false;
        }
    }
    return true;
}

bool mcpw_policy_admits(const state *s, const message *m, verdict *out) {
    return is_ordinary(s, m) || is_admitted(s, m, out);
}
