/* SPDX-License-Identifier: MIT */
/* Requests that are passed on to the peer of another session, in every pair of revisions. */
#include "core/core.h"
#include "session_harness.h"

#include <mcpw/detail/session.h>

#include <time.h>

/* Two ends that pass on to each other what their peers say: `front` has a client, `back` a server. */
typedef struct pair {
    end *front;
    end *back;
} pair;

static pair it;

static mcpw_status pass_on(const void *handlers, int method, mcpw_request *request, const void *params,
                           void *user) {
    end *const e = user;
    (void)handlers;
    e->runs++;
    return mcpw_request_relay(request, e->dispatch.revision, method, params,
                              (e == it.front ? it.back : it.front)->session);
}

static bool passes_logs; /* whether notifications/message pass as well */

static void pass_log_on(const void *handlers, int method, mcpw_session *session, const void *params,
                        void *user) {
    const end *const e = user;
    (void)handlers;
    (void)session;
    CHECK(mcpw_session_notify(it.front->session, e->dispatch.revision, method, params, NULL) == MCPW_OK);
}

static bool has_all(const void *handlers, int method) {
    const end *const e = handlers;
    const mcpw_str name = mcpw_method_name(e->dispatch.revision, method);
    return (passes_logs && mcpw_str_is(name, "notifications/message")) ||
           (mcpw_method_flags(mcpw_method_entry(e->dispatch.revision, method)) & MCPW_METHOD_REQUEST) != 0;
}

/* ---- Ends whose memory is watched ---- */

enum { LONG_TEXT = 2000, BROKEN = '\001' /* stands in no JSON string */ };

static const char mark[] = "MARK";

static const char *marked_text(void) {
    static char text[LONG_TEXT + 1];
    memset(text, 'x', LONG_TEXT);
    memcpy(text, mark, sizeof mark - 1);
    return text;
}

/* Breaks what was received, as no program may: then it shows whether somebody looks. */
static void break_mark(char *text, size_t len) {
    for (char *at = text; at + sizeof mark <= text + len; at++) {
        if (memcmp(at, mark, sizeof mark - 1) == 0) {
            *at = BROKEN;
        }
    }
}

/* Blocks of one end, which are broken when the other end asks for memory to write to. */
typedef struct breaking {
    mcpw_allocator behind;
    struct {
        char *at;
        size_t size;
    } blocks[64];
    bool watches;
    bool is_armed;
} breaking;

static breaking memory_of_back;
static mcpw_allocator memory_of_front;

static void *note_block(void *user, void *ptr, size_t old_size, size_t new_size) {
    breaking *const b = user;
    char *const fresh = mcpw_resize(&b->behind, ptr, old_size, new_size);
    size_t i = 0;
    if (new_size > old_size && fresh != NULL) {
        memset(fresh + old_size, 0, new_size - old_size);
    }
    while (i + 1 < sizeof b->blocks / sizeof *b->blocks && b->blocks[i].at != ptr) {
        i++;
    }
    b->blocks[i].at = fresh;
    b->blocks[i].size = new_size;
    return fresh;
}

static void *break_first(void *user, void *ptr, size_t old_size, size_t new_size) {
    breaking *const b = &memory_of_back;
    for (size_t i = 0; b->is_armed && i < sizeof b->blocks / sizeof *b->blocks; i++) {
        if (b->blocks[i].at != NULL) {
            break_mark(b->blocks[i].at, b->blocks[i].size);
        }
    }
    return mcpw_resize(user, ptr, old_size, new_size);
}

/* ---- Making and ending them ---- */

static void open_relay_of(const char *client, const char *handled, const char *server) {
    it.front = server_of(client, handled);
    it.back = client_of(server, handled);
    it.back->config.capabilities = (mcpw_json)MCPW_JSON("{\"elicitation\":{\"form\":{},\"url\":{}}}");
    end *const ends[] = {it.front, it.back};
    for (int i = 0; i < 2; i++) {
        ends[i]->dispatch.has = has_all;
        ends[i]->dispatch.request = pass_on;
        ends[i]->dispatch.notification = pass_log_on;
        ends[i]->dispatch.relays = true;
    }
    if (memory_of_back.watches) {
        memory_of_back.behind = it.back->config.allocator;
        it.back->config.allocator = (mcpw_allocator){note_block, &memory_of_back};
        memory_of_front = it.front->config.allocator;
        it.front->config.allocator = (mcpw_allocator){break_first, &memory_of_front};
    }
    open_client(it.back);
    open_server(it.front);
}

/* Both speak the types of the server's revision, as a gateway does. */
static void open_relay(const char *client, const char *server) { open_relay_of(client, server, server); }

static void close_relay(void) {
    end_free(it.front);
    end_free(it.back);
}

/* The id of the request that is next said to the server, as JSON. */
static const char *passed_id(const char *line) {
    static char id[32];
    const mcpw_json message = mcpw_json_of(line, strlen(line));
    mcpw_json text = mcpw_json_of("", 0);
    CHECK(mcpw_json_get(message, "id", &text) == MCPW_OK);
    (void)snprintf(id, sizeof id, "%.*s", (int)text.len, text.ptr);
    return id;
}

static const char *result_in(const end *e, const char *members) {
    return fmt("{%s%s}", is_modern(e->speaks) ? "'resultType':'complete'," : "", members);
}

static void say_result(end *to, const char *id, const char *members) {
    say(to, fmt("{'jsonrpc':'2.0','id':%s,'result':%s}", id, result_in(to, members)));
}

#define EVERY_PAIR(client, server)                                                                           \
    for (int c_ = 0, s_ = 0; c_ < revision_count(); s_ = (s_ + 1) % revision_count(), c_ += s_ == 0)         \
        for (const char *client = revision_at(c_), *server = revision_at(s_); client != NULL; client = NULL)

static void a_request_and_its_result_pass(void) {
    EVERY_PAIR(client, server) {
        open_relay(client, server);
        say_request(it.front, "'mine'", "tools/call", "'name':'t','arguments':{'a':1}");
        const char *const line = heard(it.back);
        CHECK_HAS(line, "'method':'tools/call'");
        CHECK_HAS(line, "'arguments':{'a':1}");
        say_result(it.back, passed_id(line), "'content':[{'type':'text','text':'x'}]");
        const char *const answer_line = heard(it.front);
        CHECK_HAS(answer_line, "'id':'mine'");
        CHECK_HAS(answer_line, "'content':[{'type':'text','text':'x'}]");
        close_relay();
    }
}

/* ---- What was checked as it came is not checked again ---- */

static mcpw_status break_then_pass_on(const void *handlers, int method, mcpw_request *request,
                                      const void *params, void *user) {
    const mcpw_type *type = NULL;
    (void)mcpw_request_params(request, &type);
    const mcpw_json arguments = mcpw_field_json(mcpw_field_get(mcpw_field_of(type, params), "arguments"));
    break_mark((char *)(uintptr_t)arguments.ptr, arguments.len);
    return pass_on(handlers, method, request, params, user);
}

static void arguments_that_are_passed_on_are_not_checked_again(void) {
    for (const char *const *speaks = (const char *const[]){MODERN, HANDSHAKE, NULL}; *speaks != NULL;
         speaks++) {
        open_relay(*speaks, *speaks);
        it.front->dispatch.request = break_then_pass_on;
        it.back->unchecked = true;
        say_request(it.front, "'mine'", "tools/call",
                    fmt("'name':'t','arguments':{'a':'%s'}", marked_text()));
        CHECK_HAS(heard(it.back), "'arguments':{'a':'\001ARKxx");
        close_relay();
    }
}

static void a_result_that_is_passed_on_is_not_checked_again(void) {
    for (const char *const *speaks = (const char *const[]){MODERN, HANDSHAKE, NULL}; *speaks != NULL;
         speaks++) {
        memory_of_back.watches = true;
        open_relay(*speaks, *speaks);
        memory_of_back.watches = false;
        say_request(it.front, "'mine'", "tools/call", "'name':'t'");
        const char *const id = passed_id(heard(it.back));
        memory_of_back.is_armed = true;
        it.front->unchecked = true;
        say_result(it.back, id, fmt("'content':[],'structuredContent':{'a':'%s'}", marked_text()));
        CHECK_HAS(heard(it.front), "'structuredContent':{'a':'\001ARKxx");
        memory_of_back.is_armed = false;
        close_relay();
    }
}

/* ---- Members that nobody knows ---- */

/* A member with a value that no other run has, a number that no double holds and an escaped key. */
static const char *strange(void) {
    static unsigned made = 0;
    static char text[LONG_TEXT];
    if (made == 0) {
        made = (unsigned)time(NULL) * 2654435761U ^ (unsigned)clock();
        (void)snprintf(text, sizeof text,
                       "'org.x/n':{'deep':[9007199254740993,1.50e2,null,{'\\u0061':'%u'}]}", made);
    }
    return text;
}

/* The value of a member of an object in a line, by a path whose parts are members or the first of a list. */
static const char *part_of(const char *line, const char *const *path) {
    mcpw_json at = mcpw_json_of(line, strlen(line));
    for (; *path != NULL; path++) {
        const bool is_list = mcpw_json_kind_of(at) == MCPW_JSON_ARRAY;
        if ((is_list ? mcpw_json_at(at, 0, &at) : mcpw_json_get(at, *path, &at)) != MCPW_OK) {
            return "";
        }
    }
    return fmt("%.*s", (int)at.len, at.ptr);
}

#define PART(line, ...) part_of((line), (const char *const[]){__VA_ARGS__, NULL})

static void unknown_members_and_meta_of_every_level_survive(void) {
    const char *const n = strange();
    const char *const value = strchr(n, ':') + 1;
    EVERY_PAIR(client, server) {
        open_relay(client, server);
        it.front->unchecked = it.back->unchecked = true; /* old revisions name less */
        say_request_as(it.front, "1", "tools/call",
                       fmt("%s'name':'t','arguments':{%s,'in':{'_meta':{%s}}},%s",
                           is_modern(it.front->speaks) ? "" : fmt("'_meta':{%s},", n), n, n, n),
                       CLIENT_CAPABILITIES, fmt(",%s", n));
        const char *line = heard(it.back);
        CHECK_STRING(PART(line, "params", "_meta", "org.x/n"), q(value));
        CHECK_STRING(PART(line, "params", "org.x/n"), q(value));
        CHECK_HAS(line, fmt("'arguments':{%s,'in':{'_meta':{%s}}}", n, n));
        say_result(it.back, passed_id(line),
                   fmt("'_meta':{%s},'content':[{'type':'text','text':'x','_meta':{%s},%s}],%s", n, n, n, n));
        line = heard(it.front);
        CHECK_STRING(PART(line, "result", "_meta", "org.x/n"), q(value));
        CHECK_STRING(PART(line, "result", "org.x/n"), q(value));
        CHECK_STRING(PART(line, "result", "content", "0", "_meta", "org.x/n"), q(value));
        CHECK_STRING(PART(line, "result", "content", "0", "org.x/n"), q(value));
        say_request(it.front, "2", "tools/call", "'name':'t'");
        say(it.back,
            fmt("{'jsonrpc':'2.0','id':%s,'error':{'code':5,'message':'m','data':{'_meta':{%s},%s}}}",
                passed_id(heard(it.back)), n, n));
        CHECK_HAS(heard(it.front), fmt("'error':{'code':5,'message':'m','data':{'_meta':{%s},%s}}", n, n));
        close_relay();
    }
}

/* Without other members that nobody knows, params go by a plan, which gives up for such a _meta. */
static void a_meta_survives_where_all_else_is_known(void) {
    const char *const n = strange();
    const char *const value = strchr(n, ':') + 1;
    EVERY_PAIR(client, server) {
        open_relay(client, server);
        it.front->unchecked = it.back->unchecked = true;
        say_request_as(it.front, "1", "tools/call",
                       is_modern(it.front->speaks) ? "'name':'t'" : fmt("'_meta':{%s},'name':'t'", n),
                       CLIENT_CAPABILITIES, fmt(",%s", n));
        const char *line = heard(it.back);
        CHECK_STRING(PART(line, "params", "_meta", "org.x/n"), q(value));
        say_result(it.back, passed_id(line), fmt("'_meta':{%s},'content':[]", n));
        line = heard(it.front);
        CHECK_STRING(PART(line, "result", "_meta", "org.x/n"), q(value));
        close_relay();
    }
}

static void notifications_keep_what_nobody_knows(void) {
    const char *const n = strange();
    const char *const value = strchr(n, ':') + 1;
    passes_logs = true;
    EVERY_PAIR(client, server) {
        open_relay(client, server);
        it.front->unchecked = it.back->unchecked = true;
        say_request_as(it.front, "1", "tools/call", "'name':'t'", CLIENT_CAPABILITIES,
                       ",'io.modelcontextprotocol/logLevel':'info'");
        run_to_idle(it.back);
        say(it.back, fmt("{'jsonrpc':'2.0','method':'notifications/message','params':{'_meta':{%s},"
                         "'level':'error','data':{%s},%s}}",
                         n, n, n));
        const char *const line = heard(it.front);
        CHECK_STRING(PART(line, "params", "_meta", "org.x/n"), q(value));
        CHECK_STRING(PART(line, "params", "data", "org.x/n"), q(value));
        CHECK_STRING(PART(line, "params", "org.x/n"), q(value));
        close_relay();
    }
    passes_logs = false;
}

static void an_error_passes_with_its_data(void) {
    EVERY_PAIR(client, server) {
        open_relay(client, server);
        say_request(it.front, "1", "tools/call", "'name':'t'");
        say(it.back, fmt("{'jsonrpc':'2.0','id':%s,'error':{'code':-5,'message':'m','data':[null]}}",
                         passed_id(heard(it.back))));
        CHECK_HAS(heard(it.front), "'error':{'code':-5,'message':'m','data':[null]}");
        close_relay();
    }
}

/* It has a code of its own before 2026-07-28. */
static void a_missing_resource_has_the_code_of_its_client(void) {
    EVERY_PAIR(client, server) {
        open_relay(client, server);
        const bool is_old = !is_modern(it.back->speaks);
        say_request(it.front, "1", "resources/read", "'uri':'a:b'");
        say(it.back, fmt("{'jsonrpc':'2.0','id':%s,'error':{'code':%d,'message':'m','data':{'uri':'a:b'}}}",
                         passed_id(heard(it.back)), is_old ? -32002 : -32602));
        CHECK_HAS(heard(it.front), fmt("'error':{'code':%d,'message':'m','data':{'uri':'a:b'}}",
                                       is_modern(it.front->speaks) ? -32602 : -32002));
        close_relay();
    }
}

static void codes_that_a_revision_forbids_are_replaced(void) {
    static const struct {
        const char *server;
        const char *client;
        int said;
        int heard;
    } cases[] = {
        {HANDSHAKE, MODERN, -32042, -32603},    {HANDSHAKE, "2025-06-18", -32042, -32603},
        {HANDSHAKE, HANDSHAKE, -32042, -32042}, {MODERN, HANDSHAKE, -32021, -32600},
        {MODERN, OLDEST, -32022, -32602},       {MODERN, MODERN, -32021, -32021},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        open_relay(cases[i].client, cases[i].server);
        it.front->unchecked = true;
        say_request(it.front, "1", "tools/call", "'name':'t'");
        say(it.back, fmt("{'jsonrpc':'2.0','id':%s,'error':{'code':%d,'message':'m','data':{"
                         "'elicitations':[],'requiredCapabilities':{},'supported':[],'requested':'x'}}}",
                         passed_id(heard(it.back)), cases[i].said));
        CHECK_HAS(heard(it.front),
                  fmt("'error':{'code':%d,'message':'m','data':{'elicitations':[]", cases[i].heard));
        close_relay();
    }
}

static void cancellation_passes_with_its_reason(void) {
    EVERY_PAIR(client, server) {
        open_relay(client, server);
        say_request(it.front, "7", "tools/call", "'name':'t'");
        const char *const id = passed_id(heard(it.back));
        say(it.front, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':7,"
                      "'reason':'enough'}}");
        const char *const line = heard(it.back);
        CHECK_HAS(line, "'method':'notifications/cancelled'");
        CHECK_HAS(line, fmt("'requestId':%s", id));
        CHECK_HAS(line, "'reason':'enough'");
        EXPECT(it.front, "");
        close_relay();
    }
}

static void progress_is_asked_for_where_the_client_asks(void) {
    EVERY_PAIR(client, server) {
        open_relay(client, server);
        it.front->unchecked = true;
        say_request(it.front, "1", "tools/call", "'name':'t'");
        CHECK(!has(heard(it.back), "progressToken"));
        if (is_modern(it.front->speaks)) {
            say_request_as(it.front, "2", "tools/call", "'name':'t'", "{}", ",'progressToken':'p'");
        } else {
            say_request(it.front, "2", "tools/call", "'name':'t','_meta':{'progressToken':'p'}");
        }
        const char *const line = heard(it.back);
        mcpw_json message = mcpw_json_of(line, strlen(line));
        int64_t token = 0;
        CHECK(mcpw_json_get(message, "params", &message) == MCPW_OK &&
              mcpw_json_get(message, "_meta", &message) == MCPW_OK &&
              mcpw_json_get_int(message, "progressToken", &token) == MCPW_OK);
        say(it.back, fmt("{'jsonrpc':'2.0','method':'notifications/progress','params':{'progressToken':%d,"
                         "'progress':0.5,'total':2}}",
                         (int)token));
        CHECK_HAS(heard(it.front), "'progressToken':'p','progress':0.5,'total':2");
        close_relay();
    }
}

static void a_request_without_another_end_is_refused(void) {
    open_relay(HANDSHAKE, HANDSHAKE);
    mcpw_session_close(it.back->session);
    say_request(it.front, "1", "tools/call", "'name':'t'");
    CHECK_HAS(heard(it.front), "'error':{'code':-32603");
    close_relay();
}

static void an_end_that_goes_is_an_error_for_what_waits(void) {
    EVERY_PAIR(client, server) {
        open_relay(client, server);
        say_request(it.front, "1", "tools/call", "'name':'t'");
        mcpw_session_close(it.back->session);
        CHECK_HAS(heard(it.front), "'id':1,'error':{'code':-32603");
        close_relay();
    }
}

/* ---- Log messages ---- */

#define LEVEL ",'io.modelcontextprotocol/logLevel':'warning'"

static void the_level_of_a_request_reaches_a_server_with_a_handshake(void) {
    for (int i = 0; i < legacy_count(); i++) {
        open_relay(MODERN, revision_at(i));
        say_request_as(it.front, "1", "tools/call", "'name':'t'", "{}", LEVEL);
        const char *line = heard(it.back);
        CHECK_HAS(line, "'method':'logging/setLevel','params':{'level':'warning'}");
        CHECK_HAS(heard(it.back), "'method':'tools/call'");
        say_request_as(it.front, "2", "tools/call", "'name':'t'", "{}", LEVEL); /* it knows that by now */
        CHECK_HAS(heard(it.back), "'method':'tools/call'");
        say_request_as(it.front, "3", "tools/call", "'name':'t'", "{}",
                       ",'io.modelcontextprotocol/logLevel':'debug'");
        CHECK_HAS(heard(it.back), "'params':{'level':'debug'}");
        close_relay();
    }
}

static void the_level_of_a_session_goes_with_each_request(void) {
    for (int i = 0; i < legacy_count(); i++) {
        open_relay(revision_at(i), MODERN);
        say_request(it.front, "1", "tools/call", "'name':'t'");
        CHECK(!has(heard(it.back), "logLevel"));
        say_request(it.front, "2", "logging/setLevel", "'level':'warning'");
        CHECK_HAS(heard(it.front), "'id':2,'result':{}");
        say_request(it.front, "3", "tools/call", "'name':'t'");
        CHECK_HAS(heard(it.back), "'io.modelcontextprotocol/logLevel':'warning'");
        close_relay();
    }
}

static mcpw_status notify_log(end *e, const char *level) {
    const mcpw_revision *const revision = e->dispatch.revision;
    const int number = mcpw_method_number(revision, "notifications/message", 21);
    mcpw_arena arena = MCPW_ARENA_INIT;
    const void *const params = decoded(mcpw_method_params(mcpw_method_entry(revision, number)),
                                       fmt("{'level':'%s','data':1}", level), &arena);
    const mcpw_status status = mcpw_session_notify(e->session, revision, number, params, NULL);
    mcpw_arena_free(&arena);
    return status;
}

static void log_messages_go_with_a_request_that_wants_them(void) {
    open_relay(MODERN, HANDSHAKE);
    say_request_as(it.front, "1", "tools/call", "'name':'t'", "{}", "");
    CHECK(notify_log(it.front, "error") == MCPW_OK);
    EXPECT(it.front, "");
    say_request_as(it.front, "2", "tools/call", "'name':'t'", "{}", LEVEL);
    CHECK(notify_log(it.front, "info") == MCPW_OK);
    EXPECT(it.front, "");
    CHECK(notify_log(it.front, "error") == MCPW_OK);
    CHECK_HAS(heard(it.front), "'method':'notifications/message','params':{'level':'error','data':1}");
    close_relay();
}

/* ---- Input requests in the middle ---- */

#define FORM "'message':'Which?','requestedSchema':{'type':'object','properties':{'a':{'type':'string'}}}"
#define ANSWER "'action':'accept','content':{'a':'blue'}"

static bool asks(const char *revision) { return strcmp(revision, "2025-06-18") >= 0; }

static void rounds_pass_as_they_are_between_ends_that_have_them(void) {
    open_relay(MODERN, MODERN);
    say_request(it.front, "1", "tools/call", "'name':'t'");
    say(it.back, fmt("{'jsonrpc':'2.0','id':%s,'result':{'resultType':'input_required','inputRequests':{"
                     "'k':{'method':'elicitation/create','params':{" FORM "}}},'requestState':'theirs'}}",
                     passed_id(heard(it.back))));
    const char *line = heard(it.front);
    CHECK_HAS(line, "'id':1,'result':{");
    CHECK_HAS(line, "'resultType':'input_required'");
    CHECK_HAS(line, "'inputRequests':{'k':{'method':'elicitation/create'");
    CHECK_HAS(line, "'requestState':'theirs'");
    say_request(it.front, "2", "tools/call",
                "'name':'t','inputResponses':{'k':{" ANSWER "}},'requestState':'theirs'");
    line = heard(it.back);
    CHECK_HAS(line, "'inputResponses':{'k':{" ANSWER "}}");
    CHECK_HAS(line, "'requestState':'theirs'");
    say_result(it.back, passed_id(line), "'content':[]");
    CHECK_HAS(heard(it.front), "'id':2,'result'");
    close_relay();
}

static void input_requests_of_a_round_reach_a_client_with_a_handshake(void) {
    for (int i = place_of(ELICITING); i < legacy_count(); i++) {
        open_relay(revision_at(i), MODERN);
        say_request(it.front, "1", "tools/call", "'name':'t'");
        say(it.back, fmt("{'jsonrpc':'2.0','id':%s,'result':{'resultType':'input_required','inputRequests':{"
                         "'k':{'method':'elicitation/create','params':{" FORM "}}},'requestState':'s'}}",
                         passed_id(heard(it.back))));
        const char *line = heard(it.front);
        CHECK_HAS(line, "'method':'elicitation/create','params':{" FORM "}");
        say_result(it.front, passed_id(line), ANSWER);
        line = heard(it.back);
        CHECK_HAS(line, "'inputResponses':{'k':{" ANSWER "}},'requestState':'s'");
        say_result(it.back, passed_id(line), "'content':[]");
        CHECK_HAS(heard(it.front), "'id':1,'result'");
        close_relay();
    }
}

/* 2025-11-25 wants a handle for it, which the other revision has none of. */
static void a_page_to_visit_gets_a_handle_where_there_are_handles(void) {
    open_relay(HANDSHAKE, MODERN);
    say_request(it.front, "1", "tools/call", "'name':'t'");
    say(it.back,
        fmt("{'jsonrpc':'2.0','id':%s,'result':{'resultType':'input_required','inputRequests':{"
            "'k':{'method':'elicitation/create','params':{'mode':'url','message':'m','url':'a:b'}}}}}",
            passed_id(heard(it.back))));
    const char *line = heard(it.front);
    CHECK_HAS(line, "'method':'elicitation/create','params':{");
    CHECK_HAS(line, "'elicitationId':'");
    say_result(it.front, passed_id(line), "'action':'accept'");
    CHECK_HAS(heard(it.back), "'inputResponses':{'k':{'action':'accept'}}");
    close_relay();
}

/* Has the user sent to a page by a server of 2026-07-28, and answers with an action; the id of the retry. */
static const char *visit_page(char handle[64], const char *action) {
    open_relay(HANDSHAKE, MODERN);
    say_request(it.front, "1", "tools/call", "'name':'t'");
    say(it.back,
        fmt("{'jsonrpc':'2.0','id':%s,'result':{'resultType':'input_required','inputRequests':{"
            "'k':{'method':'elicitation/create','params':{'mode':'url','message':'m','url':'a:b'}}}}}",
            passed_id(heard(it.back))));
    const char *const line = heard(it.front);
    const char *const at = strstr(line, "\"elicitationId\":\"");
    CHECK(at != NULL);
    (void)snprintf(handle, 64, "%.*s", (int)strcspn(at + sizeof "\"elicitationId\":", "\""),
                   at + sizeof "\"elicitationId\":");
    say_result(it.front, passed_id(line), fmt("'action':'%s'", action));
    return passed_id(heard(it.back));
}

static void the_end_of_a_visit_is_told_where_there_is_a_word_for_it(void) {
    char handle[64];
    const char *const id = visit_page(handle, "accept");
    CHECK_STRING(heard(it.front), "");
    say_result(it.back, id, "'content':[]");
    CHECK_HAS(heard(it.front),
              fmt("'method':'notifications/elicitation/complete','params':{'elicitationId':'%s'}", handle));
    CHECK_HAS(heard(it.front), "'id':1,'result'");
    close_relay();
}

static void a_visit_that_nobody_made_has_no_end(void) {
    char handle[64];
    const char *id = visit_page(handle, "decline");
    say_result(it.back, id, "'content':[]");
    CHECK_HAS(heard(it.front), "'id':1,'result'");
    close_relay();
    id = visit_page(handle, "accept");
    say(it.back, fmt("{'jsonrpc':'2.0','id':%s,'error':{'code':-32603,'message':'no'}}", id));
    CHECK_HAS(heard(it.front), "'id':1,'error'");
    close_relay();
}

static void a_client_is_answered_to_its_ping_whatever_the_server_speaks(void) {
    for (int i = 0; i < legacy_count(); i++) {
        open_relay(revision_at(i), MODERN);
        say_request(it.front, "1", "ping", "");
        CHECK_HAS(heard(it.front), "'id':1,'result':{}");
        CHECK_STRING(heard(it.back), "");
        close_relay();
    }
}

/* The params of a client's retry: the key of the one input request that it was asked, and the state.
 */
static char asked_key[64];
static char asked_state[HARNESS_ERROR * 4];

static void take_round(const char *line) {
    mcpw_json result = mcpw_json_of(line, strlen(line));
    mcpw_json requests = mcpw_json_of("", 0);
    mcpw_json key = mcpw_json_of("", 0);
    mcpw_str state = {"", 0};
    mcpw_json_iter at;
    CHECK_HAS(line, "'result':{'resultType':'input_required'");
    CHECK(mcpw_json_get(result, "result", &result) == MCPW_OK &&
          mcpw_json_get_string(result, "requestState", NULL, &state) == MCPW_OK &&
          mcpw_json_get(result, "inputRequests", &requests) == MCPW_OK &&
          mcpw_json_iterate(requests, &at) == MCPW_OK && mcpw_json_next(&at, &key, NULL));
    (void)snprintf(asked_state, sizeof asked_state, "%.*s", (int)state.len, state.ptr);
    (void)snprintf(asked_key, sizeof asked_key, "%.*s", (int)key.len, key.ptr);
}

static void say_input_request(const char *id) {
    say(it.back, fmt("{'jsonrpc':'2.0','id':%s,'method':'elicitation/create','params':{" FORM "}}", id));
}

/* Opens, calls, and lets the server ask. */
static void ask_in_round(const char *server) {
    open_relay(MODERN, server);
    say_request(it.front, "1", "tools/call", "'name':'t'");
    CHECK_HAS(heard(it.back), "'method':'tools/call'");
    say_input_request("'q'");
    take_round(heard(it.front));
}

static void say_retry(const char *id) {
    say_request(
        it.front, id, "tools/call",
        fmt("'name':'t','inputResponses':{%s:{" ANSWER "}},'requestState':'%s'", asked_key, asked_state));
}

static void a_input_request_is_carried_by_a_request_of_a_client_with_rounds(void) {
    for (int i = 0; i < legacy_count(); i++) {
        if (!asks(revision_at(i))) {
            continue;
        }
        ask_in_round(revision_at(i));
        say_retry("2");
        CHECK_HAS(heard(it.back), "'id':'q','result':{" ANSWER "}");
        EXPECT(it.back, ""); /* the tool is not called again */
        EXPECT(it.front, "");
        say_result(it.back, "3", "'content':[{'type':'text','text':'x'}]");
        CHECK_HAS(heard(it.front), "'id':2,'result':{");
        say_retry("3");
        CHECK_HAS(heard(it.front), "'id':3,'error':{'code':-32602");
        close_relay();
    }
}

static void an_answer_waits_for_the_client_to_come_back(void) {
    ask_in_round(HANDSHAKE);
    say_result(it.back, "3", "'content':[{'type':'text','text':'early'}]");
    EXPECT(it.front, "");
    say_retry("2");
    CHECK_HAS(heard(it.back), "'id':'q','result':{" ANSWER "}");
    CHECK_HAS(heard(it.front), "'text':'early'");
    close_relay();
}

static void a_input_request_that_comes_meanwhile_is_asked_next(void) {
    ask_in_round(HANDSHAKE);
    say_input_request("'r'");
    EXPECT(it.front, "");
    say_retry("2");
    CHECK_HAS(heard(it.back), "'id':'q','result'");
    take_round(heard(it.front));
    say_retry("3");
    CHECK_HAS(heard(it.back), "'id':'r','result'");
    say_result(it.back, "3", "'content':[]");
    CHECK_HAS(heard(it.front), "'id':3,'result'");
    close_relay();
}

static void a_client_that_does_not_come_back_is_given_up(void) {
    ask_in_round(HANDSHAKE);
    mcpw_session_advance(it.front->session, 3600001);
    say_request(it.front, "9", "tools/call", "'name':'u'");
    CHECK_HAS(heard(it.back), "'id':'q','error'");
    CHECK_HAS(heard(it.back), "'method':'notifications/cancelled'");
    CHECK_HAS(heard(it.back), "'name':'u'");
    close_relay();
}

static void a_client_that_says_nothing_more_is_given_up_in_time(void) {
    enum { TTL = 3600000 };
    open_relay(MODERN, HANDSHAKE);
    CHECK(mcpw_session_deadline(it.front->session) == UINT64_MAX);
    close_relay();
    ask_in_round(HANDSHAKE);
    CHECK(mcpw_session_deadline(it.front->session) == TTL);
    mcpw_session_advance(it.front->session, TTL - 1);
    EXPECT(it.back, "");
    mcpw_session_advance(it.front->session, TTL);
    CHECK_HAS(heard(it.back), "'id':'q','error'");
    CHECK_HAS(heard(it.back), "'method':'notifications/cancelled'");
    CHECK(mcpw_session_deadline(it.front->session) == UINT64_MAX);
    CHECK(!mcpw_session_is_busy(it.back->session));
    close_relay();
}

static void so_many_may_wait_for_their_clients_as_may_be_under_way(void) {
    enum { ALLOWED = 3 };
    open_relay(MODERN, HANDSHAKE);
    mcpw_session_close(it.front->session);
    end_free(it.front);
    it.front = server_of(MODERN, HANDSHAKE);
    it.front->dispatch.has = has_all;
    it.front->dispatch.request = pass_on;
    it.front->dispatch.relays = true;
    it.front->config.max_requests = ALLOWED;
    open_server(it.front);
    for (int i = 0; i <= ALLOWED; i++) {
        say_request(it.front, fmt("%d", i), "tools/call", "'name':'t'");
        CHECK_HAS(heard(it.back), "'method':'tools/call'");
        say_input_request(fmt("%d", i));
        CHECK_HAS(heard(it.front), i < ALLOWED ? "'input_required'" : "'error':{'code':-32603");
    }
    close_relay();
}

static void an_answer_that_is_too_large_to_wait_is_an_error(void) {
    ask_in_round(HANDSHAKE);
    static char blob[HARNESS_TEXT / 4];
    memset(blob, 'x', sizeof blob - 1);
    ((mcpw_session_config *)it.front->session->config)->max_request_bytes =
        sizeof blob / 2; /* as if the config had said so */
    say_result(it.back, "3", fmt("'content':[{'type':'text','text':'%s'}]", blob));
    ((mcpw_session_config *)it.front->session->config)->max_request_bytes = HARNESS_TEXT;
    say_retry("2");
    CHECK_HAS(heard(it.front), "'id':2,'error':{'code':-32603");
    close_relay();
}

static void an_error_waits_for_the_client_to_come_back(void) {
    static const char *const data[][2] = {{"", ""}, {",'data':[null]", ",'data':[null]"}};
    for (size_t i = 0; i < sizeof data / sizeof *data; i++) {
        ask_in_round(HANDSHAKE);
        say(it.back, fmt("{'jsonrpc':'2.0','id':3,'error':{'code':-5,'message':'early'%s}}", data[i][0]));
        EXPECT(it.front, "");
        say_retry("2");
        CHECK_HAS(heard(it.back), "'id':'q','result':{" ANSWER "}");
        CHECK_HAS(heard(it.front), fmt("'id':2,'error':{'code':-5,'message':'early'%s}", data[i][1]));
        close_relay();
    }
}

static void clients_may_come_back_in_any_order(void) {
    char first_key[sizeof asked_key];
    char first_state[sizeof asked_state];
    ask_in_round(HANDSHAKE);
    memcpy(first_key, asked_key, sizeof first_key);
    memcpy(first_state, asked_state, sizeof first_state);
    say_request(it.front, "2", "tools/call", "'name':'t'");
    CHECK_HAS(heard(it.back), "'name':'t'");
    say_input_request("'r'");
    take_round(heard(it.front));
    say_retry("3");
    CHECK_HAS(heard(it.back), "'id':'r','result'");
    memcpy(asked_key, first_key, sizeof asked_key);
    memcpy(asked_state, first_state, sizeof asked_state);
    say_retry("4");
    CHECK_HAS(heard(it.back), "'id':'q','result'");
    say_result(it.back, "3", "'content':[]");
    CHECK_HAS(heard(it.front), "'id':4,'result'");
    say_result(it.back, "4", "'content':[]");
    CHECK_HAS(heard(it.front), "'id':3,'result'");
    close_relay();
}

static void a_input_request_is_carried_by_no_request_to_another_server(void) {
    ask_in_round(HANDSHAKE);
    end *const asked = it.back;
    end *const other = client_of(HANDSHAKE, HANDSHAKE);
    other->config.capabilities = asked->config.capabilities;
    other->dispatch.has = has_all;
    other->dispatch.request = pass_on;
    open_client(other);
    it.back = other;
    say_input_request("'r'");
    CHECK_HAS(heard(other), "'id':'r','error':{'code':-32601");
    it.back = asked;
    close_relay();
    end_free(other);
}

/* Asks the client itself to come back, before it passes on. */
static mcpw_status keep_a_state_then_pass_on(const void *handlers, int method, mcpw_request *request,
                                             const void *params, void *user) {
    static const mcpw_json step = MCPW_JSON("{\"step\":1}");
    const mcpw_revision *const revision = mcpw_find_revision(HANDSHAKE);
    mcpw_result result = {NULL, NULL};
    if (mcpw_request_state(request).ptr != NULL) {
        return pass_on(handlers, method, request, params, user);
    }
    CHECK(mcpw_request_set_state(request, step) == MCPW_OK);
    return mcpw_request_ask(request, "k", revision, mcpw_method_number(revision, "roots/list", 10), NULL,
                            &result, NULL);
}

static void a_state_of_no_relay_is_refused(void) {
    open_relay(MODERN, HANDSHAKE);
    it.front->dispatch.request = keep_a_state_then_pass_on;
    say_request(it.front, "1", "tools/call", "'name':'t'");
    take_round(heard(it.front));
    say_request(it.front, "2", "tools/call", fmt("'name':'t','requestState':'%s'", asked_state));
    CHECK_HAS(heard(it.front), "'id':2,'error':{'code':-32602");
    EXPECT(it.back, "");
    close_relay();
}

static void a_later_input_request_that_is_cancelled_is_not_asked(void) {
    ask_in_round(HANDSHAKE);
    say_input_request("'r'");
    say(it.back, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':'r'}}");
    say_retry("2");
    CHECK_HAS(heard(it.back), "'id':'q','result':{" ANSWER "}");
    EXPECT(it.front, "");
    say_result(it.back, "3", "'content':[]");
    CHECK_HAS(heard(it.front), "'id':2,'result'");
    close_relay();
}

static void several_input_requests_are_asked_and_answered_in_one_round(void) {
    open_relay(MODERN, HANDSHAKE);
    say_request(it.front, "1", "tools/call", "'name':'t'");
    CHECK_HAS(heard(it.back), "'method':'tools/call'");
    say_input_request("'q'");
    take_round(heard(it.front));
    for (int i = 0; i < 3; i++) {
        say_input_request(fmt("'r%d'", i));
    }
    say_retry("2");
    CHECK_HAS(heard(it.back), "'id':'q','result'");
    const char *line = heard(it.front);
    CHECK_HAS(line, "'id':2,'result':{'resultType':'input_required'");
    mcpw_json requests = mcpw_json_of(line, strlen(line));
    CHECK(mcpw_json_get(requests, "result", &requests) == MCPW_OK &&
          mcpw_json_get(requests, "inputRequests", &requests) == MCPW_OK && mcpw_json_count(requests) == 3);
    take_round(line); /* one of them is answered, then the others are asked again */
    say_retry("3");
    CHECK_HAS(heard(it.back), "'id':'r0','result'");
    line = heard(it.front);
    CHECK_HAS(line, "'id':3,'result':{'resultType':'input_required'");
    CHECK(mcpw_json_get(mcpw_json_of(line, strlen(line)), "result", &requests) == MCPW_OK &&
          mcpw_json_get(requests, "inputRequests", &requests) == MCPW_OK && mcpw_json_count(requests) == 2);
    close_relay();
}

static void a_input_request_that_is_cancelled_is_asked_no_more(void) {
    ask_in_round(HANDSHAKE);
    say(it.back, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':'q'}}");
    say_retry("2");
    EXPECT(it.back, "");
    say_result(it.back, "3", "'content':[]");
    CHECK_HAS(heard(it.front), "'id':2,'result':{");
    close_relay();
}

static void a_input_request_without_a_request_to_carry_it_is_refused(void) {
    open_relay(MODERN, HANDSHAKE);
    say_input_request("'q'");
    CHECK_HAS(heard(it.back), "'id':'q','error':{'code':-32601");
    say_request(it.front, "1", "tools/list", ""); /* this method asks nothing */
    CHECK_HAS(heard(it.back), "'method':'tools/list'");
    say_input_request("'r'");
    CHECK_HAS(heard(it.back), "'id':'r','error':{'code':-32601");
    close_relay();
}

static void a_input_request_that_the_client_cannot_answer_is_refused(void) {
    open_relay(MODERN, HANDSHAKE);
    say_request_as(it.front, "1", "tools/call", "'name':'t'", "{}", "");
    CHECK_HAS(heard(it.back), "'method':'tools/call'");
    say_input_request("'q'");
    CHECK_HAS(heard(it.back), "'id':'q','error':{'code':-32601");
    say_result(it.back, "3", "'content':[]");
    CHECK_HAS(heard(it.front), "'id':1,'result'");
    close_relay();
}

#define SAMPLE "'method':'sampling/createMessage','params':{'messages':[],'maxTokens':1}"
#define SAMPLED_LATELY /* with a member that 2024-11-05 lacks */                                             \
    "'role':'assistant','model':'m','content':{'type':'text','text':'x','annotations':{'lastModified':'t'}}"

/* State and answers of a round are dropped, too, where handlers speak a revision without them. */
static void lose_the_client(void *user, mcpw_session *session, const mcpw_diagnostic *diagnostic) {
    const char *const path = diagnostic->error->path;
    end_on_diagnostic(user, session, diagnostic);
    if (strcmp(path, "/context") == 0 || strcmp(path, "/content/annotations/lastModified") == 0) {
        mcpw_session_close(it.front->session);
    }
}

static void a_client_may_go_when_it_is_told_what_a_request_loses(void) {
    open_relay_of(HANDSHAKE, HANDSHAKE, OLDEST);
    ((mcpw_session_config *)it.back->session->config)->on_diagnostic = lose_the_client;
    say_request(it.front, "1", "completion/complete",
                "'ref':{'type':'ref/prompt','name':'p'},'argument':{'name':'a','value':'v'},"
                "'context':{'arguments':{'b':'c'}}");
    CHECK(it.back->diagnostics[MCPW_DIAGNOSTIC_DROPPED] == 1 && it.front->closed == 1);
    CHECK_HAS(heard(it.back), "'method':'completion/complete'");
    CHECK_HAS(heard(it.back), "'method':'notifications/cancelled'");
    EXPECT(it.back, "");
    CHECK(!mcpw_session_is_busy(it.back->session));
    close_relay();
}

/* handled: the revision in which the answer passes from one end to the other; either end may lose some of it.
 */
static void lose_the_client_by_its_answer(const char *handled, bool several) {
    open_relay_of(MODERN, handled, OLDEST);
    end *const loses = strcmp(handled, OLDEST) == 0 ? it.front : it.back;
    ((mcpw_session_config *)loses->session->config)->on_diagnostic = lose_the_client;
    say_request(it.front, "1", "tools/call", "'name':'t'");
    CHECK_HAS(heard(it.back), "'method':'tools/call'");
    say(it.back, "{'jsonrpc':'2.0','id':'q'," SAMPLE "}");
    take_round(heard(it.front));
    if (several) {
        say(it.back, "{'jsonrpc':'2.0','id':'r'," SAMPLE "}");
    }
    say_request(it.front, "2", "tools/call",
                fmt("'name':'t','inputResponses':{%s:{" SAMPLED_LATELY "}},'requestState':'%s'", asked_key,
                    asked_state));
    CHECK_STRING(
        loses->last_diagnostic,
        "/content/annotations/lastModified: CreateMessageResult: left out, the other revision has no "
        "such member");
    CHECK(it.front->closed == 1);
    bool cancelled = false;
    int answered = 0;
    for (const char *line = heard(it.back); *line != '\0'; line = heard(it.back)) {
        cancelled = cancelled || has(line, "'method':'notifications/cancelled'");
        answered += has(line, "'id':'q'") || has(line, "'id':'r'");
    }
    CHECK(cancelled && answered == (several ? 2 : 1));
    CHECK(!mcpw_session_is_busy(it.back->session));
    close_relay();
}

static void a_client_may_go_when_it_is_told_what_its_answer_loses(void) {
    for (int several = 0; several < 2; several++) {
        lose_the_client_by_its_answer(OLDEST, several != 0);
        lose_the_client_by_its_answer(HANDSHAKE, several != 0);
    }
}

static void take_back_the_next(void *user, mcpw_session *session, const mcpw_diagnostic *diagnostic) {
    end_on_diagnostic(user, session, diagnostic);
    if (diagnostic->kind == MCPW_DIAGNOSTIC_DROPPED) {
        say(it.back, "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':'r'}}");
    }
}

static void a_input_request_may_be_taken_back_while_the_one_before_is_answered(void) {
    open_relay_of(MODERN, HANDSHAKE, OLDEST);
    ((mcpw_session_config *)it.back->session->config)->on_diagnostic = take_back_the_next;
    say_request(it.front, "1", "tools/call", "'name':'t'");
    CHECK_HAS(heard(it.back), "'method':'tools/call'");
    static const char *const ids[] = {"q", "r", "s"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        say(it.back, fmt("{'jsonrpc':'2.0','id':'%s'," SAMPLE "}", ids[i]));
    }
    take_round(heard(it.front));
    say_request(it.front, "2", "tools/call",
                fmt("'name':'t','inputResponses':{%s:{" SAMPLED_LATELY "}},'requestState':'%s'", asked_key,
                    asked_state));
    CHECK_HAS(heard(it.back), "'id':'q','result':{'role':'assistant'");
    EXPECT(it.back, "");
    const char *const line = heard(it.front);
    mcpw_json requests = mcpw_json_of(line, strlen(line));
    take_round(line);
    CHECK(mcpw_json_get(requests, "result", &requests) == MCPW_OK &&
          mcpw_json_get(requests, "inputRequests", &requests) == MCPW_OK && mcpw_json_count(requests) == 1);
    close_relay();
}

static void either_end_may_go_while_a_client_is_waited_for(void) {
    ask_in_round(HANDSHAKE);
    mcpw_session_close(it.front->session);
    CHECK_HAS(heard(it.back), "'id':'q','error'");
    CHECK_HAS(heard(it.back), "'method':'notifications/cancelled'");
    close_relay();
    ask_in_round(HANDSHAKE);
    mcpw_session_close(it.back->session);
    say_retry("2");
    CHECK_HAS(heard(it.front), "'id':2,'error':{'code':-32603");
    close_relay();
}

/* ---- Want of memory ---- */

/* Whether a line has a member, and its text. */
static bool member_of(const char *line, const char *name, char *out, size_t size) {
    const mcpw_json message = mcpw_json_of(line, strlen(line));
    mcpw_json text = mcpw_json_of("", 0);
    const bool found = *line != '\0' && mcpw_json_get(message, name, &text) == MCPW_OK;
    (void)snprintf(out, size, "%.*s", (int)text.len, text.ptr);
    return found;
}

/* Says a whole line; it may be lost. */
static void tell(end *to, const char *line) {
    const char *const text = fmt("%s\n", q(line));
    const mcpw_status status = mcpw_session_feed(to->session, text, strlen(text));
    CHECK(status == MCPW_OK || status == MCPW_E_MEMORY);
}

static void tell_call(const char *id, const char *method, const char *members) {
    const char *const meta = meta_of(it.front, CLIENT_CAPABILITIES, "");
    tell(it.front, fmt("{'jsonrpc':'2.0','id':%s,'method':'%s','params':{%s%s%s}}", id, method, meta,
                       *meta != '\0' && *members != '\0' ? "," : "", members));
}

static void tell_result(end *to, const char *id, const char *members) {
    tell(to, fmt("{'jsonrpc':'2.0','id':%s,'result':%s}", id, result_in(to, members)));
}

/* Both peers say what they have to, whatever comes: a call that is asked an input request before it is
 * answered, in the way of either end, and a resource that is watched. */
static void play(bool *answered) {
    char id[64];
    char method[64];
    bool asked = false;
    bool any = true;
    const bool rounds = is_modern(it.back->speaks);
    tell_call("1", "tools/call", "'name':'t'");
    for (int turns = 0; any && turns < 50; turns++) {
        any = false;
        for (const char *line = heard(it.back); *line != '\0'; line = heard(it.back)) {
            any = true;
            if (!member_of(line, "method", method, sizeof method) || !member_of(line, "id", id, sizeof id) ||
                strcmp(method, q("'tools/call'")) != 0) {
                continue;
            }
            if (!asked && rounds) {
                tell(it.back, fmt("{'jsonrpc':'2.0','id':%s,'result':{'resultType':'input_required',"
                                  "'inputRequests':{'k':{'method':'elicitation/create','params':{" FORM
                                  "}}},'requestState':'s'}}",
                                  id));
            } else {
                tell(it.back, "{'jsonrpc':'2.0','id':'q','method':'elicitation/create','params':{" FORM "}}");
                tell_result(it.back, id, "'content':[]");
            }
            asked = true;
        }
        for (const char *line = heard(it.front); *line != '\0'; line = heard(it.front)) {
            any = true;
            if (member_of(line, "method", method, sizeof method) && member_of(line, "id", id, sizeof id)) {
                tell_result(it.front, id, ANSWER);
            } else if (has(line, "'input_required'") && has(line, "'inputRequests'")) {
                take_round(line);
                tell_call("2", "tools/call",
                          fmt("'name':'t','inputResponses':{%s:{" ANSWER "}},'requestState':'%s'", asked_key,
                              asked_state));
            } else if (has(line, "'result'") || has(line, "'error'")) {
                *answered = true;
            }
        }
    }
}

/* Plays while the nth allocation of one end fails; whether one was to fail. */
static bool play_without(const char *client, const char *server, bool of_front, size_t n) {
    bool answered = false;
    open_relay(client, server);
    it.front->unchecked = it.back->unchecked = true;
    counting *const memory = of_front ? &it.front->memory : &it.back->memory;
    memory->stingy = true;
    memory->fail_at = memory->calls + n;
    play(&answered);
    const bool failed = memory->calls >= memory->fail_at;
    memory->fail_at = 0;
    CHECK(answered || failed);
    say_request(it.front, "'alive'", "tools/list", "");
    CHECK_HAS(heard(it.back), "'method':'tools/list'");
    close_relay();
    return failed;
}

static void a_relay_survives_any_failing_allocation(void) {
    static const char *const ends[][2] = {{MODERN, HANDSHAKE}, {HANDSHAKE, MODERN}, {MODERN, MODERN}};
    enum { MOST = 2000 };
    size_t failures = 0;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        for (int of_front = 0; of_front < 2; of_front++) {
            size_t n = 1;
            while (n < MOST && play_without(ends[i][0], ends[i][1], of_front != 0, n)) {
                n++;
            }
            CHECK(n < MOST);
            failures += n;
        }
    }
    CHECK(failures > 50);
}

/* ---- Who one passes for ---- */

static void name_and_version_may_stand_in_the_info(void) {
    end *const e = server_of(HANDSHAKE, HANDSHAKE);
    e->config.name = e->config.version = NULL;
    e->config.info = (mcpw_json)MCPW_JSON("{\"version\":\"3\",\"title\":\"T\",\"name\":\"n\"}");
    end_start(e);
    say_initialize_as(e, "{}");
    CHECK_HAS(heard(e), "'serverInfo':{'name':'n','version':'3','title':'T'}");
    end_free(e);
}

/* Without libsodium nothing is signed, so no client can be asked to come back. */
static bool signs_states(void) {
    open_relay(MODERN, HANDSHAKE);
    say_request(it.front, "1", "tools/call", "'name':'t'");
    say_input_request("'q'");
    const bool signs = has(heard(it.front), "'requestState'");
    close_relay();
    return signs;
}

int main(void) {
    RUN(a_request_and_its_result_pass);
    RUN(arguments_that_are_passed_on_are_not_checked_again);
    RUN(a_result_that_is_passed_on_is_not_checked_again);
    RUN(unknown_members_and_meta_of_every_level_survive);
    RUN(a_meta_survives_where_all_else_is_known);
    RUN(notifications_keep_what_nobody_knows);
    RUN(an_error_passes_with_its_data);
    RUN(a_missing_resource_has_the_code_of_its_client);
    RUN(codes_that_a_revision_forbids_are_replaced);
    RUN(cancellation_passes_with_its_reason);
    RUN(progress_is_asked_for_where_the_client_asks);
    RUN(a_request_without_another_end_is_refused);
    RUN(an_end_that_goes_is_an_error_for_what_waits);
    RUN(the_level_of_a_request_reaches_a_server_with_a_handshake);
    RUN(the_level_of_a_session_goes_with_each_request);
    RUN(log_messages_go_with_a_request_that_wants_them);
    RUN(rounds_pass_as_they_are_between_ends_that_have_them);
    RUN(input_requests_of_a_round_reach_a_client_with_a_handshake);
    RUN(a_input_request_without_a_request_to_carry_it_is_refused);
    RUN(a_input_request_that_the_client_cannot_answer_is_refused);
    RUN(name_and_version_may_stand_in_the_info);
    check_test = "signs_states";
    if (!signs_states()) {
        (void)fprintf(stderr,
                      "skipped: questions that a client has to come back for, which need libsodium\n");
        return check_failures != 0 ? check_end() : CHECK_SKIPPED;
    }
    RUN(a_page_to_visit_gets_a_handle_where_there_are_handles);
    RUN(the_end_of_a_visit_is_told_where_there_is_a_word_for_it);
    RUN(a_visit_that_nobody_made_has_no_end);
    RUN(a_client_is_answered_to_its_ping_whatever_the_server_speaks);
    RUN(a_input_request_is_carried_by_a_request_of_a_client_with_rounds);
    RUN(an_answer_waits_for_the_client_to_come_back);
    RUN(a_input_request_that_comes_meanwhile_is_asked_next);
    RUN(a_client_that_does_not_come_back_is_given_up);
    RUN(a_client_that_says_nothing_more_is_given_up_in_time);
    RUN(so_many_may_wait_for_their_clients_as_may_be_under_way);
    RUN(an_answer_that_is_too_large_to_wait_is_an_error);
    RUN(an_error_waits_for_the_client_to_come_back);
    RUN(clients_may_come_back_in_any_order);
    RUN(a_input_request_is_carried_by_no_request_to_another_server);
    RUN(a_state_of_no_relay_is_refused);
    RUN(a_later_input_request_that_is_cancelled_is_not_asked);
    RUN(several_input_requests_are_asked_and_answered_in_one_round);
    RUN(a_input_request_that_is_cancelled_is_asked_no_more);
    RUN(either_end_may_go_while_a_client_is_waited_for);
    RUN(a_client_may_go_when_it_is_told_what_a_request_loses);
    RUN(a_client_may_go_when_it_is_told_what_its_answer_loses);
    RUN(a_input_request_may_be_taken_back_while_the_one_before_is_answered);
    RUN(a_relay_survives_any_failing_allocation);
    return check_end();
}
