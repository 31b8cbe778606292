/* SPDX-License-Identifier: MIT */
/* The rules of <mcpw/policy.h>: a message that breaks each, what its receiver does, and the same message in a
 * place where it belongs; in every revision that the library holds. */
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/protocol.h>
#include <mcpw/json.h>
#include <mcpw/policy.h>

#include "check.h"

enum { LEGACY = 1, MODERN = 2, ANY = LEGACY | MODERN };

#define VERSION_META "io.modelcontextprotocol/protocolVersion"

/* A message and how far the conversation is; rule NONE: no rule is against it. */
typedef struct row {
    int line;
    unsigned eras;
    mcpw_rule rule;
    mcpw_reaction reaction;
    int32_t code;
    mcpw_role from;
    mcpw_message_kind kind;
    mcpw_phase phase;
    const char *text; /* a part of the verdict's */
    const char *method;
    const char *client; /* declared */
    const char *server;
    const char *params;
    const char *cancels;
    bool initialized;
    bool batched;
    bool inside;
    bool task;
} row;

#define CLIENT_SENDS .from = MCPW_ROLE_CLIENT
#define SERVER_SENDS .from = MCPW_ROLE_SERVER
#define A_REQUEST .kind = MCPW_MESSAGE_REQUEST
#define A_NOTIFICATION .kind = MCPW_MESSAGE_NOTIFICATION
#define AT(eras_, rule_, reaction_, code_, text_, phase_)                                                    \
    __LINE__, eras_, MCPW_RULE_##rule_, MCPW_REACTION_##reaction_, code_, .text = (text_),                   \
                                                                          .phase = MCPW_PHASE_##phase_
#define KEPT(eras_, phase_) AT(eras_, NONE, TAKE, 0, NULL, phase_)
#define TAKEN(eras_, rule_, text_, phase_) AT(eras_, rule_, TAKE, 0, text_, phase_)
#define DROPPED(eras_, rule_, text_, phase_) AT(eras_, rule_, DROP, 0, text_, phase_)
#define REFUSED(eras_, rule_, code_, text_, phase_) AT(eras_, rule_, REFUSE, code_, text_, phase_)

static const row rows[] = {
    /* The handshake. */
    {KEPT(LEGACY, NEW), CLIENT_SENDS, A_REQUEST, .method = "initialize"},
    {KEPT(LEGACY, NEW), CLIENT_SENDS, A_REQUEST, .method = "ping"},
    {REFUSED(LEGACY, BEFORE_INITIALIZE, -32602, "has not sent initialize", NEW), CLIENT_SENDS, A_REQUEST,
     .method = "tools/list"},
    {REFUSED(LEGACY, BEFORE_INITIALIZE, -32602, "has not sent initialize", NEW), CLIENT_SENDS, A_REQUEST,
     .method = "no/such"},
    {KEPT(LEGACY, OPEN), CLIENT_SENDS, A_REQUEST, .method = "tools/list"},
    {KEPT(MODERN, NONE), CLIENT_SENDS, A_REQUEST, .method = "tools/list"},
    {KEPT(MODERN, NEW), CLIENT_SENDS, A_REQUEST, .method = "tools/list"},
    {KEPT(LEGACY, ASKED), CLIENT_SENDS, A_REQUEST, .method = "ping"},
    {TAKEN(LEGACY, BEFORE_RESPONSE, "not yet answered", ASKED), CLIENT_SENDS, A_REQUEST,
     .method = "tools/list"},
    {KEPT(LEGACY, ANSWERED), CLIENT_SENDS, A_REQUEST, .method = "ping"},
    {TAKEN(LEGACY, INITIALIZED_MISSING, "notifications/initialized", ANSWERED), CLIENT_SENDS, A_REQUEST,
     .method = "tools/list"},
    {REFUSED(LEGACY, INITIALIZE_TWICE, -32600, "initialize before", ASKED), CLIENT_SENDS, A_REQUEST,
     .method = "initialize"},
    {REFUSED(LEGACY, INITIALIZE_TWICE, -32600, "initialize before", OPEN), CLIENT_SENDS, A_REQUEST,
     .method = "initialize"},
    {DROPPED(LEGACY, INITIALIZED_ORDER, "has not answered initialize", NEW), CLIENT_SENDS, A_NOTIFICATION,
     .method = "notifications/initialized"},
    {DROPPED(LEGACY, INITIALIZED_ORDER, "has not answered initialize", ASKED), CLIENT_SENDS, A_NOTIFICATION,
     .method = "notifications/initialized"},
    {KEPT(LEGACY, ANSWERED), CLIENT_SENDS, A_NOTIFICATION, .method = "notifications/initialized"},
    {TAKEN(LEGACY, INITIALIZED_ORDER, "notifications/initialized before", OPEN), CLIENT_SENDS, A_NOTIFICATION,
     .method = "notifications/initialized", .initialized = true},
    {TAKEN(LEGACY, SERVER_EARLY, "has not sent notifications/initialized", ANSWERED), SERVER_SENDS, A_REQUEST,
     .method = "roots/list", .client = "{\"roots\":{}}"},
    {KEPT(LEGACY, ANSWERED), SERVER_SENDS, A_REQUEST, .method = "ping"},
    {KEPT(LEGACY, OPEN), SERVER_SENDS, A_REQUEST, .method = "roots/list", .client = "{\"roots\":{}}"},
    /* Batches. */
    {REFUSED(LEGACY, BATCH_INITIALIZE, -32600, "not one of a batch", NEW), CLIENT_SENDS, A_REQUEST,
     .method = "initialize", .batched = true},
    {KEPT(LEGACY, OPEN), CLIENT_SENDS, A_REQUEST, .method = "tools/list", .batched = true},
    /* Methods. */
    {REFUSED(LEGACY, METHOD_UNKNOWN, -32601, "no revision has a method \"no/such\"", OPEN), CLIENT_SENDS,
     A_REQUEST, .method = "no/such"},
    {REFUSED(MODERN, METHOD_UNKNOWN, -32601, "no revision has a method \"no/such\"", NONE), CLIENT_SENDS,
     A_REQUEST, .method = "no/such"},
    {REFUSED(LEGACY, METHOD_UNKNOWN, -32601, "no revision has a method \"no/such\"", OPEN), SERVER_SENDS,
     A_REQUEST, .method = "no/such"},
    {DROPPED(MODERN, METHOD_UNKNOWN, "no revision has a method \"no/such\"", NONE), SERVER_SENDS, A_REQUEST,
     .method = "no/such"},
    {DROPPED(LEGACY, METHOD_UNKNOWN, "no revision has a method \"no/such\"", OPEN), CLIENT_SENDS,
     A_NOTIFICATION, .method = "no/such"},
    {REFUSED(LEGACY, METHOD_REVISION, -32601, "has no method \"subscriptions/listen\"", OPEN), CLIENT_SENDS,
     A_REQUEST, .method = "subscriptions/listen"},
    {REFUSED(MODERN, METHOD_REVISION, -32601, "has no method \"ping\"", NONE), CLIENT_SENDS, A_REQUEST,
     .method = "ping"},
    {DROPPED(MODERN, METHOD_REVISION, "has no method \"ping\"", NONE), SERVER_SENDS, A_REQUEST,
     .method = "ping"},
    {DROPPED(MODERN, METHOD_REVISION, "\"notifications/initialized\"", NONE), CLIENT_SENDS, A_NOTIFICATION,
     .method = "notifications/initialized"},
    {REFUSED(LEGACY, DIRECTION, -32601, "\"roots/list\" is not sent by a client", OPEN), CLIENT_SENDS,
     A_REQUEST, .method = "roots/list"},
    {REFUSED(LEGACY, DIRECTION, -32601, "\"tools/list\" is not sent by a server", OPEN), SERVER_SENDS,
     A_REQUEST, .method = "tools/list"},
    {REFUSED(MODERN, DIRECTION, -32601, "inside an input_required result", NONE), CLIENT_SENDS, A_REQUEST,
     .method = "roots/list"},
    {DROPPED(MODERN, DIRECTION, "inside an input_required result", NONE), SERVER_SENDS, A_REQUEST,
     .method = "roots/list"},
    {DROPPED(ANY, DIRECTION, "is not sent by a client", OPEN), CLIENT_SENDS, A_NOTIFICATION,
     .method = "notifications/message"},
    {KEPT(MODERN, NONE), SERVER_SENDS, A_REQUEST, .method = "roots/list", .inside = true,
     .client = "{\"roots\":{}}"},
    {REFUSED(MODERN, DIRECTION, -32601, "is not an input request of a result", NONE), SERVER_SENDS, A_REQUEST,
     .method = "tools/list", .inside = true},
    {REFUSED(MODERN, METHOD_UNKNOWN, -32601, "no revision has a method \"no/such\"", NONE), SERVER_SENDS,
     A_REQUEST, .method = "no/such", .inside = true},
    {REFUSED(MODERN, METHOD_REVISION, -32601, "has no method \"ping\"", NEW), SERVER_SENDS, A_REQUEST,
     .method = "ping"},
    {DROPPED(MODERN, DIRECTION, "a client answers none", NONE), CLIENT_SENDS, .kind = MCPW_MESSAGE_ERROR,
     .method = "roots/list"},
    {KEPT(LEGACY, OPEN), CLIENT_SENDS, .kind = MCPW_MESSAGE_ERROR, .method = "roots/list"},
    {KEPT(ANY, OPEN), SERVER_SENDS, .kind = MCPW_MESSAGE_ERROR, .method = "tools/list"},
    /* Capabilities. */
    {TAKEN(ANY, CAPABILITY, "the server has not declared the capability \"tools\"", OPEN), CLIENT_SENDS,
     A_REQUEST, .method = "tools/list", .server = "{\"prompts\":{}}"},
    {KEPT(ANY, OPEN), CLIENT_SENDS, A_REQUEST, .method = "tools/list", .server = "{\"tools\":{}}"},
    {KEPT(ANY, OPEN), CLIENT_SENDS, A_REQUEST, .method = "tools/list"},
    {TAKEN(LEGACY, CAPABILITY, "the client has not declared the capability \"roots\"", OPEN), SERVER_SENDS,
     A_REQUEST, .method = "roots/list", .client = "{}"},
    {TAKEN(ANY, CAPABILITY, "the server has not declared the capability \"tools.listChanged\"", OPEN),
     SERVER_SENDS, A_NOTIFICATION, .method = "notifications/tools/list_changed",
     .server = "{\"tools\":{\"listChanged\":false}}"},
    {KEPT(ANY, OPEN), SERVER_SENDS, A_NOTIFICATION, .method = "notifications/tools/list_changed",
     .server = "{\"tools\":{\"listChanged\":true}}"},
    {TAKEN(MODERN, CAPABILITY, "the capability \"roots\" with its request", NONE), SERVER_SENDS, A_REQUEST,
     .method = "roots/list", .inside = true, .client = "{}"},
    /* Cancelling. */
    {DROPPED(LEGACY, CANCELLED_INITIALIZE, "the id of initialize", OPEN), CLIENT_SENDS, A_NOTIFICATION,
     .method = "notifications/cancelled", .cancels = "initialize"},
    {TAKEN(LEGACY, CANCELLED_TASK, "tasks/cancel", OPEN), CLIENT_SENDS, A_NOTIFICATION,
     .method = "notifications/cancelled", .cancels = "tools/call", .task = true},
    {KEPT(LEGACY, OPEN), CLIENT_SENDS, A_NOTIFICATION, .method = "notifications/cancelled",
     .cancels = "tools/call"},
};

static int number_of(const mcpw_revision *revision, const char *method) {
    return method != NULL ? mcpw_method_number(revision, method, strlen(method)) : 0;
}

static mcpw_declared declared(const char *text) {
    const mcpw_declared out = {{text, text != NULL ? strlen(text) : 0, 0}, NULL};
    return out;
}

static mcpw_policy_state state_of(const row *r, const mcpw_revision *revision) {
    const mcpw_policy_state state = {r->phase,
                                     r->initialized,
                                     r->phase >= MCPW_PHASE_ANSWERED ? revision : NULL,
                                     declared(r->client),
                                     declared(r->server),
                                     NULL};
    return state;
}

static mcpw_policy_message message_of(const row *r, const mcpw_revision *revision) {
    mcpw_policy_message m = {0};
    m.from = r->from;
    m.kind = r->kind;
    m.revision = revision;
    m.method = number_of(revision, r->method);
    m.name = mcpw_str_from(r->method);
    m.params = declared(r->params).text;
    m.batched = r->batched;
    m.inside = r->inside;
    m.cancels = number_of(revision, r->cancels);
    m.cancels_task = r->task;
    return m;
}

static bool is_about(const row *r, const mcpw_revision *revision) {
    return (r->eras & (mcpw_revision_has_handshake(revision) ? LEGACY : MODERN)) != 0;
}

static const mcpw_revision *const *all(size_t *count) { return mcpw_revisions(count); }

#define CHECK_ROW(condition) (void)check_that((condition), __FILE__, r->line, #condition)

static void check_row(const row *r, const mcpw_revision *revision) {
    const mcpw_policy_state state = state_of(r, revision);
    const mcpw_policy_message m = message_of(r, revision);
    mcpw_verdict v = {0};
    for (mcpw_rule rule = MCPW_RULE_NONE; r->rule == MCPW_RULE_NONE && rule <= MCPW_RULE_COUNT; rule++) {
        CHECK_ROW(!mcpw_policy_breaks(rule, &state, &m, &v));
    }
    if (r->rule != MCPW_RULE_NONE) {
        CHECK_ROW(mcpw_policy_breaks(r->rule, &state, &m, &v));
        CHECK_ROW(v.rule == r->rule && v.reaction == r->reaction && v.code == r->code);
        CHECK_ROW(strstr(v.text, r->text) != NULL);
        CHECK_ROW((v.answer[0] != '\0') == (r->reaction != MCPW_REACTION_TAKE));
    }
    CHECK_ROW(mcpw_policy_admits(&state, &m, &v) == (r->reaction == MCPW_REACTION_TAKE));
    CHECK_ROW(r->reaction == MCPW_REACTION_TAKE || (v.rule == r->rule && v.code == r->code));
}

static void each_rule_is_kept_and_broken_where_it_holds(void) {
    size_t count = 0;
    const mcpw_revision *const *const revisions = all(&count);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        for (size_t i = 0; i < count; i++) {
            if (is_about(rows + k, revisions[i])) {
                check_row(rows + k, revisions[i]);
            }
        }
    }
}

/* A message is judged by its name alone as by its number. */
static void a_method_is_found_by_its_name(void) {
    size_t count = 0;
    const mcpw_revision *const *const revisions = all(&count);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        for (size_t i = 0; i < count; i++) {
            const mcpw_policy_state state = state_of(rows + k, revisions[i]);
            const mcpw_policy_message m = message_of(rows + k, revisions[i]);
            mcpw_policy_message named = m;
            mcpw_verdict by_number = {0};
            mcpw_verdict by_name = {0};
            named.method = 0;
            for (int rule = MCPW_RULE_BATCH; rule < MCPW_RULE_COUNT; rule++) {
                CHECK(mcpw_policy_breaks((mcpw_rule)rule, &state, &m, &by_number) ==
                      mcpw_policy_breaks((mcpw_rule)rule, &state, &named, &by_name));
            }
            const bool admitted = mcpw_policy_admits(&state, &m, &by_number);
            CHECK(mcpw_policy_admits(&state, &named, &by_name) == admitted);
            CHECK(admitted || by_number.rule == by_name.rule);
        }
    }
}

/* Extensions have theirs in test_session_extension, where a revision has one. */
static void every_rule_has_a_name_and_a_row(void) {
    for (mcpw_rule rule = MCPW_RULE_BATCH; rule < MCPW_RULE_COUNT; rule++) {
        CHECK(mcpw_rule_name(rule) != NULL);
        for (mcpw_rule before = MCPW_RULE_BATCH; before < rule; before++) {
            CHECK(strcmp(mcpw_rule_name(before), mcpw_rule_name(rule)) != 0);
        }
        bool has_row = rule == MCPW_RULE_BATCH || rule == MCPW_RULE_EXTENSION ||
                       (rule >= MCPW_RULE_VERSION_UNKNOWN && rule <= MCPW_RULE_VERSION_MIXED);
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            has_row = has_row || rows[k].rule == rule;
        }
        CHECK(has_row);
    }
    CHECK(mcpw_rule_name(MCPW_RULE_NONE) == NULL && mcpw_rule_name(MCPW_RULE_COUNT) == NULL);
}

static void batches_are_refused_where_the_revision_has_none(void) {
    size_t count = 0;
    size_t batching = 0;
    const mcpw_revision *const *const revisions = all(&count);
    const mcpw_policy_state state = {.phase = MCPW_PHASE_OPEN};
    for (size_t i = 0; i < count; i++) {
        const mcpw_policy_message m = {
            .from = MCPW_ROLE_CLIENT, .kind = MCPW_MESSAGE_BATCH, .revision = revisions[i]};
        mcpw_verdict v = {0};
        const bool has_batches = mcpw_policy_admits(&state, &m, &v);
        batching += has_batches;
        CHECK(has_batches || (v.rule == MCPW_RULE_BATCH && v.code == MCPW_RPC_INVALID_REQUEST));
        CHECK(has_batches == (strcmp(mcpw_revision_name(revisions[i]), "2025-03-26") == 0));
    }
    CHECK(batching <= 1);
}

/* ---- The revision that a message names ---- */

typedef struct naming {
    const char *method;
    const mcpw_revision *revision; /* that the message is in */
    const char *version;
    const mcpw_revision *agreed;
} naming;

/* The first rule about revisions that a request breaks. */
static mcpw_rule broken_by(const naming *n, mcpw_verdict *v) {
    static const mcpw_rule about[] = {MCPW_RULE_VERSION_UNKNOWN, MCPW_RULE_VERSION_ERA,
                                      MCPW_RULE_VERSION_MIXED};
    mcpw_policy_state state = {.phase = n->agreed != NULL ? MCPW_PHASE_OPEN : MCPW_PHASE_NEW};
    mcpw_policy_message m = {.from = MCPW_ROLE_CLIENT, .kind = MCPW_MESSAGE_REQUEST};
    state.agreed = n->agreed;
    m.revision = n->revision;
    m.name = mcpw_str_from(n->method);
    m.version = mcpw_str_from(n->version);
    m.named = mcpw_find_revision(n->version);
    for (size_t i = 0; i < sizeof about / sizeof *about; i++) {
        if (mcpw_policy_breaks(about[i], &state, &m, v)) {
            CHECK(v->rule == about[i]);
            return about[i];
        }
    }
    return MCPW_RULE_NONE;
}

static void a_request_may_name_a_revision_without_handshake(void) {
    size_t count = 0;
    const mcpw_revision *const *const revisions = all(&count);
    for (size_t i = 0; i < count; i++) {
        const bool handshake = mcpw_revision_has_handshake(revisions[i]);
        const naming n = {"tools/list", revisions[i], mcpw_revision_name(revisions[i]), NULL};
        mcpw_verdict v = {0};
        CHECK(broken_by(&n, &v) == (handshake ? MCPW_RULE_VERSION_ERA : MCPW_RULE_NONE));
        CHECK(!handshake || v.reaction == MCPW_REACTION_REFUSE);
    }
}

static void initialize_may_name_a_revision_with_handshake(void) {
    size_t count = 0;
    const mcpw_revision *const *const revisions = all(&count);
    for (size_t i = 0; i < count; i++) {
        const bool handshake = mcpw_revision_has_handshake(revisions[i]);
        const naming n = {"initialize", revisions[0], mcpw_revision_name(revisions[i]), NULL};
        mcpw_verdict v = {0};
        CHECK(broken_by(&n, &v) == (handshake ? MCPW_RULE_NONE : MCPW_RULE_VERSION_ERA));
        CHECK(handshake || v.reaction == MCPW_REACTION_TAKE); /* it is answered with another */
    }
}

static void a_revision_that_is_not_known_is_refused_by_its_code(void) {
    size_t count = 0;
    const mcpw_revision *const *const revisions = all(&count);
    for (size_t i = 0; i < count; i++) {
        const naming request = {"tools/list", revisions[i], "2099-01-01", NULL};
        const naming opening = {"initialize", revisions[0], "2099-01-01", NULL};
        mcpw_verdict v = {0};
        CHECK(broken_by(&request, &v) == MCPW_RULE_VERSION_UNKNOWN && v.reaction == MCPW_REACTION_REFUSE);
        CHECK(v.code == (mcpw_revision_has_handshake(revisions[i]) ? -32602 : -32022));
        CHECK(broken_by(&opening, &v) == MCPW_RULE_VERSION_UNKNOWN && v.reaction == MCPW_REACTION_TAKE);
    }
}

static void what_was_agreed_on_holds(void) {
    size_t count = 0;
    const mcpw_revision *const *const revisions = all(&count);
    for (size_t i = 0; i < count; i++) {
        const naming other = {"tools/list", revisions[i], mcpw_revision_name(revisions[count - 1 - i]),
                              revisions[i]};
        const naming same = {"tools/list", revisions[i], mcpw_revision_name(revisions[i]), revisions[i]};
        mcpw_verdict v = {0};
        CHECK(broken_by(&other, &v) == (i == count - 1 - i ? MCPW_RULE_NONE : MCPW_RULE_VERSION_MIXED));
        CHECK(i == count - 1 - i || v.reaction == MCPW_REACTION_TAKE);
        CHECK(!mcpw_revision_has_handshake(revisions[i]) || broken_by(&same, &v) == MCPW_RULE_NONE);
    }
}

/* ---- What params need ---- */

typedef struct gated {
    const char *method;
    const char *params;
    const char *declared; /* by the client; it holds what the method itself needs */
    const char *lacking;  /* NULL: nothing */
} gated;

static const gated gates[] = {
    {"elicitation/create", "{\"mode\":\"url\"}", "{\"elicitation\":{}}", "elicitation.url"},
    {"elicitation/create", "{\"mode\":\"\\u0075rl\"}", "{\"elicitation\":{}}", "elicitation.url"},
    {"elicitation/create", "{\"mode\":\"url\"}", "{\"elicitation\":{\"url\":{}}}", NULL},
    {"elicitation/create", "{\"mode\":\"form\"}", "{\"elicitation\":{}}", NULL},
    {"elicitation/create", "{}", "{\"elicitation\":{}}", NULL},
    {"sampling/createMessage", "{\"tools\":[]}", "{\"sampling\":{}}", "sampling.tools"},
    {"sampling/createMessage", "{\"toolChoice\":{}}", "{\"sampling\":{}}", "sampling.tools"},
    {"sampling/createMessage", "{\"tools\":[]}", "{\"sampling\":{\"tools\":{}}}", NULL},
    {"sampling/createMessage", "{}", "{\"sampling\":{}}", NULL},
};

/* As a message of its own it is refused; inside a result there is nothing to answer. */
static void a_client_refuses_params_that_it_has_not_declared(void) {
    static const mcpw_rule rule = MCPW_RULE_CAPABILITY;
    for (size_t k = 0; k < sizeof gates / sizeof *gates; k++) {
        static const char *const names[] = {"2025-11-25", "2026-07-28"};
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            const mcpw_revision *const revision = mcpw_find_revision(names[i]);
            const row r = {.from = MCPW_ROLE_SERVER,
                           .kind = MCPW_MESSAGE_REQUEST,
                           .phase = MCPW_PHASE_OPEN,
                           .method = gates[k].method,
                           .params = gates[k].params,
                           .client = gates[k].declared,
                           .inside = i == 1};
            const mcpw_policy_state state = state_of(&r, revision);
            const mcpw_policy_message m = message_of(&r, revision);
            mcpw_verdict v = {0};
            CHECK(mcpw_policy_breaks(rule, &state, &m, &v) == (gates[k].lacking != NULL));
            if (gates[k].lacking != NULL) {
                CHECK_STRING(v.capability, gates[k].lacking);
                CHECK(v.code == (r.inside ? 0 : MCPW_RPC_INVALID_PARAMS));
                CHECK(mcpw_policy_admits(&state, &m, &v) == r.inside);
            } else {
                CHECK(mcpw_policy_admits(&state, &m, &v));
            }
        }
    }
}

/* Params that were decoded are asked as their text is. */
static void a_gate_reads_params_that_were_decoded(void) {
    static const char *const texts[] = {
        "{\"mode\":\"url\",\"message\":\"m\",\"url\":\"http://h/\",\"elicitationId\":\"e\"}",
        "{\"mode\":\"form\",\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}"};
    const mcpw_revision *const revision = mcpw_find_revision("2025-11-25");
    const row r = {.from = MCPW_ROLE_SERVER,
                   .kind = MCPW_MESSAGE_REQUEST,
                   .phase = MCPW_PHASE_OPEN,
                   .method = "elicitation/create",
                   .client = "{\"elicitation\":{}}"};
    for (int i = 0; i < 2; i++) {
        const mcpw_policy_state state = state_of(&r, revision);
        mcpw_policy_message m = message_of(&r, revision);
        mcpw_arena arena = MCPW_ARENA_INIT;
        mcpw_verdict v = {0};
        m.type = mcpw_method_params(mcpw_method_entry(revision, m.method));
        void *const value = mcpw_arena_alloc(&arena, mcpw_type_size(m.type));
        CHECK(mcpw_decode(m.type, texts[i], strlen(texts[i]), &arena, value, NULL, NULL) == MCPW_OK);
        m.value = value;
        CHECK(mcpw_policy_breaks(MCPW_RULE_CAPABILITY, &state, &m, &v) == (i == 0));
        mcpw_arena_free(&arena);
    }
}

static void tasks_are_made_by_who_has_declared_them(void) {
    static const char yes[] = "{\"tasks\":{\"requests\":{\"tools\":{\"call\":{}}}}}";
    size_t count = 0;
    const mcpw_revision *const *const revisions = all(&count);
    for (size_t i = 0; i < count; i++) {
        const int call = number_of(revisions[i], "tools/call");
        const bool has_tasks = number_of(revisions[i], "tasks/get") != 0;
        CHECK(mcpw_declares_tasks(declared(yes), revisions[i], call) == has_tasks);
        CHECK(!mcpw_declares_tasks(declared("{\"tasks\":{}}"), revisions[i], call));
        CHECK(!mcpw_declares_tasks(declared(yes), revisions[i], number_of(revisions[i], "tools/list")));
        CHECK(!mcpw_declares_tasks(declared(yes), revisions[i], 0));
    }
}

/* The peer's text is cut, and not in the middle of a character. */
static void long_names_are_cut(void) {
    char name[200];
    const mcpw_revision *const revision = mcpw_find_revision("2025-11-25");
    mcpw_policy_state state = {.phase = MCPW_PHASE_OPEN};
    mcpw_policy_message m = {.from = MCPW_ROLE_CLIENT, .kind = MCPW_MESSAGE_REQUEST};
    mcpw_verdict v = {0};
    memset(name, 'x', sizeof name);
    memcpy(name + 59, "\xc3\xa4", 2);
    m.revision = revision;
    m.name.ptr = name;
    m.name.len = sizeof name;
    CHECK(!mcpw_policy_admits(&state, &m, &v));
    CHECK(v.rule == MCPW_RULE_METHOD_UNKNOWN && strstr(v.text, "x...\"") != NULL);
    CHECK(strlen(v.text) == strlen("no revision has a method \"\"") + 59 + strlen("..."));
}

int main(void) {
    RUN(each_rule_is_kept_and_broken_where_it_holds);
    RUN(a_method_is_found_by_its_name);
    RUN(every_rule_has_a_name_and_a_row);
    RUN(batches_are_refused_where_the_revision_has_none);
    RUN(a_request_may_name_a_revision_without_handshake);
    RUN(initialize_may_name_a_revision_with_handshake);
    RUN(a_revision_that_is_not_known_is_refused_by_its_code);
    RUN(what_was_agreed_on_holds);
    RUN(a_client_refuses_params_that_it_has_not_declared);
    RUN(a_gate_reads_params_that_were_decoded);
    RUN(tasks_are_made_by_who_has_declared_them);
    RUN(long_names_are_cut);
    return check_end();
}
