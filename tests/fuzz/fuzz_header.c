/* SPDX-License-Identifier: MIT */
/*
 * Values of header fields: lists are cut as a plain loop cuts them, wrapping is undone to one text each,
 * hosts, origins and kinds of answers are those of a second reading, what frames a request is refused where a
 * second reading finds two meanings, and fields that repeat a tool's arguments are taken as a client writes
 * them, and not otherwise. Challenges are read as they were written.
 *
 * The header says the mode (the definition). The text is lines, as many as the mode wants.
 */
#include "../http_site.h"
#include "fields.h"
#include "fuzz.h"

#include <mcpw/detail/challenge.h>

enum { MOST_LINES = 5, MODES = 7, MISMATCH = 400, REFUSED = 400, ROOM = 1 << 15 };

typedef struct lines {
    mcpw_str line[MOST_LINES]; /* each of exactly its size; absent ones are empty */
    bool is_there[MOST_LINES];
} lines;

static void read_lines(lines *l, const char *text, size_t len) {
    memset(l, 0, sizeof *l);
    for (size_t i = 0; i < MOST_LINES; i++) {
        const char *const end = len != 0 && i + 1 < MOST_LINES ? memchr(text, '\n', len) : NULL;
        const size_t n = end != NULL ? (size_t)(end - text) : len;
        l->is_there[i] = len != 0;
        l->line[i] = (mcpw_str){fuzz_copy(text, n), n};
        text += n + (end != NULL);
        len -= n + (end != NULL);
    }
}

static void free_lines(lines *l) {
    for (size_t i = 0; i < MOST_LINES; i++) {
        free((void *)(uintptr_t)l->line[i].ptr);
    }
}

/* ---- A second reading ---- */

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c; }

static bool is_same(mcpw_str a, mcpw_str b) {
    size_t i = 0;
    while (i < a.len && i < b.len && lower(a.ptr[i]) == lower(b.ptr[i])) {
        i++;
    }
    return i == a.len && i == b.len;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static mcpw_str trimmed(mcpw_str text) {
    size_t from = 0;
    size_t to = text.len;
    while (from < to && is_blank(text.ptr[from])) {
        from++;
    }
    while (to > from && is_blank(text.ptr[to - 1])) {
        to--;
    }
    return (mcpw_str){text.ptr + from, to - from};
}

/* The part of a list with that number, trimmed; false: it has fewer. */
static bool part_of(mcpw_str list, char separator, size_t number, mcpw_str *part) {
    size_t from = 0;
    for (size_t i = 0; i <= list.len; i++) {
        if ((i == list.len || list.ptr[i] == separator) && number-- == 0) {
            *part = trimmed((mcpw_str){list.ptr + from, i - from});
            return true;
        }
        from = i < list.len && list.ptr[i] == separator ? i + 1 : from;
    }
    return false;
}

/* ---- Lists ---- */

static void check_list(mcpw_str list, char separator) {
    mcpw_str rest = list;
    mcpw_str part = {NULL, 0};
    mcpw_str other = {NULL, 0};
    size_t count = 0;
    while (mcpw_header_part(&rest, separator, &part)) {
        FUZZ_ASSERT(part_of(list, separator, count, &other));
        FUZZ_ASSERT(part.len == other.len && part.ptr == other.ptr);
        count++;
    }
    /* but for an empty one after the last separator */
    FUZZ_ASSERT(!part_of(list, separator, count, &other) || other.len == 0);
    FUZZ_ASSERT(mcpw_header_is(list, list));
    FUZZ_ASSERT(mcpw_header_trim(list).len == trimmed(list).len);
}

/* ---- Wrapping ---- */

static mcpw_str wrapped(mcpw_arena *arena, mcpw_str text, char *room) {
    const mcpw_str inside = mcpw_base64_encode(arena, text.ptr, text.len);
    const int len = snprintf(room, ROOM, "=?base64?%.*s?=", (int)inside.len, inside.ptr);
    return (mcpw_str){room, (size_t)len};
}

static void check_wrapping(mcpw_str text) {
    char room[ROOM];
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_str out = {NULL, 0};
    const mcpw_str own = wrapped(&arena, text, room);
    FUZZ_SAME(mcpw_header_unwrap(&arena, own, &out), MCPW_OK, "wrapping of our own");
    FUZZ_ASSERT(mcpw_str_equal(out, text) || (out.len == 0 && text.len == 0));
    const mcpw_str field = mcpw_header_wrap(&arena, text); /* as a client of ours writes it */
    FUZZ_ASSERT(mcpw_header_is_plain(field) && mcpw_header_trim(field).len == field.len);
    FUZZ_SAME(mcpw_header_unwrap(&arena, field, &out), MCPW_OK, "a field of our own");
    FUZZ_ASSERT(mcpw_str_equal(out, text) || (out.len == 0 && text.len == 0));
    const mcpw_status status = mcpw_header_unwrap(&arena, text, &out);
    FUZZ_ASSERT(status == MCPW_OK || status == MCPW_E_FORMAT);
    if (status == MCPW_OK && out.ptr != text.ptr) { /* one text for each value */
        const mcpw_str again = wrapped(&arena, out, room);
        FUZZ_ASSERT(mcpw_str_equal(again, text));
    }
    mcpw_arena_free(&arena);
}

/* ---- Requests ---- */

static mcpw_status call_at(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)call;
    (void)user;
    return mcpw_respond_text(request, MCPW_STR_VALUE("done"));
}

static void start(http_site *s, const char *hosts, const char *origins) {
    static const char schema[] =
        "{\"type\":\"object\",\"properties\":{\"s\":{\"x-mcp-header\":\"S\"},\"n\":{\"x-mcp-header\":\"N\"},"
        "\"b\":{\"x-mcp-header\":\"B\"},\"o\":{\"properties\":{\"d\":{\"x-mcp-header\":\"D\"}}}}}";
    const mcpw_tool tool = {.name = "at", .call = call_at, .input_schema = mcpw_json_from(schema)};
    mcpw_session_config sessions = MCPW_SESSION_CONFIG_INIT;
    mcpw_http_config http = MCPW_HTTP_CONFIG_INIT;
    http.hosts = hosts;
    http.origins = origins;
    http.eras = MCPW_HTTP_MODERN;
    http.max_head = ROOM;
    FUZZ_ASSERT(http_site_open(s, mcpw_server_new("fuzz", "1", NULL), &sessions, &http));
    FUZZ_SAME(mcpw_server_add_tool(s->tools, &tool, NULL), MCPW_OK, "tool");
}

/* The status of a POST's answer, 0 where its body is to come; an empty one has none. *code receives that of
 * an error. */
static int post(http_site *s, const mcpw_http_field *fields, size_t count, mcpw_str body, int64_t *code) {
    mcpw_http_exchange *const exchange = http_site_send(s, "POST", fields, count, body);
    mcpw_http_output out = {0};
    mcpw_json error = {NULL, 0, 0};
    FUZZ_ASSERT(exchange != NULL);
    const bool is_answered = mcpw_http_next(exchange, &out);
    const int status = is_answered ? out.status : 0;
    const mcpw_json text = mcpw_json_of(out.bytes.ptr, out.bytes.len);
    *code = 0;
    if (is_answered && mcpw_json_get(text, "error", &error) == MCPW_OK) {
        FUZZ_SAME(mcpw_json_get_int(error, "code", code), MCPW_OK, "the code");
    }
    mcpw_http_close(exchange);
    return status;
}

/* ---- Hosts and origins ---- */

static const char *ended(mcpw_str text, char *room) {
    (void)snprintf(room, ROOM, "%.*s", (int)text.len, text.ptr);
    return room;
}

/* Whether a host is that of an entry: at the same port, or at any, where the entry has none. */
static bool is_host_of(mcpw_str host, mcpw_str entry) {
    size_t digits = host.len;
    while (digits != 0 && host.ptr[digits - 1] >= '0' && host.ptr[digits - 1] <= '9') {
        digits--;
    }
    const bool has_port = digits != 0 && host.ptr[digits - 1] == ':';
    const mcpw_str name = {host.ptr, has_port ? digits - 1 : host.len};
    return entry.len != 0 && (is_same(host, entry) || is_same(name, entry));
}

static bool is_host_in(mcpw_str host, mcpw_str hosts) {
    mcpw_str entry;
    bool found = false;
    for (size_t i = 0; part_of(hosts, ' ', i, &entry); i++) {
        found = found || is_host_of(host, entry);
    }
    return found;
}

static bool is_origin_in(mcpw_str origin, mcpw_str hosts) {
    static const mcpw_str schemes[] = {MCPW_STR("http://"), MCPW_STR("https://")};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        const mcpw_str begin = {origin.ptr, schemes[i].len < origin.len ? schemes[i].len : origin.len};
        const mcpw_str host = {origin.ptr + begin.len, origin.len - begin.len};
        if (is_same(begin, schemes[i]) && is_host_in(host, hosts)) {
            return true;
        }
    }
    return false;
}

static bool is_among(mcpw_str origin, mcpw_str origins) {
    mcpw_str entry;
    bool found = false;
    for (size_t i = 0; part_of(origins, ' ', i, &entry); i++) {
        found = found || (entry.len != 0 && is_same(entry, origin));
    }
    return found;
}

/* Whether a value holds what no field may. */
static bool has_control(mcpw_str value) {
    for (size_t i = 0; i < value.len; i++) {
        const unsigned char c = (unsigned char)value.ptr[i];
        if ((c < 0x20 && c != '\t') || c == 0x7f) {
            return true;
        }
    }
    return false;
}

/* How many bytes in front of a text stand in a list. */
static size_t span(mcpw_str text, size_t from, const char *list) {
    size_t at = from;
    while (at < text.len && text.ptr[at] != '\0' && strchr(list, text.ptr[at]) != NULL) {
        at++;
    }
    return at;
}

#define DIGITS "0123456789"
#define NAMES "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" DIGITS "-._~!$&'()*+,;=%"

/* Whether a text can be a host: a name, or an address in brackets, and a port; read from the left. */
static bool can_be_host(mcpw_str text) {
    size_t at;
    if (text.len != 0 && text.ptr[0] == '[') {
        at = span(text, 1, NAMES ":");
        if (at == text.len || text.ptr[at] != ']') {
            return false;
        }
        at++;
    } else {
        at = span(text, 0, NAMES);
    }
    return at == text.len || (text.ptr[at] == ':' && span(text, at + 1, DIGITS) == text.len);
}

/* Lines: host, origin (empty: none), hosts (empty: the default), origins. */
static void check_hosts(const lines *l) {
    char hosts[ROOM];
    char origins[ROOM];
    http_site s;
    int64_t code;
    const mcpw_str any = MCPW_STR("*");
    const bool has_hosts = l->line[2].len != 0;
    const bool has_origins = l->line[3].len != 0;
    start(&s, has_hosts ? ended(l->line[2], hosts) : NULL, has_origins ? ended(l->line[3], origins) : NULL);
    const mcpw_str loopback = MCPW_STR("localhost 127.0.0.1 [::1]");
    const mcpw_str allowed = has_hosts ? mcpw_str_from(hosts) : loopback; /* up to a NUL */
    const mcpw_str pages = has_origins ? mcpw_str_from(origins) : MCPW_STR_VALUE("");
    const mcpw_str host = trimmed(l->line[0]);
    const mcpw_str origin = trimmed(l->line[1]);
    const bool all = mcpw_str_equal(allowed, any);
    bool serves = all || is_host_in(host, allowed);
    if (l->line[1].len != 0) {
        serves = serves && (has_origins ? mcpw_str_equal(pages, any) || is_among(origin, pages)
                                        : is_origin_in(origin, all ? loopback : allowed));
    }
    const mcpw_http_field fields[] = {{MCPW_STR_VALUE("Content-Type"), MCPW_STR_VALUE("application/json")},
                                      {MCPW_STR_VALUE("hOST"), l->line[0]},
                                      {MCPW_STR_VALUE("Origin"), l->line[1]}};
    const int status = post(&s, fields, l->line[1].len != 0 ? 3 : 2, MCPW_STR_VALUE(""), &code);
    const bool is_readable = !has_control(l->line[0]) && !has_control(l->line[1]) && can_be_host(host);
    FUZZ_ASSERT(status == (!is_readable ? REFUSED : serves ? 0 : 403)); /* 0: it waits for the body */
    http_site_close(&s);
}

/* ---- Kinds of answers ---- */

/* Whether a list of ranges has one of two, or any. */
static bool has_range(mcpw_str list, const char *kind, const char *kinds) {
    mcpw_str range;
    mcpw_str essence = {"", 0};
    bool found = false;
    for (size_t i = 0; part_of(list, ',', i, &range); i++) {
        (void)part_of(range, ';', 0, &essence);
        found = found || is_same(essence, mcpw_str_from(kind)) || is_same(essence, mcpw_str_from(kinds)) ||
                is_same(essence, MCPW_STR_VALUE("*/*"));
    }
    return found;
}

/* Lines: two fields Accept, and Content-Type. */
static void check_accept(const lines *l) {
    http_site s;
    int64_t code;
    mcpw_str type = {"", 0};
    const mcpw_http_field fields[] = {{MCPW_STR_VALUE("Host"), MCPW_STR_VALUE("localhost")},
                                      {MCPW_STR_VALUE("Accept"), l->line[0]},
                                      {MCPW_STR_VALUE("content-type"), l->line[2]},
                                      {MCPW_STR_VALUE("ACCEPT"), l->line[1]}};
    const bool json = has_range(l->line[0], "application/json", "application/*") ||
                      has_range(l->line[1], "application/json", "application/*");
    const bool events = has_range(l->line[0], "text/event-stream", "text/*") ||
                        has_range(l->line[1], "text/event-stream", "text/*");
    (void)part_of(trimmed(l->line[2]), ';', 0, &type);
    const bool is_json = is_same(type, MCPW_STR_VALUE("application/json"));
    start(&s, NULL, NULL);
    const int status = post(&s, fields, sizeof fields / sizeof *fields, MCPW_STR_VALUE(""), &code);
    const bool is_readable = !has_control(l->line[0]) && !has_control(l->line[1]) && !has_control(l->line[2]);
    FUZZ_ASSERT(status == (!is_readable ? REFUSED : !json || !events ? 406 : is_json ? 0 : 415));
    http_site_close(&s);
}

/* ---- What frames a request ---- */

/* Whether a text is one number of 64 bits. */
static bool is_length(mcpw_str text) {
    static const char most[] = "18446744073709551615";
    const size_t zeros = span(text, 0, "0");
    const size_t digits = text.len - zeros;
    if (text.len == 0 || span(text, 0, DIGITS) != text.len) {
        return false;
    }
    return digits < sizeof most - 1 ||
           (digits == sizeof most - 1 && memcmp(text.ptr + zeros, most, digits) <= 0);
}

/* The value of the only field of a name; *count receives how many there are. */
static mcpw_str value_of(const mcpw_http_field *fields, size_t all, const char *name, size_t *count) {
    mcpw_str value = {"", 0};
    *count = 0;
    for (size_t i = 0; i < all; i++) {
        if (is_same(fields[i].name, mcpw_str_from(name))) {
            value = trimmed(fields[i].value);
            ++*count;
        }
    }
    return value;
}

static mcpw_str name_of(mcpw_str host) {
    const bool has_brackets = host.len != 0 && host.ptr[0] == '[';
    const char *const end = memchr(host.ptr, has_brackets ? ']' : ':', host.len);
    return (mcpw_str){host.ptr, end == NULL ? host.len : (size_t)(end - host.ptr) + has_brackets};
}

/* Whether a target is in order, and names no other host. */
static bool is_target(mcpw_str target, mcpw_str host) {
    static const char *const schemes[] = {"http://", "https://"};
    for (size_t i = 0; i < target.len; i++) {
        if (target.ptr[i] < '!' || target.ptr[i] > '~') {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        const size_t len = strlen(schemes[i]);
        if (target.len >= len && is_same((mcpw_str){target.ptr, len}, mcpw_str_from(schemes[i]))) {
            size_t end = len;
            while (end < target.len && strchr("/?#", target.ptr[end]) == NULL) {
                end++;
            }
            const mcpw_str at = {target.ptr + len, end - len};
            return at.len != 0 && can_be_host(at) && is_same(name_of(at), name_of(host));
        }
    }
    return target.len != 0;
}

static bool can_be_read_once(mcpw_str target, const mcpw_http_field *fields, size_t count) {
    size_t hosts;
    size_t lengths;
    size_t codings;
    const mcpw_str host = value_of(fields, count, "Host", &hosts);
    const mcpw_str length = value_of(fields, count, "Content-Length", &lengths);
    const mcpw_str coding = value_of(fields, count, "Transfer-Encoding", &codings);
    for (size_t i = 0; i < count; i++) {
        const mcpw_str name = fields[i].name;
        if (name.len == 0 || has_control(fields[i].value) ||
            span(name, 0, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" DIGITS "!#$%&'*+-.^_`|~") !=
                name.len) {
            return false;
        }
    }
    return hosts == 1 && can_be_host(host) && is_target(target, host) && lengths + codings <= 1 &&
           (lengths == 0 || is_length(length)) &&
           (codings == 0 || is_same(coding, MCPW_STR_VALUE("chunked")));
}

/* Lines: a target, a length and a coding (empty: none), the name and the value of one more field. */
static void check_framing(const lines *l) {
    mcpw_http_field fields[4] = {{MCPW_STR_VALUE("Host"), MCPW_STR_VALUE("localhost:8080")}};
    mcpw_http_request request = {.method = MCPW_STR("POST"), .path = l->line[0], .fields = fields};
    mcpw_http_exchange *exchange = NULL;
    mcpw_http_output out = {0};
    bool closes = false;
    http_site s;
    request.field_count = 1;
    if (l->line[1].len != 0) {
        fields[request.field_count++] = (mcpw_http_field){MCPW_STR_VALUE("Content-Length"), l->line[1]};
    }
    if (l->line[2].len != 0) {
        fields[request.field_count++] = (mcpw_http_field){MCPW_STR_VALUE("transfer-encoding"), l->line[2]};
    }
    if (l->is_there[3]) {
        fields[request.field_count++] = (mcpw_http_field){l->line[3], l->line[4]};
    }
    start(&s, NULL, NULL);
    FUZZ_SAME(mcpw_http_begin(s.http, &request, NULL, &exchange), MCPW_OK, "begin");
    const bool is_answered = mcpw_http_next(exchange, &out);
    for (size_t i = 0; is_answered && i < out.field_count; i++) {
        closes = closes || is_same(out.fields[i].name, MCPW_STR_VALUE("Connection"));
    }
    const bool is_refused = is_answered && out.status == REFUSED && closes;
    FUZZ_ASSERT(is_refused == !can_be_read_once(l->line[0], fields, request.field_count));
    FUZZ_ASSERT(closes == is_refused);
    mcpw_http_close(exchange);
    http_site_close(&s);
}

/* ---- Fields that repeat arguments ---- */

/* A text of JSON for bytes that are text. */
static mcpw_json quoted(mcpw_str text, char *room) {
    mcpw_json_writer w;
    mcpw_json out = {NULL, 0, 0};
    mcpw_json_write_begin(&w, room, ROOM);
    mcpw_json_write_string(&w, text.ptr, text.len);
    return mcpw_json_write_end(&w, &out) == MCPW_OK ? out : (mcpw_json){NULL, 0, 0};
}

static bool is_number(mcpw_str text) {
    const mcpw_json json = mcpw_json_of(text.ptr, text.len);
    return mcpw_json_kind_of(json) == MCPW_JSON_NUMBER && mcpw_json_check(json, 0, NULL) == MCPW_OK &&
           trimmed(text).len == text.len && fuzz_is_one_line(text.ptr, text.len);
}

typedef struct call {
    http_site *server;
    mcpw_http_field fields[12];
    size_t count;
    char body[ROOM];
} call;

static void add(call *c, const char *name, mcpw_str value) {
    c->fields[c->count++] = (mcpw_http_field){mcpw_str_from(name), value};
}

/* The code that a call gets whose arguments are these. */
static int64_t code_of(call *c, const char *arguments) {
    int64_t code = 0;
    const int len = snprintf(c->body, sizeof c->body,
                             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/"
                             "call\",\"params\":{\"name\":\"at\",\"arguments\":%s,"
                             "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                             "\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
                             arguments);
    FUZZ_ASSERT(len > 0 && (size_t)len < sizeof c->body);
    const int status = post(c->server, c->fields, c->count, (mcpw_str){c->body, (size_t)len}, &code);
    FUZZ_ASSERT(status == 200 || (status == MISMATCH && code != 0));
    return code;
}

static void begin_call(call *c, http_site *s) {
    c->server = s;
    c->count = 0;
    add(c, "Host", MCPW_STR_VALUE("localhost"));
    add(c, "Content-Type", MCPW_STR_VALUE("application/json"));
    add(c, "MCP-Protocol-Version", MCPW_STR_VALUE("2026-07-28"));
    add(c, "Mcp-Method", MCPW_STR_VALUE("tools/call"));
    add(c, "Mcp-Name", MCPW_STR_VALUE("at"));
}

/* Lines: a text, another one, a number, another number. */
static void check_parameters(const lines *l) {
    enum { MISMATCH_CODE = -32020 };
    static char text[ROOM];
    static char arguments[ROOM];
    static char own[ROOM];
    static char other[ROOM];
    static call c;
    http_site s;
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_json quote = quoted(l->line[0], text);
    const mcpw_str number = is_number(l->line[2]) ? l->line[2] : MCPW_STR_VALUE("-0.5e1");
    if (quote.ptr == NULL) {
        return; /* no text, or too long a one */
    }
    (void)snprintf(arguments, sizeof arguments, "{\"s\":%.*s,\"n\":%.*s,\"b\":true,\"o\":{\"d\":%.*s}}",
                   (int)quote.len, quote.ptr, (int)number.len, number.ptr, (int)quote.len, quote.ptr);
    start(&s, NULL, NULL);
    const mcpw_str wrap = wrapped(&arena, l->line[0], own);
    begin_call(&c, &s);
    add(&c, "Mcp-Param-S", mcpw_header_wrap(&arena, l->line[0]));
    add(&c, "mcp-param-n", number);
    add(&c, "Mcp-Param-B", MCPW_STR_VALUE("true"));
    add(&c, "MCP-PARAM-D", wrap);
    FUZZ_ASSERT(code_of(&c, arguments) == 0);
    c.fields[c.count - 1].value = wrapped(&arena, l->line[1], other); /* another text in one of them */
    const bool is_equal =
        l->line[0].len == l->line[1].len &&
        (l->line[0].len == 0 || memcmp(l->line[0].ptr, l->line[1].ptr, l->line[0].len) == 0);
    FUZZ_ASSERT(code_of(&c, arguments) == (is_equal ? 0 : MISMATCH_CODE));
    c.fields[c.count - 1].value = wrap;
    c.fields[c.count - 3].value = l->line[3]; /* another number */
    const mcpw_json said = mcpw_json_of(l->line[3].ptr, l->line[3].len);
    const mcpw_json meant = mcpw_json_of(number.ptr, number.len);
    const bool is_taken = code_of(&c, arguments) == 0;
    FUZZ_ASSERT(!is_taken || mcpw_json_equal(said, meant));
    mcpw_arena_free(&arena);
    http_site_close(&s);
}

/* ---- WWW-Authenticate ---- */

/* Appends name="value", with what has to be escaped. */
static size_t put_quoted(char *out, size_t at, const char *name, mcpw_str value) {
    at += (size_t)snprintf(out + at, ROOM - at, "%s=\"", name);
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] == '"' || value.ptr[i] == '\\') {
            out[at++] = '\\';
        }
        out[at++] = value.ptr[i];
    }
    out[at++] = '"';
    return at;
}

static bool is_text(mcpw_str a, mcpw_str b) {
    return a.ptr != NULL && a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

/* Any value is read without harm; one that was written is read as it was. */
static void check_challenge(const lines *l) {
    enum { LONGEST = 1000 };
    static char text[ROOM];
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_http_challenge c;
    const mcpw_status status = mcpw_http_challenge_read(l->line[0], &arena, &c);
    const mcpw_str all[] = {c.scheme, c.realm, c.error, c.error_description, c.resource_metadata, c.scope};
    FUZZ_ASSERT(status == MCPW_OK || status == MCPW_E_NOT_FOUND || status == MCPW_E_SIZE);
    FUZZ_ASSERT((c.scheme.ptr != NULL) == (status == MCPW_OK));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        FUZZ_ASSERT(all[i].len <= l->line[0].len && (all[i].ptr != NULL || all[i].len == 0));
    }
    if (l->line[1].len < LONGEST && l->line[2].len < LONGEST) {
        size_t at = (size_t)snprintf(text, sizeof text, "Basic realm=x, Negotiate YI/I==, Bearer ");
        at = put_quoted(text, at, "scope", l->line[1]);
        text[at++] = ',';
        at = put_quoted(text, at, "Error_Description", l->line[2]);
        FUZZ_ASSERT(mcpw_http_challenge_read((mcpw_str){text, at}, &arena, &c) == MCPW_OK);
        FUZZ_ASSERT(mcpw_str_is(c.scheme, "Bearer") && is_text(c.scope, l->line[1]) &&
                    is_text(c.error_description, l->line[2]) && c.realm.ptr == NULL);
        FUZZ_ASSERT(mcpw_http_challenge_find((mcpw_str){text, at}, MCPW_STR_VALUE("basic"), &arena, &c) ==
                        MCPW_OK &&
                    mcpw_str_is(c.realm, "x"));
    }
    mcpw_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const fuzz_header h = fuzz_read_header(data, size);
    lines l;
    read_lines(&l, h.text, h.len);
    switch (h.definition % MODES) {
    case 0:
        check_list(l.line[0], (char)h.extra[0]);
        break;
    case 1:
        check_wrapping(l.line[0]);
        break;
    case 2:
        check_hosts(&l);
        break;
    case 3:
        check_accept(&l);
        break;
    case 4:
        check_parameters(&l);
        break;
    case 5:
        check_framing(&l);
        break;
    default:
        check_challenge(&l);
        break;
    }
    free_lines(&l);
    return 0;
}
