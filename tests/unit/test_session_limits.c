/* SPDX-License-Identifier: MIT */
/* Each limit of a session, as SECURITY.md lists them: what is just below it, at it, and just beyond it. */

#include <mcpw/server.h>

#include "core/core.h"
#include "session_asking.h"

enum { BELOW = -1, AT = 0, BEYOND = 1 };

/* ---- max_message ---- */

static void a_message_may_have_max_message_bytes(void) {
    enum { LIMIT = 1000 };
    static const char ping[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    for (int by = BELOW; by <= BEYOND; by++) {
        end *const e = server_of(HANDSHAKE, HANDSHAKE);
        char line[LIMIT + BEYOND];
        e->config.max_message = LIMIT;
        open_server(e);
        memset(line, ' ', sizeof line);
        memcpy(line, ping, sizeof ping - 1);
        CHECK(say_bytes(e, line, (size_t)(LIMIT + by)) == MCPW_OK);
        CHECK_HAS(heard(e), by <= AT ? "'id':1,'result':{}" : "the message is too long");
        EXPECT(e, "");
        end_free(e);
    }
}

/* ---- max_output ---- */

static void nothing_is_handled_while_max_output_bytes_wait(void) {
    static const char pong[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
    for (int by = BELOW; by <= BEYOND; by++) {
        end *const e = server_of(HANDSHAKE, HANDSHAKE);
        const char *bytes = NULL;
        e->config.max_output = 1000;
        open_server(e);
        run_to_idle(e);
        ((mcpw_session_config *)e->session->config)->max_output =
            (size_t)((int)sizeof pong - 1 - by); /* what waits is limit + by */
        say(e, "{'jsonrpc':'2.0','id':1,'method':'ping'}");
        CHECK(mcpw_session_output(e->session, &bytes) == sizeof pong - 1);
        CHECK(mcpw_session_wants_input(e->session) == (by < AT));
        say(e, "{'jsonrpc':'2.0','id':2,'method':'ping'}");
        CHECK(mcpw_session_output(e->session, &bytes) == (sizeof pong - 1) * (by < AT ? 2 : 1));
        CHECK_HAS(heard(e), "'id':1");
        CHECK_HAS(heard(e), "'id':2"); /* it was held, not lost */
        end_free(e);
    }
}

/* ---- max_requests: requests, and what is watched ---- */

static void max_requests_may_be_in_flight(void) {
    enum { LIMIT = 3 };
    for (int i = 0; i < revision_count(); i++) {
        end *const e = server_of(revision_at(i), MODERN);
        e->config.max_requests = LIMIT;
        end_serve(e, "tools/call", keep);
        open_server(e);
        for (int id = 1; id <= LIMIT; id++) {
            say_request(e, fmt("%d", id), "tools/call", "'name':'t'");
            EXPECT(e, "");
        }
        say_request(e, "9", "tools/call", "'name':'t'");
        CHECK_HAS(heard(e), "'id':9,'error':{'code':-32600,'message':'Invalid Request: too many requests");
        CHECK(answer(e, e->kept, "{'content':[]}") == MCPW_OK);
        CHECK_HAS(heard(e), fmt("'id':%d,'result'", LIMIT));
        say_request(e, "10", "tools/call", "'name':'t'");
        EXPECT(e, "");
        end_free(e);
    }
}

static mcpw_status read_one(end *e, mcpw_request *request, const void *params) {
    (void)params;
    return answer(e, request, cacheable(e, "'contents':[{'uri':'a:b','text':'x'}]"));
}

static void on_watch(void *user, mcpw_session *session, mcpw_str uri, bool watched, int64_t *number) {
    (void)session;
    (void)uri;
    (void)number;
    ((end *)user)->told += watched ? 1 : -1;
}

static end *server_watched(const char *speaks, size_t limit) {
    end *const e = server_of(speaks, MODERN);
    e->config.max_requests = limit;
    e->config.on_watch = on_watch;
    end_serve(e, "resources/read", read_one);
    open_server(e);
    run_to_idle(e);
    return e;
}

static void max_requests_resources_may_be_subscribed_to(void) {
    enum { LIMIT = 5 };
    for (int i = 0; i < legacy_count(); i++) {
        end *const e = server_watched(revision_at(i), LIMIT);
        for (int id = 1; id <= LIMIT; id++) {
            say_request(e, fmt("%d", id), "resources/subscribe", fmt("'uri':'a:%d'", id));
            CHECK_HAS(heard(e), "'result':{}");
        }
        say_request(e, "7", "resources/subscribe", "'uri':'a:1'"); /* is already */
        CHECK_HAS(heard(e), "'result':{}");
        say_request(e, "8", "resources/subscribe", "'uri':'a:8'");
        CHECK_HAS(heard(e),
                  "'id':8,'error':{'code':-32602,'message':'Invalid params: too many subscriptions'");
        say_request(e, "9", "resources/unsubscribe", "'uri':'a:2'");
        CHECK_HAS(heard(e), "'result':{}");
        say_request(e, "10", "resources/subscribe", "'uri':'a:8'");
        CHECK_HAS(heard(e), "'result':{}");
        CHECK(e->told == LIMIT);
        end_free(e);
    }
}

/* Asks to be told of that many resources; whether that was granted. */
static bool listen_to(end *e, const char *id, int count) {
    char uris[HARNESS_TEXT] = "";
    for (int i = 0; i < count; i++) {
        const size_t len = strlen(uris);
        (void)snprintf(uris + len, sizeof uris - len, "%s'a:%d'", i != 0 ? "," : "", i);
    }
    say_request(e, id, "subscriptions/listen", fmt("'notifications':{'resourceSubscriptions':[%s]}", uris));
    const char *const line = heard(e);
    const bool granted = has(line, "notifications/subscriptions/acknowledged");
    CHECK(granted || has(line, fmt("'id':%s,'error':{'code':-32602,'message':'Invalid params: too many "
                                   "subscriptions'",
                                   id)));
    return granted;
}

static void max_requests_resources_may_be_listened_to(void) {
    enum { LIMIT = 5 };
    for (int by = BELOW; by <= BEYOND; by++) {
        end *const e = server_watched(MODERN, LIMIT);
        CHECK(listen_to(e, "1", LIMIT + by) == (by <= AT));
        end_free(e);
    }
}

static void all_subscriptions_count_together(void) {
    enum { LIMIT = 5 };
    end *const e = server_watched(MODERN, LIMIT);
    CHECK(listen_to(e, "1", 2));
    CHECK(!listen_to(e, "2", LIMIT - 1));
    CHECK(listen_to(e, "3", LIMIT - 2));
    CHECK(!listen_to(e, "4", 1));
    CHECK(listen_to(e, "5", 0));
    say(e, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':1}}");
    CHECK(listen_to(e, "6", 2));
    CHECK(!listen_to(e, "7", 1));
    end_free(e);
}

/* ---- max_request_bytes ---- */

enum { LARGE = 30000 };

static void say_large(end *e, const char *id) {
    static char text[LARGE + 1];
    memset(text, 'x', LARGE);
    say_request(e, id, "tools/call", fmt("'name':'t','arguments':{'a':'%s'}", text));
}

/* The memory of so many requests in flight. */
static size_t held_by(int count, size_t limit) {
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    e->config.max_request_bytes = limit;
    end_serve(e, "tools/call", keep);
    open_server(e);
    for (int id = 1; id <= count; id++) {
        say_large(e, fmt("%d", id));
    }
    const size_t held = e->session->served.held_bytes;
    end_free(e);
    return held;
}

/* The filter of a subscription is kept as long as the request is. */
static void what_a_subscription_holds_is_counted(void) {
    enum { MANY = 900, STEP = 250, MOST = 1 << 20 };
    size_t limit = STEP;
    bool refused = false;
    bool granted = false;
    while (!granted && limit < MOST) {
        end *const e = server_of(MODERN, MODERN);
        e->config.max_requests = MANY;
        e->config.max_request_bytes = limit;
        e->config.on_watch = on_watch;
        e->unchecked = true;
        end_serve(e, "resources/read", read_one);
        end_serve(e, "tools/call", keep);
        open_server(e);
        say_large(e, "0"); /* what is free is less than one request alone may take */
        run_to_idle(e);
        const size_t before = e->session->served.held_bytes;
        char uris[HARNESS_TEXT] = "";
        for (int i = 0; i < MANY; i++) {
            const size_t len = strlen(uris);
            (void)snprintf(uris + len, sizeof uris - len, "%s'a:%d'", i != 0 ? "," : "", i);
        }
        say_request(e, "1", "subscriptions/listen",
                    fmt("'notifications':{'resourceSubscriptions':[%s]}", uris));
        const char *const line = heard(e);
        refused = refused || has(line, "'message':'Invalid params: too many subscriptions'");
        granted = has(line, "acknowledged");
        CHECK(granted ? e->session->served.held_bytes <= limit : e->session->served.held_bytes == before);
        end_free(e);
        limit += STEP;
    }
    CHECK(refused && granted);
}

static void requests_in_flight_may_hold_max_request_bytes(void) {
    enum { COUNT = 4 };
    const size_t all = held_by(COUNT, 0);
    CHECK(all > COUNT * LARGE && all < 3 * COUNT * LARGE);
    for (int by = BELOW; by <= BEYOND; by++) {
        end *const e = server_of(HANDSHAKE, HANDSHAKE);
        e->config.max_request_bytes = (size_t)((int)all - by); /* what they hold is limit + by */
        end_serve(e, "tools/call", keep);
        open_server(e);
        for (int id = 1; id <= COUNT; id++) {
            say_large(e, fmt("%d", id));
            const char *const line = heard(e);
            if (id < COUNT || by <= AT) {
                CHECK_STRING(line, "");
            } else {
                CHECK_HAS(line, "'id':4,'error':{'code':-32600,'message':'Invalid Request: the requests in "
                                "flight hold too much memory'");
            }
        }
        end_free(e);
    }
}

/* The memory of one large request with that limit; 0: it does not fit. */
static size_t taken_by_one(size_t limit) {
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    e->config.max_request_bytes = limit;
    end_serve(e, "tools/call", keep);
    open_server(e);
    say_large(e, "1");
    const size_t taken = e->kept != NULL ? e->kept->arena.total : 0;
    if (taken == 0) {
        CHECK_HAS(heard(e), "'id':1,'error':{'code':");
    }
    end_free(e);
    return taken;
}

/* The least that is enough is found; with one byte less the request is refused. */
static void one_request_may_hold_max_request_bytes(void) {
    size_t too_few = LARGE;
    size_t enough = (size_t)16 * LARGE;
    while (enough - too_few > 1) {
        const size_t middle = too_few + (enough - too_few) / 2;
        *(taken_by_one(middle) != 0 ? &enough : &too_few) = middle;
    }
    CHECK(taken_by_one(enough - 1) == 0);
    CHECK(taken_by_one(enough) == enough);
    const size_t with_more = taken_by_one(enough + 1);
    CHECK(with_more >= LARGE && with_more <= enough + 1);
}

static void answer_all(end *e) {
    while (e->session->served.in_flight != NULL) {
        CHECK(answer(e, e->session->served.in_flight, "{'content':[]}") == MCPW_OK);
        CHECK_HAS(heard(e), "'result'");
    }
}

/* The memory of earlier requests is not charged to later ones that use it again. */
static void memory_that_is_kept_for_requests_to_come_is_not_counted(void) {
    enum { FEW = 5, MANY = 20 };
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    e->config.max_request_bytes = held_by(FEW, 0) + LARGE;
    end_serve(e, "tools/call", keep);
    open_server(e);
    for (int id = 1; id <= FEW; id++) {
        say_large(e, fmt("%d", id));
        EXPECT(e, "");
    }
    answer_all(e);
    for (int id = 1; id <= MANY; id++) {
        say_request(e, fmt("%d", id), "tools/call", "'name':'t'");
        EXPECT(e, "");
    }
    end_free(e);
}

/* However a client goes about it, what is kept for requests to come stays within its own bound. */
static void memory_that_is_kept_has_a_bound(void) {
    enum { ROUNDS = 3, MANY = 200 };
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    end_serve(e, "tools/call", keep);
    open_server(e);
    for (int round = 0; round < ROUNDS; round++) {
        for (int id = 0; id < MANY; id++) {
            say_large(e, fmt("%d", round * MANY + id));
        }
        answer_all(e);
        for (int id = 0; id < MANY; id++) { /* each takes the memory of a large one, and stays */
            say_request(e, fmt("'%d/%d'", round, id), "tools/call", "'name':'t'");
        }
        CHECK(e->session->served.kept_bytes <= MCPW_KEPT_BYTES);
    }
    CHECK(e->memory.in_use < MCPW_KEPT_BYTES + ROUNDS * MANY * 16384U);
    end_free(e);
}

/* ---- Capabilities ---- */

/* Capabilities of exactly so many bytes. */
static char *capabilities_of(size_t size) {
    static const char head[] = "{\"experimental\":{\"";
    static const char tail[] = "\":{}}}";
    char *const text = malloc(size + 1);
    memset(text, 'x', size);
    memcpy(text, head, sizeof head - 1);
    memcpy(text + size - (sizeof tail - 1), tail, sizeof tail);
    return text;
}

static void a_client_may_declare_65536_bytes(void) {
    enum { LIMIT = 65536 };
    for (int by = BELOW; by <= BEYOND; by++) {
        end *const e = server_of(HANDSHAKE, HANDSHAKE);
        char *const capabilities = capabilities_of((size_t)(LIMIT + by));
        mcpw_buffer line = MCPW_BUFFER_INIT;
        mcpw_text text = {line, MCPW_OK};
        end_start(e);
        mcpw_text_put(
            &text, q("{'jsonrpc':'2.0','id':1,'method':'initialize','params':{'protocolVersion':'2025-11-25',"
                     "'clientInfo':{'name':'c','version':'1'},'capabilities':"));
        mcpw_text_put(&text, capabilities);
        mcpw_text_put(&text, "}}");
        CHECK(text.status == MCPW_OK);
        CHECK(say_bytes(e, text.buffer.data, text.buffer.len) == MCPW_OK);
        CHECK_HAS(
            heard(e),
            by <= AT
                ? "'id':1,'result'"
                : "'id':1,'error':{'code':-32602,'message':'Invalid params: /params/capabilities: too long'");
        if (by > AT) { /* another attempt is as good as the first, and takes no more memory */
            const size_t before = e->memory.in_use;
            CHECK(say_bytes(e, text.buffer.data, text.buffer.len) == MCPW_OK);
            run_to_idle(e);
            CHECK(e->memory.in_use == before);
            open_server(e);
        }
        mcpw_text_free(&text);
        free(capabilities);
        end_free(e);
    }
}

/* ---- clientInfo ---- */

/* An initialize by a client of that name, which says some more about itself. */
static mcpw_text introduction(size_t name_len, size_t more_len) {
    mcpw_text text = MCPW_TEXT_INIT;
    mcpw_text_put(&text, q("{'jsonrpc':'2.0','id':1,'method':'initialize','params':{'protocolVersion':"
                           "'2025-11-25','capabilities':{},'clientInfo':{'name':'"));
    for (size_t i = 0; i < name_len; i++) {
        mcpw_text_put(&text, "n");
    }
    mcpw_text_put(&text, q("','version':'1','title':'"));
    for (size_t i = 0; i < more_len; i++) {
        mcpw_text_put(&text, "t");
    }
    mcpw_text_put(&text, q("'}}}"));
    CHECK(text.status == MCPW_OK);
    return text;
}

static void a_client_may_say_65536_bytes_about_itself(void) {
    enum { LIMIT = 65536 };
    static const char around[] = "{\"name\":\"c\",\"version\":\"1\",\"title\":\"\"}";
    for (int by = BELOW; by <= BEYOND; by++) {
        end *const e = server_of(HANDSHAKE, HANDSHAKE);
        mcpw_text text = introduction(1, (size_t)(LIMIT - (int)sizeof around + 1 + by));
        end_start(e);
        CHECK(say_bytes(e, text.buffer.data, text.buffer.len) == MCPW_OK);
        CHECK_HAS(heard(e), "'id':1,'result'");
        const mcpw_json info = mcpw_session_peer_info(e->session);
        const mcpw_json whole = mcpw_json_from(q("{'name':'n','version':'1'}"));
        CHECK(by <= AT ? info.len == (size_t)(LIMIT + by) : mcpw_json_equal(info, whole));
        mcpw_text_free(&text);
        end_free(e);
    }
}

static void a_client_whose_name_is_longer_is_refused_and_leaves_nothing(void) {
    enum { LONG = 1 << 20 };
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    mcpw_text text = introduction(LONG, 0);
    end_start(e);
    CHECK(say_bytes(e, text.buffer.data, text.buffer.len) == MCPW_OK);
    CHECK_HAS(heard(e),
              "'id':1,'error':{'code':-32602,'message':'Invalid params: /params/clientInfo: too long'");
    const size_t before = e->memory.in_use;
    CHECK(say_bytes(e, text.buffer.data, text.buffer.len) == MCPW_OK);
    run_to_idle(e);
    CHECK(e->memory.in_use == before && mcpw_session_peer_info(e->session).ptr == NULL);
    open_server(e);
    mcpw_text_free(&text);
    end_free(e);
}

/* ---- serverInfo, capabilities and instructions of a server ---- */

/* An answer to initialize that has so many bytes between two texts. */
static void answer_initialize(end *e, const char *before, size_t len, const char *behind) {
    mcpw_text text = MCPW_TEXT_INIT;
    end_start(e);
    CHECK(mcpw_session_open(e->session) == MCPW_OK);
    CHECK_HAS(heard(e), "'id':1,'method':'initialize'");
    mcpw_text_put(&text, q("{'jsonrpc':'2.0','id':1,'result':{'protocolVersion':'2025-11-25',"));
    mcpw_text_put(&text, q(before));
    for (size_t i = 0; i < len; i++) {
        mcpw_text_put(&text, "x");
    }
    mcpw_text_put(&text, q(behind));
    CHECK(text.status == MCPW_OK);
    (void)!say_bytes(e, text.buffer.data, text.buffer.len); /* it may close the session */
    mcpw_text_free(&text);
    run_to_idle(e);
}

static end *client_that_shakes_hands(void) {
    end *const e = client_of(HANDSHAKE, HANDSHAKE);
    e->config.revisions = HANDSHAKE;
    return e;
}

static void a_server_may_declare_65536_bytes(void) {
    enum { LIMIT = 65536 };
    static const char around[] = "{\"experimental\":{\"a\":{\"b\":\"\"}}}";
    for (int by = BELOW; by <= BEYOND; by++) {
        end *const e = client_that_shakes_hands();
        answer_initialize(
            e, "'serverInfo':{'name':'s','version':'1'},'capabilities':{'experimental':{'a':{'b':'",
            (size_t)(LIMIT + 1 - (int)sizeof around + by), "'}}}}}");
        CHECK(e->opened == 1 && e->open_status == (by <= AT ? MCPW_OK : MCPW_E_SIZE));
        end_free(e);
    }
}

static void a_server_may_say_65536_bytes_about_itself(void) {
    enum { LIMIT = 65536, FAR = 1 << 20 };
    static const char around[] = "{\"name\":\"s\",\"version\":\"1\",\"title\":\"\"}";
    for (int by = BELOW; by <= BEYOND; by++) {
        end *const e = client_that_shakes_hands();
        answer_initialize(e, "'capabilities':{},'serverInfo':{'name':'s','version':'1','title':'",
                          (size_t)(LIMIT + 1 - (int)sizeof around + by), "'}}}");
        const mcpw_json info = mcpw_session_peer_info(e->session);
        CHECK(e->open_status == MCPW_OK);
        CHECK(by <= AT ? info.len == (size_t)(LIMIT + by)
                       : mcpw_json_equal(info, mcpw_json_from(q("{'name':'s','version':'1'}"))));
        end_free(e);
    }
    end *const e = client_that_shakes_hands(); /* whose name is too long is nobody */
    answer_initialize(e, "'capabilities':{},'serverInfo':{'version':'1','name':'", FAR, "'}}}");
    CHECK(e->open_status == MCPW_OK && mcpw_session_peer_info(e->session).ptr == NULL);
    end_free(e);
}

static void a_server_may_give_a_mebibyte_of_instructions(void) {
    enum { LIMIT = 1 << 20 };
    for (int by = BELOW; by <= BEYOND; by++) {
        end *const e = client_that_shakes_hands();
        answer_initialize(e, "'capabilities':{},'serverInfo':{'name':'s','version':'1'},'instructions':'",
                          (size_t)(LIMIT + by), "'}}");
        const mcpw_str text = mcpw_session_instructions(e->session);
        CHECK(e->open_status == MCPW_OK && text.len == (by <= AT ? (size_t)(LIMIT + by) : 0));
        CHECK(e->diagnostics[MCPW_DIAGNOSTIC_BAD_MESSAGE] == (by > AT));
        e->diagnostics[MCPW_DIAGNOSTIC_BAD_MESSAGE] = 0;
        end_free(e);
    }
}

/* ---- Answers to input requests ---- */

static mcpw_status ask_twice(end *e, mcpw_request *request, const void *params) {
    const mcpw_status first = ask(e, request, "a", "roots/list", NULL, NULL, 0);
    const mcpw_status second = ask(e, request, "b", "sampling/createMessage", SAMPLE, NULL, 0);
    if (first == MCPW_PENDING || second == MCPW_PENDING) {
        return MCPW_PENDING;
    }
    return first == MCPW_OK && second == MCPW_OK ? say_hello(e, request, params) : first;
}

/* Answers an input request by one root, whose URI has so many bytes. */
static void answer_roots(end *e, int id, size_t len) {
    mcpw_text text = MCPW_TEXT_INIT;
    mcpw_text_put(&text, q(fmt("{'jsonrpc':'2.0','id':%d,'result':{'roots':[{'uri':'file:///", id)));
    for (size_t i = 0; i < len; i++) {
        mcpw_text_put(&text, "x");
    }
    mcpw_text_put(&text, q("'}]}}"));
    CHECK(text.status == MCPW_OK && say_bytes(e, text.buffer.data, text.buffer.len) == MCPW_OK);
    mcpw_text_free(&text);
}

static void answers_that_wait_for_others_are_held_to_max_request_bytes(void) {
    enum { MANY = 30, LONG = 50000, LIMIT = 500000, SLACK = 300000 };
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    e->config.max_request_bytes = LIMIT;
    end_serve(e, "tools/call", ask_twice);
    open_server(e);
    for (int i = 1; i <= MANY; i++) {
        say_request(e, fmt("%d", 100 + i), "tools/call", "'name':'t'");
    }
    run_to_idle(e);
    const size_t before = e->memory.in_use;
    for (int i = 1; i <= MANY; i++) {
        answer_roots(e, 2 * i - 1, LONG);
    }
    CHECK(e->memory.in_use > before + LIMIT / 2 && e->memory.in_use < before + LIMIT + SLACK);
    CHECK(e->session->served.held_bytes <= LIMIT);
    say(e, "{'jsonrpc':'2.0','id':2,'result':" SAMPLED "}");
    CHECK_HAS(heard(e), "'id':101,'result'");
    say(e, fmt("{'jsonrpc':'2.0','id':%d,'result':" SAMPLED "}", 2 * MANY));
    CHECK_HAS(heard(e), "'id':130,'error'");
    end_free(e);
}

/* ---- Lists ---- */

static mcpw_status say_nothing(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    return mcpw_respond_text(request, mcpw_str_from(""));
}

static size_t listed(const char *speaks, size_t count, size_t size, size_t limit) {
    mcpw_server *const server = mcpw_server_new("s", "1", NULL);
    char *const text = malloc(size + 1);
    char name[32];
    mcpw_tool tool = {.name = name, .description = text, .call = say_nothing};
    end *const e = server_of(speaks, MODERN);
    const char *bytes = NULL;
    memset(text, 'd', size);
    text[size] = '\0';
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(name, sizeof name, "t%zu", i);
        CHECK(mcpw_server_add_tool(server, &tool, NULL) == MCPW_OK);
    }
    e->config.server = server;
    e->config.max_request_bytes = limit;
    e->unchecked = true;
    open_server(e);
    run_to_idle(e);
    say_request(e, "1", "tools/list", "");
    const mcpw_json line = mcpw_json_of(NULL, mcpw_session_output(e->session, &bytes));
    const mcpw_json all = mcpw_json_of(bytes, line.len);
    mcpw_json tools = {NULL, 0, 0};
    CHECK(mcpw_json_get(all, "result", &tools) == MCPW_OK &&
          mcpw_json_get(tools, "tools", &tools) == MCPW_OK);
    const size_t found = tools.ptr != NULL ? mcpw_json_count(tools) : 0;
    end_free(e);
    mcpw_server_free(server);
    free(text);
    return found;
}

/* Whatever the client asks first, it gets the list: its size is the server's, not the request's. */
static void a_list_may_be_longer_than_max_request_bytes(void) {
    enum { LIMIT = 524288, MANY = 2000, FEW = 40, SIZE = 5000 };
    for (int i = 0; i < revision_count(); i++) {
        CHECK(listed(revision_at(i), FEW, SIZE, LIMIT) == FEW);
        CHECK(listed(revision_at(i), MANY, SIZE, LIMIT) == MANY);
    }
}

/* ---- Times ---- */

static void a_request_fails_at_its_time(void) {
    enum { FIRST = 60000, LAST = 600000, BEAT = 50000 };
    for (int progresses = 0; progresses < 2; progresses++) {
        for (int by = BELOW; by <= AT; by++) {
            end *const e = client_of(HANDSHAKE, HANDSHAKE);
            const mcpw_call call = {.on_progress = end_on_progress};
            const uint64_t limit = progresses != 0 ? LAST : FIRST;
            open_client(e);
            CHECK(call_with(e, "tools/call", "'name':'t'", &call) == MCPW_OK);
            run_to_idle(e);
            for (uint64_t at = BEAT; progresses != 0 && at < LAST; at += BEAT) {
                mcpw_session_advance(e->session, at);
                say(e, fmt("{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':3,"
                           "'progress':%d}}",
                           (int)at));
            }
            CHECK(mcpw_session_deadline(e->session) == limit);
            mcpw_session_advance(e->session, limit + (uint64_t)(int64_t)by);
            CHECK(e->out.count == (by < AT ? 0 : 1));
            CHECK(e->out.count == 0 || e->out.status == MCPW_E_TIMEOUT);
            end_free(e);
        }
    }
}

int main(void) {
    RUN(a_message_may_have_max_message_bytes);
    RUN(nothing_is_handled_while_max_output_bytes_wait);
    RUN(max_requests_may_be_in_flight);
    RUN(max_requests_resources_may_be_subscribed_to);
    RUN(max_requests_resources_may_be_listened_to);
    RUN(what_a_subscription_holds_is_counted);
    RUN(all_subscriptions_count_together);
    RUN(requests_in_flight_may_hold_max_request_bytes);
    RUN(one_request_may_hold_max_request_bytes);
    RUN(memory_that_is_kept_for_requests_to_come_is_not_counted);
    RUN(memory_that_is_kept_has_a_bound);
    RUN(a_client_may_declare_65536_bytes);
    RUN(a_client_may_say_65536_bytes_about_itself);
    RUN(a_client_whose_name_is_longer_is_refused_and_leaves_nothing);
    RUN(a_server_may_declare_65536_bytes);
    RUN(a_server_may_say_65536_bytes_about_itself);
    RUN(a_server_may_give_a_mebibyte_of_instructions);
    RUN(answers_that_wait_for_others_are_held_to_max_request_bytes);
    RUN(a_list_may_be_longer_than_max_request_bytes);
    RUN(a_request_fails_at_its_time);
    return check_end();
}
