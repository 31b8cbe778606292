/* SPDX-License-Identifier: MIT */
#include "http_stage.h"

#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/protocol.h>
#include <mcpw/detail/session.h>
#include <mcpw/json.h>

static const char *const principals[] = {"alice", "bob", NULL};
enum { PRINCIPALS = sizeof principals / sizeof *principals };

/* ---- Begin ---- */

static mcpw_status call_at(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    const mcpw_str text = {call->arguments.ptr, call->arguments.len};
    const stage *const s = user;
    const mcpw_http_exchange *const exchange = mcpw_http_exchange_of(request);
    const stage_slot *const slot = mcpw_http_user(exchange);
    FUZZ_ASSERT(slot == NULL || slot->of == s);
    (void)mcpw_http_field_of(exchange, "Mcp-Param-Region");
    (void)!mcpw_http_end_stream(request);
    return mcpw_respond_text(request, text);
}

/* A tool whose arguments are repeated by header fields. */
static void add_tool_at(stage *s) {
    static const char schema[] =
        "{\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"},"
        "\"n\":{\"type\":\"number\",\"x-mcp-header\":\"N\"},"
        "\"b\":{\"type\":\"boolean\",\"x-mcp-header\":\"B\"},\"in\":{\"type\":\"object\",\"properties\":"
        "{\"deep\":{\"type\":\"string\",\"x-mcp-header\":\"Deep\"}}}}}";
    mcpw_tool tool;
    memset(&tool, 0, sizeof tool);
    tool.name = "at";
    tool.input_schema = mcpw_json_from(schema);
    tool.call = call_at;
    tool.user = s;
    FUZZ_SAME(mcpw_server_add_tool(s->side.server, &tool, NULL), MCPW_OK, "tool");
}

static void on_session(void *user, mcpw_session *session) { side_meet(&((stage *)user)->side, session); }

static void set_limits(mcpw_http_config *config, unsigned which) {
    config->max_exchanges = STAGE_SLOTS - 1;
    config->session_timeout_ms = 20000;
    config->keep_alive_ms = 400;
    config->body_timeout_ms = 3000;
    config->max_sessions = 4;
    config->max_streams = 4;
    config->max_head = STAGE_HEAD / 2;
    config->max_fields = STAGE_FIELDS - 4;
    config->max_body = 4096;
    if ((which & 1U) != 0) { /* hardly anything */
        config->max_idle = 1;
        config->max_sessions = 2;
        config->max_streams = 2;
        config->max_events = 2;
        config->max_event_bytes = 500;
        config->max_store_bytes = 600;
        config->max_body = 700;
        config->session_timeout_ms = 1000;
    }
    if ((which & 2U) != 0) { /* as much as can be said */
        config->body_timeout_ms = config->keep_alive_ms = config->session_timeout_ms = UINT64_MAX;
    }
    config->hosts = (which & 4U) != 0 ? "*" : NULL;
    config->origins = (which & 8U) != 0 ? "https://a.example http://b:1" : NULL;
}

void stage_start(stage *s, const stage_config *config) {
    mcpw_http_config c = MCPW_HTTP_CONFIG_INIT;
    mcpw_error error = {0};
    memset(s, 0, sizeof *s);
    s->config = *config;
    s->config.side.served = true;
    s->config.side.whole = true;
    s->config.side.allocator = counting_allocator(&s->memory);
    s->said = (mcpw_buffer)MCPW_BUFFER_INIT;
    s->seed = config->side.seed;
    fuzz_seed_random(config->side.seed);
    side_start(&s->side, &s->config.side);
    add_tool_at(s);
    set_limits(&c, config->limits);
    c.endpoint = s->side.endpoint;
    c.on_session = on_session;
    c.user = s;
    c.eras = config->eras;
    const mcpw_http_store store = stage_store_of(s);
    c.store = config->keeps ? &store : NULL;
    c.allocator = s->config.side.allocator;
    s->http = mcpw_http_server_new(&c, &error);
    if (s->http == NULL) { /* the revisions spoken are of the other era */
        FUZZ_SAME(error.code, MCPW_E_ARGUMENT, error.message);
    }
    s->memory.fail_at = config->fails != 0 ? s->memory.calls + config->fails : 0;
    s->memory.stingy = config->is_stingy;
}

/* ---- Requests ---- */

static mcpw_str keep(stage_request *r, const char *text, size_t len) {
    const size_t room = sizeof r->room - r->used;
    const mcpw_str out = {r->room + r->used, len < room ? len : room};
    if (out.len != 0) {
        memcpy(r->room + r->used, text, out.len);
    }
    r->used += out.len;
    return out;
}

static mcpw_str id_of_client(const stage *s, unsigned which) {
    return which < s->client_count ? mcpw_str_from(s->clients[which].id) : MCPW_STR_VALUE("none");
}

/* An id of an event that the newest client has got, counted from the last one. */
static mcpw_str id_of_event(const stage *s, unsigned which, char *room, size_t size) {
    const stage_client *const c = s->client_count != 0 ? s->clients + s->client_count - 1 : NULL;
    stage_event e = {0, 0, 0};
    if (c != NULL && which < c->event_count) {
        e = c->events[(c->event_count - 1 - which) % STAGE_EVENTS];
    }
    const int len =
        snprintf(room, size, "%llu-%llu", (unsigned long long)e.stream, (unsigned long long)e.number);
    return (mcpw_str){room, (size_t)len};
}

void stage_add_field(stage *s, stage_request *r, mcpw_str name, mcpw_str value) {
    char room[STAGE_ID];
    mcpw_str meant = value;
    if (r->field_count == STAGE_FIELDS) {
        return;
    }
    if (value.len == 3 && value.ptr[0] == '$') {
        const unsigned which = (unsigned char)value.ptr[2] - (unsigned)'0';
        meant = value.ptr[1] == 'S'   ? id_of_client(s, which)
                : value.ptr[1] == 'E' ? id_of_event(s, which, room, sizeof room)
                                      : value;
    }
    const mcpw_str kept = keep(r, name.ptr, name.len);
    r->fields[r->field_count++] = (mcpw_http_field){kept, keep(r, meant.ptr, meant.len)};
}

static void add_string(stage *s, stage_request *r, const char *name, mcpw_json object, const char *member) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_str text;
    if (mcpw_json_get_string(object, member, &arena, &text) == MCPW_OK) {
        stage_add_field(s, r, mcpw_str_from(name), text);
    }
    mcpw_arena_free(&arena);
}

static void add_modern(stage *s, stage_request *r) {
    const mcpw_json body = mcpw_json_of(r->body.ptr, r->body.len);
    mcpw_json params = {NULL, 0, 0};
    stage_add_field(s, r, MCPW_STR_VALUE("MCP-Protocol-Version"), MCPW_STR_VALUE("2026-07-28"));
    add_string(s, r, "Mcp-Method", body, "method");
    if (mcpw_json_get(body, "params", &params) == MCPW_OK) {
        add_string(s, r, "Mcp-Name", params, "name");
        add_string(s, r, "Mcp-Name", params, "uri");
        add_string(s, r, "Mcp-Name", params, "taskId");
    }
}

void stage_add_usual(stage *s, stage_request *r, int kind) {
    static const mcpw_str accept = MCPW_STR("application/json, text/event-stream");
    stage_add_field(s, r, MCPW_STR_VALUE("Host"), MCPW_STR_VALUE("localhost:80"));
    stage_add_field(s, r, MCPW_STR_VALUE("Accept"), accept);
    stage_add_field(s, r, MCPW_STR_VALUE("Content-Type"), MCPW_STR_VALUE("application/json"));
    if (kind == 'm') {
        add_modern(s, r);
    } else if (kind >= '0' && kind <= '9') {
        stage_add_field(s, r, MCPW_STR_VALUE("Mcp-Session-Id"),
                        id_of_client(s, (unsigned)kind - (unsigned)'0'));
    }
}

stage_client *stage_client_of(stage *s, mcpw_str id) {
    for (size_t i = 0; i < s->client_count; i++) {
        if (mcpw_str_is(id, s->clients[i].id)) {
            return s->clients + i;
        }
    }
    return NULL;
}

/* The last client that a field names. */
static stage_client *named_by(stage *s, const stage_request *r) {
    stage_client *named = NULL;
    for (size_t i = 0; i < r->field_count; i++) {
        stage_client *const found = stage_client_of(s, r->fields[i].value);
        named = found != NULL ? found : named;
    }
    return named;
}

/* Whether a body says that it stands for itself. */
static bool names_version(mcpw_str body) {
    const mcpw_json text = mcpw_json_of(body.ptr, body.len);
    mcpw_json at = {NULL, 0, 0};
    return mcpw_json_get(text, "params", &at) == MCPW_OK && mcpw_json_get(at, "_meta", &at) == MCPW_OK &&
           mcpw_json_get(at, "io.modelcontextprotocol/protocolVersion", &at) == MCPW_OK;
}

static const mcpw_revision *modern(void) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    return all[count - 1];
}

void stage_expect(known_requests *known, const mcpw_revision *revision, mcpw_str body) {
    const mcpw_json text = mcpw_json_of(body.ptr, body.len);
    mcpw_json_iter it;
    mcpw_json item;
    if (mcpw_json_kind_of(text) != MCPW_JSON_ARRAY) {
        (void)known_expect(known, revision, body.ptr, body.len);
    } else if (mcpw_json_iterate(text, &it) == MCPW_OK) {
        while (mcpw_json_next(&it, NULL, &item)) {
            (void)known_expect(known, revision, item.ptr, item.len);
        }
    }
}

static bool serves_alone(const stage *s) {
    const mcpw_str name = mcpw_str_from(mcpw_revision_wire(modern()));
    return s->config.eras != MCPW_HTTP_LEGACY && mcpw_endpoint_revision(s->side.endpoint, name) != NULL;
}

static void expect(stage_slot *slot) {
    const mcpw_str body = {slot->body, slot->body_len};
    const mcpw_json text = mcpw_json_of(body.ptr, body.len);
    mcpw_json member;
    if (slot->client == NULL || (serves_alone(slot->of) && names_version(body))) {
        slot->client = NULL;
        stage_expect(&slot->known, modern(), body);
    } else {
        stage_expect(&slot->client->known, slot->client->revision, body);
    }
    slot->is_request =
        mcpw_json_get(text, "id", &member) == MCPW_OK && mcpw_json_get(text, "method", &member) == MCPW_OK;
}

/* In pieces of exactly their size. */
static void pass(stage_slot *slot, size_t to) {
    stage *const s = slot->of;
    while (slot->passed < to) {
        size_t piece = to - slot->passed;
        if (s->config.largest != 0) {
            s->seed = s->seed * 1103515245U + 12345U;
            const size_t most = 1 + (s->seed >> 16) % s->config.largest;
            piece = most < piece ? most : piece;
        }
        char *const copy = fuzz_copy(slot->body + slot->passed, piece);
        mcpw_http_body(slot->exchange, copy, piece);
        free(copy);
        slot->passed += piece;
    }
}

static void say_number(stage *s, const char *what, unsigned number, int status) {
    enum { ROOM = 64 };
    char text[ROOM];
    const int len = snprintf(text, sizeof text, "%s %u %d\n", what, number, status);
    FUZZ_SAME(mcpw_buffer_append(&s->said, text, (size_t)len), MCPW_OK, "memory");
}

static void close_slot(stage_slot *slot) {
    mcpw_http_exchange *const exchange = slot->exchange;
    if (exchange != NULL) {
        slot->exchange = NULL; /* nobody asks for it any more */
        mcpw_http_close(exchange);
        free(slot->body);
        slot->body = NULL;
    }
}

/* Takes a step, if there is one. */
static bool take(stage_slot *slot) {
    stage *const s = slot->of;
    mcpw_http_output out;
    if (slot->exchange == NULL || !mcpw_http_next(slot->exchange, &out)) {
        return false;
    }
    FUZZ_ASSERT(!slot->is_over);
    switch (out.step) {
    case MCPW_HTTP_HEAD:
        FUZZ_ASSERT(slot->status == 0);
        say_number(s, "status", slot->number, out.status);
        stage_check_head(slot, &out);
        break;
    case MCPW_HTTP_BODY:
        FUZZ_ASSERT(slot->status != 0 && slot->streams && out.bytes.len != 0);
        say_number(s, "body", slot->number, 0);
        stage_check_events(slot, out.bytes);
        break;
    default:
        FUZZ_ASSERT(out.step == MCPW_HTTP_END && slot->status != 0 && out.bytes.len == 0);
        say_number(s, "end", slot->number, 0);
        slot->is_over = true;
        FUZZ_ASSERT(!mcpw_http_next(slot->exchange, &out));
        stage_check_end(slot);
        break;
    }
    FUZZ_SAME(mcpw_buffer_append(&s->said, out.bytes.ptr, out.bytes.len), MCPW_OK, "memory");
    return true;
}

/* Takes all that there is, unless the client is slow. */
static bool drain(stage_slot *slot) {
    bool any = false;
    while (!slot->is_slow && take(slot)) {
        any = true;
    }
    if (slot->is_over && slot->exchange != NULL && !slot->of->config.lingers) {
        close_slot(slot);
    }
    return any;
}

void stage_settle(stage *s) {
    enum { ROUNDS = 40 };
    bool any = s->http != NULL && !s->is_busy;
    for (int i = 0; i < ROUNDS && any; i++) {
        any = false;
        for (mcpw_http_exchange *e = mcpw_http_ready(s->http); e != NULL; e = mcpw_http_ready(s->http)) {
            stage_slot *const slot = mcpw_http_user(e);
            FUZZ_ASSERT(slot != NULL && slot->exchange == e);
            FUZZ_ASSERT(!slot->is_over);
            const bool given = drain(slot);
            FUZZ_ASSERT(given || slot->is_slow);
            any = any || given;
        }
    }
}

static stage_slot *free_slot(stage *s) {
    for (size_t i = 0; i < STAGE_SLOTS; i++) {
        if (s->slots[i].exchange == NULL) {
            return s->slots + i;
        }
    }
    return NULL;
}

static void finish_body(stage_slot *slot) {
    if (slot->exchange != NULL) {
        pass(slot, slot->body_len);
        mcpw_http_body_end(slot->exchange);
        drain(slot);
    }
}

void stage_send(stage *s, stage_request *r) {
    const char *const principal = principals[s->principal % PRINCIPALS];
    const mcpw_http_request request = {
        r->method, r->path, r->fields, r->field_count, mcpw_str_from(principal), {NULL, 0}};
    stage_slot *const slot = free_slot(s);
    mcpw_http_exchange *exchange = NULL;
    if (slot == NULL || s->http == NULL) {
        return;
    }
    memset(slot, 0, sizeof *slot);
    slot->of = s;
    slot->number = ++s->exchanges;
    slot->principal = principal;
    slot->client = named_by(s, r);
    slot->is_late = slot->client != NULL && slot->client->is_over;
    slot->is_post = mcpw_str_is(r->method, "POST");
    slot->is_delete = mcpw_str_is(r->method, "DELETE");
    const mcpw_status status = mcpw_http_begin(s->http, &request, slot, &exchange);
    FUZZ_ASSERT((status == MCPW_OK) == (exchange != NULL));
    FUZZ_ASSERT(status == MCPW_OK || status == MCPW_E_FULL || s->ended || s->memory.failed);
    say_number(s, "begin", slot->number, (int)status);
    memset(r->room, '#', sizeof r->room); /* all was copied */
    if (exchange == NULL) {
        return;
    }
    slot->exchange = exchange;
    slot->body = fuzz_copy(r->body.ptr, r->body.len);
    slot->body_len = r->body.len;
    if (slot->is_post) {
        expect(slot);
    }
    if (s->holds) {
        s->holds = false;
        pass(slot, slot->body_len / 2);
        drain(slot);
    } else {
        finish_body(slot);
    }
}

/* ---- What happens besides ---- */

static void advance(stage *s, uint64_t by) {
    s->now += by;
    s->side.now = s->now;
    mcpw_http_advance(s->http, s->now);
    FUZZ_ASSERT(mcpw_http_deadline(s->http) > s->now || s->memory.failed);
}

/* More than a stream takes at once, about a request that is kept. */
static void say_much(stage *s, unsigned number) {
    enum { TIMES = 90, LENGTH = 1000 };
    char text[LENGTH];
    memset(text, '.', sizeof text);
    text[sizeof text - 1] = '\0';
    for (unsigned i = 0; i < TIMES; i++) {
        mcpw_request *const request = s->side.kept[number % SIDE_KEPT]; /* a callback may end it */
        if (request != NULL) {
            (void)!mcpw_request_progress(request, 10 + i, -1, text);
        }
    }
}

/* A client of 2026-07-28 answers what it was asked last. */
static void send_retry(stage *s, unsigned at) {
    enum { MOST = 2048 };
    static stage_request r;
    char room[MOST];
    const size_t len = side_retry(&s->side, at, room, sizeof room);
    if (len < sizeof room) {
        r.field_count = r.used = 0;
        r.method = MCPW_STR_VALUE("POST");
        r.path = MCPW_STR_VALUE("/mcp");
        r.body = (mcpw_str){room, len};
        stage_add_usual(s, &r, 'm');
        stage_send(s, &r);
    }
    s->side.forged = false;
}

/* An action of a session happens in one of those that are open. */
static void operate_in(stage *s, int letter, unsigned number, unsigned n) {
    side *const d = &s->side;
    d->session = d->visitors[n % SIDE_VISITORS];
    if (letter == 'q') {
        if (d->session != NULL) {
            side_request(d, (int)(number % ((unsigned)mcpw_method_count(d->revision) + 2U)), n);
        }
    } else if (d->session != NULL || strchr("krumg", letter) != NULL) {
        (void)side_operate(d, letter, number);
    }
    d->session = NULL;
}

void stage_operate(stage *s, int letter, unsigned number, unsigned n) {
    enum { SOON = 100, LATE = 10000 };
    stage_slot *const slot = s->slots + number % STAGE_SLOTS;
    if (s->http == NULL) {
        return;
    }
    switch (letter) {
    case 'A':
        advance(s, (uint64_t)number * SOON);
        break;
    case 'T':
        advance(s, (uint64_t)number * LATE);
        break;
    case 'C':
        close_slot(slot);
        break;
    case 'F':
        finish_body(slot);
        break;
    case 'H':
        s->holds = true;
        break;
    case 'B':
        say_much(s, number);
        break;
    case 'S':
        send_retry(s, number);
        break;
    case 'Y':
        s->is_busy = !s->is_busy;
        break;
    case 'W':
        slot->is_slow = !slot->is_slow;
        drain(slot);
        break;
    case 'O':
        (void)take(slot);
        break;
    case 'P':
        s->principal = number;
        break;
    case 'Z':
        s->ended = true;
        mcpw_http_server_stop(s->http);
        break;
    case 'D':
        if (s->side.kept[number % SIDE_KEPT] != NULL) {
            (void)!mcpw_http_end_stream(s->side.kept[number % SIDE_KEPT]);
        }
        break;
    default:
        if (letter != '\0' && strchr("lixckrumgq", letter) != NULL) {
            operate_in(s, letter, number, n);
        }
        break;
    }
}

/* ---- End ---- */

void stage_end(stage *s) {
    if (s->http != NULL && !s->config.stops) {
        s->ended = true;
        s->is_busy = false;
        mcpw_http_server_stop(s->http);
        for (size_t i = 0; i < STAGE_SLOTS; i++) {
            s->slots[i].is_slow = false;
            drain(s->slots + i);
        }
        stage_settle(s);
        for (size_t i = 0; i < STAGE_SLOTS; i++) {
            FUZZ_ASSERT(s->slots[i].exchange == NULL || s->slots[i].is_over || s->memory.failed);
            close_slot(s->slots + i);
        }
    }
    mcpw_http_server_free(s->http);
    for (size_t i = 0; i < STAGE_SLOTS; i++) {
        free(s->slots[i].body);
    }
    side_end(&s->side);
    stage_store_free(s);
    FUZZ_ASSERT(s->memory.in_use == 0);
}
