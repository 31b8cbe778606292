/* SPDX-License-Identifier: MIT */
/*
 * One statement of each rule: a session of the library and mcpwire tap see the same conversation, and what
 * tap reports by a rule of <mcpw/policy.h> the session treats as the rule says; in every revision that the
 * library holds. The tap is the command's own, but for its report, which is gathered here.
 */
#include <mcpw/policy.h>

#include "session_harness.h"
#include "tap_watch.h"

enum { LEGACY = 1, STATELESS = 2, ANY = LEGACY | STATELESS, MOST_FOUND = 8 };

/* ---- A tap whose findings are gathered ---- */

typedef struct gathered {
    tap_report report; /* first: what the tap knows it by */
    mcpw_rule rules[MOST_FOUND];
    size_t count;
} gathered;

void tap_report_finding(tap_report *r, side from, uint64_t number, const talk_message *m, const finding *f) {
    gathered *const all = (gathered *)(void *)r;
    (void)from;
    (void)number;
    (void)m;
    if (all->count < MOST_FOUND && rules_policy(f->rule) != MCPW_RULE_NONE) {
        CHECK_STRING(rules_get(f->rule)->code, mcpw_rule_name(rules_policy(f->rule)));
        all->rules[all->count++] = rules_policy(f->rule);
    }
}

void tap_report_message(tap_report *r, const talk_message *m) {
    (void)r;
    (void)m;
}

void tap_report_bytes(tap_report *r, side from, uint64_t count) {
    (void)r;
    (void)from;
    (void)count;
}

void tap_report_line(tap_report *r, side from, mcpw_str line, uint64_t bytes) {
    (void)r;
    (void)from;
    (void)line;
    (void)bytes;
}

void tap_report_late(tap_report *r) { (void)r; }

void tap_report_refused(tap_report *r, side from, mcpw_str id, uint64_t status) {
    (void)r;
    (void)from;
    (void)id;
    (void)status;
}

static bool reports(const gathered *all, mcpw_rule rule) {
    for (size_t i = 0; i < all->count; i++) {
        if (all->rules[i] == rule) {
            return true;
        }
    }
    return false;
}

/* ---- A session with a tap before it ---- */

typedef struct stage {
    end *e;
    watch tap;
    gathered found;
} stage;

static side side_of(mcpw_role role) { return role == MCPW_ROLE_CLIENT ? CLIENT : SERVER; }

static void see(stage *s, side from, const char *line) {
    watch_bytes(&s->tap, from, line, strlen(line));
    watch_bytes(&s->tap, from, "\n", 1);
}

/* A line of the scripted peer's. */
static void tell(stage *s, const char *line) {
    see(s, talk_other(side_of(s->e->config.role)), q(line));
    say(s->e, line);
}

/* The next line of the session's; "": none. */
static const char *hear(stage *s) {
    const char *const line = heard(s->e);
    if (*line != '\0') {
        see(s, side_of(s->e->config.role), line);
    }
    return line;
}

static mcpw_status list_no_tools(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, cacheable(e, "'tools':[]"));
}

static mcpw_status list_no_roots(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, "{'roots':[]}");
}

static mcpw_status decline(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, "{'action':'decline'}");
}

static void hear_nothing(end *e, const void *params) {
    (void)e;
    (void)params;
}

static void stage_begin(stage *s, mcpw_role role, const mcpw_revision *revision) {
    const watch_settings settings = {.max_bytes = HARNESS_TEXT, .max_open = HARNESS_SLOTS};
    memset(s, 0, sizeof *s);
    watch_init(&s->tap, &settings, &s->found.report);
    s->e = end_make(role, mcpw_revision_name(revision), mcpw_revision_name(revision));
    s->e->unchecked = true;
    s->e->config.revisions = mcpw_revision_name(revision);
    if (role == MCPW_ROLE_SERVER) {
        end_serve(s->e, "tools/list", list_no_tools);
        end_serve(s->e, "tools/call", keep);
    } else if (mcpw_revision_has_handshake(revision)) {
        end_serve(s->e, "roots/list", list_no_roots);
        end_serve(s->e, "elicitation/create", decline);
        end_and_run_to_idle(s->e, "notifications/tools/list_changed", hear_nothing);
    }
    end_start(s->e);
}

static void stage_end(stage *s) {
    watch_free(&s->tap);
    end_free(s->e);
}

/* How far a scene's conversation goes before its message. With initialize: its answer is not waited for. */
typedef enum opening { NOT_AT_ALL, WITH_INITIALIZE, TO_THE_ANSWER, TO_THE_END } opening;

static void open_server_to(stage *s, opening how_far) {
    if (how_far == NOT_AT_ALL || is_modern(s->e->speaks)) {
        return;
    }
    tell(s, fmt("{'jsonrpc':'2.0','id':'open','method':'initialize','params':{'protocolVersion':'%s',"
                "'capabilities':{},'clientInfo':{'name':'c','version':'1'}}}",
                mcpw_revision_wire(s->e->speaks)));
    if (how_far == WITH_INITIALIZE) {
        return;
    }
    CHECK_HAS(hear(s), "'result'");
    if (how_far == TO_THE_END) {
        tell(s, "{'jsonrpc':'2.0','method':'notifications/initialized'}");
    }
}

static void open_client_to(stage *s, opening how_far) {
    CHECK(mcpw_session_open(s->e->session) == MCPW_OK);
    CHECK_HAS(hear(s), "'method'");
    if (how_far == NOT_AT_ALL) {
        return;
    }
    tell(s, is_modern(s->e->speaks)
                ? fmt("{'jsonrpc':'2.0','id':1,'result':{'resultType':'complete','ttlMs':0,"
                      "'cacheScope':'private','supportedVersions':['%s'],'capabilities':{}}}",
                      mcpw_revision_wire(s->e->speaks))
                : fmt("{'jsonrpc':'2.0','id':1,'result':{'protocolVersion':'%s','capabilities':{},"
                      "'serverInfo':{'name':'s','version':'1'}}}",
                      mcpw_revision_wire(s->e->speaks)));
    (void)hear(s);
    CHECK(s->e->opened == 1 && s->e->open_status == MCPW_OK);
}

/* ---- The scenes ---- */

/* A message of the peer's; rule NONE: nothing is wrong with it. */
typedef struct scene {
    int line;
    mcpw_rule rule;
    mcpw_reaction reaction;
    int32_t code;
    unsigned eras;
    mcpw_role receiver;
    opening opened;
    const char *needs; /* a method that the revision must have, for this scene to be */
    const char *text;  /* the message; $ stands for _meta of a request, @ for the method's revision */
} scene;

#define TO_SERVER MCPW_ROLE_SERVER
#define TO_CLIENT MCPW_ROLE_CLIENT
#define KEPT __LINE__, MCPW_RULE_NONE, MCPW_REACTION_TAKE, 0
#define TAKEN(rule) __LINE__, MCPW_RULE_##rule, MCPW_REACTION_TAKE, 0
#define DROPPED(rule) __LINE__, MCPW_RULE_##rule, MCPW_REACTION_DROP, 0
#define REFUSED(rule, code) __LINE__, MCPW_RULE_##rule, MCPW_REACTION_REFUSE, code
#define REQUEST(method, params) "{'jsonrpc':'2.0','id':7,'method':'" method "','params':{" params "}}"
#define NOTIFICATION(method, params) "{'jsonrpc':'2.0','method':'" method "','params':{" params "}}"
#define ELICITATION "'mode':'url','message':'m','url':'http://h/','elicitationId':'e'"

static const scene scenes[] = {
    {KEPT, ANY, TO_SERVER, TO_THE_END, "tools/list", REQUEST("tools/list", "$")},
    {KEPT, LEGACY, TO_CLIENT, TO_THE_END, "roots/list", REQUEST("roots/list", "")},
    {KEPT, LEGACY, TO_SERVER, NOT_AT_ALL, "ping", REQUEST("ping", "")},
    {KEPT, LEGACY, TO_CLIENT, NOT_AT_ALL, "ping", REQUEST("ping", "")},
    {KEPT, LEGACY, TO_SERVER, TO_THE_ANSWER, "ping", NOTIFICATION("notifications/initialized", "")},
    {REFUSED(BEFORE_INITIALIZE, -32602), LEGACY, TO_SERVER, NOT_AT_ALL, "ping", REQUEST("tools/list", "")},
    {TAKEN(BEFORE_RESPONSE), LEGACY, TO_SERVER, WITH_INITIALIZE, "ping", REQUEST("tools/list", "")},
    {DROPPED(CANCELLED_INITIALIZE), LEGACY, TO_SERVER, WITH_INITIALIZE, "ping",
     NOTIFICATION("notifications/cancelled", "'requestId':'open'")},
    {TAKEN(INITIALIZED_MISSING), LEGACY, TO_SERVER, TO_THE_ANSWER, "ping", REQUEST("tools/list", "")},
    {REFUSED(INITIALIZE_TWICE, -32600), LEGACY, TO_SERVER, TO_THE_END, "ping",
     REQUEST("initialize",
             "'protocolVersion':'@','capabilities':{},'clientInfo':{'name':'c','version':'1'}")},
    {DROPPED(INITIALIZED_ORDER), LEGACY, TO_SERVER, NOT_AT_ALL, "ping",
     NOTIFICATION("notifications/initialized", "")},
    {TAKEN(INITIALIZED_ORDER), LEGACY, TO_SERVER, TO_THE_END, "ping",
     NOTIFICATION("notifications/initialized", "")},
    {TAKEN(SERVER_EARLY), LEGACY, TO_CLIENT, NOT_AT_ALL, "ping", REQUEST("roots/list", "")},
    {REFUSED(METHOD_UNKNOWN, -32601), ANY, TO_SERVER, TO_THE_END, "tools/list", REQUEST("no/such", "$")},
    {REFUSED(METHOD_UNKNOWN, -32601), LEGACY, TO_CLIENT, TO_THE_END, "ping", REQUEST("no/such", "")},
    {DROPPED(METHOD_UNKNOWN), STATELESS, TO_CLIENT, TO_THE_END, "tools/list", REQUEST("no/such", "")},
    {DROPPED(METHOD_UNKNOWN), ANY, TO_SERVER, TO_THE_END, "tools/list", NOTIFICATION("no/such", "")},
    {REFUSED(METHOD_REVISION, -32601), STATELESS, TO_SERVER, TO_THE_END, "tools/list", REQUEST("ping", "$")},
    {REFUSED(METHOD_REVISION, -32601), LEGACY, TO_SERVER, TO_THE_END, "ping", REQUEST("server/discover", "")},
    {DROPPED(METHOD_REVISION), STATELESS, TO_CLIENT, TO_THE_END, "tools/list", REQUEST("ping", "")},
    {REFUSED(DIRECTION, -32601), ANY, TO_SERVER, TO_THE_END, "tools/list", REQUEST("roots/list", "$")},
    {REFUSED(DIRECTION, -32601), LEGACY, TO_CLIENT, TO_THE_END, "ping", REQUEST("tools/list", "")},
    {DROPPED(DIRECTION), STATELESS, TO_CLIENT, TO_THE_END, "tools/list", REQUEST("roots/list", "")},
    {DROPPED(DIRECTION), ANY, TO_SERVER, TO_THE_END, "tools/list",
     NOTIFICATION("notifications/message", "'level':'info','data':1")},
    {TAKEN(CAPABILITY), LEGACY, TO_CLIENT, TO_THE_END, "ping",
     NOTIFICATION("notifications/tools/list_changed", "")},
    {REFUSED(CAPABILITY, -32602), LEGACY, TO_CLIENT, TO_THE_END, "tasks/get",
     REQUEST("elicitation/create", ELICITATION)},
    {REFUSED(EXTENSION, -32021), STATELESS, TO_SERVER, TO_THE_END, "tasks/update",
     REQUEST("tasks/get", "$,'taskId':'1'")},
    {REFUSED(EXTENSION, -32021), STATELESS, TO_SERVER, TO_THE_END, "tasks/update",
     REQUEST("subscriptions/listen", "$,'notifications':{'taskIds':['1']}")},
    {TAKEN(CANCELLED_TASK), LEGACY, TO_SERVER, TO_THE_END, "tasks/get",
     NOTIFICATION("notifications/cancelled", "'requestId':'task'")},
    {REFUSED(VERSION_UNKNOWN, -32022), STATELESS, TO_SERVER, NOT_AT_ALL, "tools/list",
     REQUEST("tools/list", "'_meta':{'io.modelcontextprotocol/protocolVersion':'2099-01-01'}")},
    {REFUSED(VERSION_ERA, -32022), STATELESS, TO_SERVER, NOT_AT_ALL, "tools/list",
     REQUEST("tools/list", "'_meta':{'io.modelcontextprotocol/protocolVersion':'2025-11-25'}")},
    {TAKEN(VERSION_MIXED), LEGACY, TO_SERVER, TO_THE_END, "ping",
     REQUEST("tools/list", "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28'}")},
    {REFUSED(BATCH_INITIALIZE, -32600), LEGACY, TO_SERVER, NOT_AT_ALL, "batches",
     "[" REQUEST("initialize",
                 "'protocolVersion':'@','capabilities':{},'clientInfo':{'name':'c','version':'1'}") "]"},
    {REFUSED(BATCH, -32600), ANY, TO_SERVER, TO_THE_END, "no batches", "[" REQUEST("tools/list", "$") "]"},
};

static bool is_played_in(const scene *about, const mcpw_revision *revision) {
    const bool is_legacy = mcpw_revision_has_handshake(revision);
    const mcpw_policy_state state = {.phase = MCPW_PHASE_OPEN};
    const mcpw_policy_message batch = {
        .from = MCPW_ROLE_CLIENT, .kind = MCPW_MESSAGE_BATCH, .revision = revision};
    mcpw_verdict verdict;
    const bool has_batches = !mcpw_policy_breaks(MCPW_RULE_BATCH, &state, &batch, &verdict);
    if ((about->eras & (is_legacy ? LEGACY : STATELESS)) == 0) {
        return false;
    }
    if (strcmp(about->needs, "batches") == 0 || strcmp(about->needs, "no batches") == 0) {
        return has_batches == (about->needs[0] == 'b');
    }
    return mcpw_method_number(revision, about->needs, strlen(about->needs)) != 0;
}

/* The message with its placeholders filled in. */
static const char *message_of(const stage *s, const scene *about) {
    static char text[HARNESS_TEXT];
    size_t len = 0;
    for (const char *p = about->text; *p != '\0'; p++) {
        const char one[] = {*p, '\0'};
        const char *const put = *p == '$'   ? meta_of(s->e, "{}", "")
                                : *p == '@' ? mcpw_revision_wire(s->e->speaks)
                                            : one;
        len += (size_t)snprintf(text + len, sizeof text - len, "%s", put);
    }
    return text;
}

#define CHECK_SCENE(condition) (void)check_that((condition), __FILE__, about->line, #condition)

/* The session's reaction to the message. */
static void check_reaction(stage *s, const scene *about, int diagnostics_before) {
    const char *const said = hear(s);
    const bool is_noted = s->e->diagnostics[MCPW_DIAGNOSTIC_OUT_OF_ORDER] != diagnostics_before;
    switch (about->reaction) {
    case MCPW_REACTION_REFUSE:
        CHECK_SCENE(has(said, fmt("'error':{'code':%d", (int)about->code)));
        break;
    case MCPW_REACTION_DROP:
        /* The messages sent with initialize are read after it was answered: late, which is not a fault. */
        CHECK_SCENE(*said == '\0' && is_noted == (about->opened != WITH_INITIALIZE));
        break;
    case MCPW_REACTION_TAKE:
    default:
        CHECK_SCENE(!has(said, "'error'") && !is_noted);
        break;
    }
}

static void play(const scene *about, const mcpw_revision *revision) {
    stage s;
    stage_begin(&s, about->receiver, revision);
    (about->receiver == MCPW_ROLE_SERVER ? open_server_to : open_client_to)(&s, about->opened);
    if (about->rule == MCPW_RULE_CANCELLED_TASK) {
        tell(&s, "{'jsonrpc':'2.0','id':'task','method':'tools/call','params':{'name':'t','task':{}}}");
    }
    s.found.count = 0;
    const int diagnostics_before = s.e->diagnostics[MCPW_DIAGNOSTIC_OUT_OF_ORDER];
    tell(&s, message_of(&s, about));
    CHECK_SCENE(about->rule == MCPW_RULE_NONE ? s.found.count == 0 : reports(&s.found, about->rule));
    if (about->opened == WITH_INITIALIZE) {
        CHECK_SCENE(has(hear(&s), "'result'"));
    }
    check_reaction(&s, about, diagnostics_before);
    stage_end(&s);
}

static void what_tap_reports_a_session_treats_as_the_rule_says(void) {
    size_t count = 0;
    const mcpw_revision *const *const revisions = mcpw_revisions(&count);
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        size_t played = 0;
        for (size_t i = 0; i < count; i++) {
            if (is_played_in(scenes + k, revisions[i])) {
                play(scenes + k, revisions[i]);
                played++;
            }
        }
        (void)check_that(played != 0, __FILE__, scenes[k].line, "a revision has this scene");
    }
}

static void every_rule_has_a_scene(void) {
    for (mcpw_rule rule = MCPW_RULE_BATCH; rule < MCPW_RULE_COUNT; rule++) {
        bool has_scene = false;
        for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
            has_scene = has_scene || scenes[k].rule == rule;
        }
        (void)check_that(has_scene, __FILE__, __LINE__, mcpw_rule_name(rule));
    }
}

/* The tap reports by each rule of the policy, under its name. */
static void every_rule_of_the_policy_is_one_of_the_report(void) {
    bool found[MCPW_RULE_COUNT] = {false};
    for (int id = 0; id < RULE_COUNT; id++) {
        const mcpw_rule rule = rules_policy((rule_id)id);
        if (rule != MCPW_RULE_NONE) {
            CHECK(!found[rule]);
            CHECK_STRING(rules_get((rule_id)id)->code, mcpw_rule_name(rule));
            found[rule] = true;
        }
    }
    for (mcpw_rule rule = MCPW_RULE_BATCH; rule < MCPW_RULE_COUNT; rule++) {
        CHECK(found[rule]);
    }
}

/* The rule by which a tap that is given a set of revisions reports ping in a revision that has none; NONE
 * when it reports nothing. */
static mcpw_rule ping_breaks(const mcpw_library *library) {
    static const char ping[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    const watch_settings settings = {.revision = mcpw_find_revision("2026-07-28"),
                                     .max_bytes = HARNESS_TEXT,
                                     .max_open = HARNESS_SLOTS,
                                     .library = library};
    watch tap;
    gathered found;
    memset(&found, 0, sizeof found);
    watch_init(&tap, &settings, &found.report);
    watch_bytes(&tap, CLIENT, ping, sizeof ping - 1);
    watch_free(&tap);
    for (size_t i = 0; i < found.count; i++) {
        if (found.rules[i] == MCPW_RULE_METHOD_REVISION || found.rules[i] == MCPW_RULE_METHOD_UNKNOWN) {
            return found.rules[i];
        }
    }
    return MCPW_RULE_NONE;
}

static void other_revisions_are_those_of_the_set_that_the_tap_is_given(void) {
    mcpw_library library = {0};
    CHECK(mcpw_library_add(&library, mcpw_find_revision("2026-07-28"), NULL) == MCPW_OK);
    CHECK(ping_breaks(NULL) == MCPW_RULE_METHOD_REVISION);
    CHECK(ping_breaks(&library) == MCPW_RULE_METHOD_UNKNOWN);
    CHECK(mcpw_library_add(&library, mcpw_find_revision("2025-11-25"), NULL) == MCPW_OK);
    CHECK(ping_breaks(&library) == MCPW_RULE_METHOD_REVISION);
}

int main(void) {
    RUN(what_tap_reports_a_session_treats_as_the_rule_says);
    RUN(every_rule_has_a_scene);
    RUN(every_rule_of_the_policy_is_one_of_the_report);
    RUN(other_revisions_are_those_of_the_set_that_the_tap_is_given);
    return check_end();
}
