/* SPDX-License-Identifier: MIT */
/* Heads that can be read in two ways: each is answered by its status, and those over which two readers could
 * disagree also end their connection. A head is a usual one but for what a row names. */
#include "http_harness.h"

#include <mcpw/limits.h>

#define LIST "{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{$M}}"

enum { USUAL = 5, MORE = 2 };

/* A head and what becomes of it. */
typedef struct row {
    mcpw_str target;            /* absent: "/mcp" */
    mcpw_http_field more[MORE]; /* of the same name as a usual one: in its place, unless it begins with '+' */
    int status;
    bool closes;
} row;

#define FIELD(name, value)                                                                                   \
    { MCPW_STR(name), MCPW_STR(value) }
#define TARGET(text, status, closes)                                                                         \
    { MCPW_STR(text), {{{NULL, 0}, {NULL, 0}}}, status, closes }
#define ONE(name, value, status, closes)                                                                     \
    { {NULL, 0}, {FIELD(name, value)}, status, closes }
#define TWO(name, value, other, other_value, status, closes)                                                 \
    { {NULL, 0}, {FIELD(name, value), FIELD(other, other_value)}, status, closes }
#define HOST(value, status, closes) ONE("Host", value, status, closes)
#define ORIGIN(value, status) ONE("Origin", value, status, false)

static bool is_same_name(mcpw_str a, mcpw_str b) {
    return a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
}

/* The head of a row. */
static size_t write_fields(const row *r, mcpw_http_field fields[USUAL + MORE]) {
    static const mcpw_http_field usual[USUAL] = {
        FIELD("Host", "localhost:8080"), FIELD("Accept", "application/json, text/event-stream"),
        FIELD("Content-Type", "application/json"), FIELD("MCP-Protocol-Version", "2026-07-28"),
        FIELD("Mcp-Method", "tools/list")};
    size_t count = USUAL;
    memcpy(fields, usual, sizeof usual);
    for (size_t i = 0; i < MORE && r->more[i].name.ptr != NULL; i++) {
        mcpw_http_field field = r->more[i];
        const bool is_more = field.name.len != 0 && *field.name.ptr == '+';
        size_t at = 0;
        field.name.ptr += is_more;
        field.name.len -= is_more;
        while (at < count && (is_more || !is_same_name(fields[at].name, field.name))) {
            at++;
        }
        count += at == count;
        fields[at] = field;
    }
    return count;
}

static void check_row(site *s, const row *r) {
    mcpw_http_field fields[USUAL + MORE];
    mcpw_http_exchange *e = NULL;
    char body[HTTP_TEXT];
    mcpw_http_request request = {.method = MCPW_STR("POST"), .path = MCPW_STR("/mcp"), .fields = fields};
    request.field_count = write_fields(r, fields);
    request.path = r->target.ptr != NULL ? r->target : request.path;
    site_write(body, sizeof body, LIST);
    CHECK(mcpw_http_begin(s->http, &request, NULL, &e) == MCPW_OK);
    if (e != NULL) {
        mcpw_http_body(e, body, strlen(body));
        mcpw_http_body_end(e);
    }
    const response *const got = site_finish(e);
    if (got->status != r->status || (strstr(got->fields, "Connection: close\n") != NULL) != r->closes) {
        (void)fprintf(stderr, "%.*s %.*s: %.*s: %d %s\n", (int)r->target.len,
                      r->target.ptr != NULL ? r->target.ptr : "", (int)r->more[0].name.len,
                      r->more[0].name.ptr != NULL ? r->more[0].name.ptr : "", (int)r->more[0].value.len,
                      r->more[0].value.ptr != NULL ? r->more[0].value.ptr : "", got->status, got->body);
        CHECK(false);
    }
}

static void check_rows_at(site *s, const row *rows, size_t count) {
    CHECK(site_start(s));
    for (size_t i = 0; i < count; i++) {
        check_row(s, rows + i);
    }
    site_stop(s);
}

static void check_rows(const row *rows, size_t count) {
    site s = {0};
    check_rows_at(&s, rows, count);
}

#define CHECK_ROWS(rows) check_rows(rows, sizeof(rows) / sizeof *(rows))

/* ---- The target ---- */

static void the_path_is_compared_byte_by_byte(void) {
    static const row rows[] = {
        TARGET("/mcp", 200, false),
        TARGET("/mcp?", 200, false),
        TARGET("/mcp?a=b", 200, false),
        TARGET("/mcp?a?b/c", 200, false),
        TARGET("/mcp%00x", 404, false),
        TARGET("/mcp%00", 404, false),
        TARGET("/mcp%20", 404, false),
        TARGET("/mcp%3fx", 404, false),
        TARGET("/mcp%3Fx", 404, false),
        TARGET("/%6dcp", 404, false),
        TARGET("/m%63p", 404, false),
        TARGET("%2fmcp", 404, false),
        TARGET("/mcp%2f", 404, false),
        TARGET("/mcp%23x", 404, false),
        TARGET("/mcp%0d%0aHost:x", 404, false),
        TARGET("/mcp%", 404, false),
        TARGET("/mcp#x", 404, false),
        TARGET("/mcp;x", 404, false),
        TARGET("/mcp/", 404, false),
        TARGET("//mcp", 404, false),
        TARGET("/./mcp", 404, false),
        TARGET("/x/../mcp", 404, false),
        TARGET("/MCP", 404, false),
        TARGET("/mc", 404, false),
        TARGET("/mcpx", 404, false),
        TARGET("mcp", 404, false),
        TARGET("/", 404, false),
        TARGET("*", 404, false),
        TARGET("localhost:80", 404, false),
        TARGET("/mcp\\", 404, false),
        TARGET("\\mcp", 404, false),
    };
    CHECK_ROWS(rows);
}

static void a_target_holds_no_blank_and_no_control_character(void) {
    static const row rows[] = {
        TARGET("", 400, true),         TARGET("/mcp ", 400, true),        TARGET("/mcp x", 400, true),
        TARGET("/mcp\0", 400, true),   TARGET("/mcp\0x", 400, true),      TARGET("/mcp?\0", 400, true),
        TARGET("/mcp\t", 400, true),   TARGET("/mcp\r", 400, true),       TARGET("/mcp\n", 400, true),
        TARGET("/mcp\x7f", 400, true), TARGET("/mcp\xc3\xa9", 400, true), TARGET("\0/mcp", 400, true),
    };
    CHECK_ROWS(rows);
}

#define ABSOLUTE(target, host, status, closes)                                                               \
    { MCPW_STR(target), {FIELD("Host", host)}, status, closes }

static void the_host_of_an_absolute_target_is_the_one_that_counts(void) {
    static const row rows[] = {
        ABSOLUTE("http://localhost/mcp", "localhost", 200, false),
        ABSOLUTE("http://localhost:8080/mcp", "localhost:8080", 200, false),
        ABSOLUTE("HTTPS://LocalHost/mcp?x=/y", "localhost", 200, false),
        ABSOLUTE("http://[::1]:80/mcp", "[::1]:80", 200, false),
        ABSOLUTE("http://localhost/mcp", "localhost:8080", 200, false),
        ABSOLUTE("http://localhost", "localhost", 404, false),
        ABSOLUTE("http://localhost?/mcp", "localhost", 404, false),
        ABSOLUTE("http://localhost/mcp/", "localhost", 404, false),
        ABSOLUTE("http://localhost/%6dcp", "localhost", 404, false),
        ABSOLUTE("http://localhost#/mcp", "localhost", 404, false),
        ABSOLUTE("http:/localhost/mcp", "localhost", 404, false),
        ABSOLUTE("ftp://localhost/mcp", "localhost", 404, false),
        ABSOLUTE("http://evil.example/mcp", "evil.example", 403, false),
        ABSOLUTE("http://evil.example/mcp", "localhost", 400, true),
        ABSOLUTE("http://localhost/mcp", "evil.example", 400, true),
        ABSOLUTE("http://localhost/mcp", "", 400, true),
        ABSOLUTE("http://localhost@evil.example/mcp", "localhost", 400, true),
        ABSOLUTE("http://evil.example@localhost/mcp", "localhost", 400, true),
        ABSOLUTE("http:///mcp", "localhost", 400, true),
        ABSOLUTE("http://localhost:80:80/mcp", "localhost", 400, true),
        ABSOLUTE("http://localhost\\@evil.example/mcp", "localhost", 400, true),
    };
    CHECK_ROWS(rows);
}

/* ---- Hosts and origins ---- */

static void a_host_is_one_that_is_served_or_refused(void) {
    static const row rows[] = {
        HOST("localhost", 200, false),
        HOST("LOCALHOST:1", 200, false),
        HOST("127.0.0.1", 200, false),
        HOST("[::1]", 200, false),
        HOST(" localhost\t", 200, false),
        HOST("localhost:", 200, false),
        HOST("", 403, false),
        HOST("localhost.", 403, false),
        HOST("evil.example", 403, false),
        HOST("localhost.evil.example", 403, false),
        HOST("evil.example:8080", 403, false),
        HOST("xlocalhost", 403, false),
        HOST("localhos", 403, false),
        HOST("127.0.0.1.evil.example", 403, false),
        HOST("127.1", 403, false),
        HOST("0.0.0.0", 403, false),
        HOST("2130706433", 403, false),
        HOST("0x7f000001", 403, false),
        HOST("[::ffff:127.0.0.1]", 403, false),
        HOST("[0:0:0:0:0:0:0:1]", 403, false),
        HOST("%6cocalhost", 403, false),
        HOST("localhost%00.evil.example", 403, false),
        HOST("localhost,evil.example", 403, false),
        HOST("localhost%20", 403, false),
        HOST("localhost\0.evil.example", 400, true),
        HOST("localhost\0", 400, true),
        HOST("\0localhost", 400, true),
        HOST("localhost\x01", 400, true),
        HOST("localhost\x7f", 400, true),
        HOST("localhost\r", 400, true),
        HOST("localhost\r\n evil.example", 400, true),
        HOST("localhost\n", 400, true),
        HOST("localhost evil.example", 400, true),
        HOST("localhost\tevil.example", 400, true),
        HOST("localhost/evil.example", 400, true),
        HOST("localhost\\evil.example", 400, true),
        HOST("localhost#evil.example", 400, true),
        HOST("localhost?evil.example", 400, true),
        HOST("evil.example@localhost", 400, true),
        HOST("localhost:80@evil.example", 400, true),
        HOST("localhost:80:80", 400, true),
        HOST("localhost:8a", 400, true),
        HOST("localhost:+80", 400, true),
        HOST("localhost:-80", 400, true),
        HOST("http://localhost", 400, true),
        HOST("::1", 400, true),
        HOST("[::1", 400, true),
        HOST("::1]", 400, true),
        HOST("[::1]80", 400, true),
        HOST("[::1]:80x", 400, true),
        HOST("[[::1]]", 400, true),
        HOST("l\xc3\xb6"
             "calhost",
             400, true),
        TWO("+Host", "localhost:8080", "Accept", "*/*", 400, true),
        TWO("+host", "evil.example", "Accept", "*/*", 400, true),
        TWO("Host", "evil.example", "+HOST", "localhost", 400, true),
    };
    CHECK_ROWS(rows);
}

static void a_host_that_cannot_be_one_is_refused_where_any_host_is_served(void) {
    static const row rows[] = {
        HOST("any.example", 200, false),
        HOST("any.example:1", 200, false),
        HOST("any.example\0.other", 400, true),
        HOST("any.example other", 400, true),
        HOST("any.example/other", 400, true),
        HOST("any@example", 400, true),
        TWO("+Host", "other", "Accept", "*/*", 400, true),
    };
    site s = {.config.hosts = "*"};
    check_rows_at(&s, rows, sizeof rows / sizeof *rows);
}

static void an_origin_is_one_that_is_served_or_refused(void) {
    static const row rows[] = {
        ORIGIN("http://localhost", 200),
        ORIGIN("https://localhost:8080", 200),
        ORIGIN("HTTP://LOCALHOST", 200),
        ORIGIN("http://127.0.0.1:1", 200),
        ORIGIN("http://[::1]", 200),
        ORIGIN("", 403),
        ORIGIN("null", 403),
        ORIGIN("localhost", 403),
        ORIGIN("//localhost", 403),
        ORIGIN("http:/localhost", 403),
        ORIGIN("http:localhost", 403),
        ORIGIN("file://localhost", 403),
        ORIGIN("ftp://localhost", 403),
        ORIGIN("http://", 403),
        ORIGIN("http://evil.example", 403),
        ORIGIN("http://localhost.evil.example", 403),
        ORIGIN("http://evil.example/localhost", 403),
        ORIGIN("http://localhost/", 403),
        ORIGIN("http://localhost@evil.example", 403),
        ORIGIN("http://evil.example@localhost", 403),
        ORIGIN("http://localhost:80@evil.example", 403),
        ORIGIN("http://localhost#evil.example", 403),
        ORIGIN("http://localhost?evil.example", 403),
        ORIGIN("http://localhost\\evil.example", 403),
        ORIGIN("http://localhost evil.example", 403),
        ORIGIN("http://localhost,http://evil.example", 403),
        ORIGIN("http://%6cocalhost", 403),
        ORIGIN("http://l\xc3\xb6"
               "calhost",
               403),
        ORIGIN("chrome-extension://localhost", 403),
        ONE("Origin", "http://localhost\0.evil.example", 400, true),
        ONE("Origin", "http://localhost\x01", 400, true),
        TWO("Origin", "http://localhost", "+Origin", "http://localhost", 403, false),
        TWO("Origin", "http://localhost", "+origin", "http://evil.example", 403, false),
    };
    CHECK_ROWS(rows);
}

/* ---- Fields ---- */

static void a_field_has_a_name_and_no_control_character(void) {
    static const row rows[] = {
        ONE("X", "a\tb", 200, false),
        ONE("X", "caf\xc3\xa9", 200, false),
        ONE("!#$%&'*.^_`|~-9", "", 200, false),
        ONE("", "x", 400, true),
        ONE("X ", "x", 400, true),
        ONE("X\t", "x", 400, true),
        ONE(" X", "x", 400, true),
        ONE("X Y", "x", 400, true),
        ONE("X\0Y", "x", 400, true),
        ONE("X:Y", "x", 400, true),
        ONE("X(Y)", "x", 400, true),
        ONE("X\xc3\xa9", "x", 400, true),
        ONE("X", "a\0b", 400, true),
        ONE("X", "a\0", 400, true),
        ONE("X", "a\rb", 400, true),
        ONE("X", "a\nb", 400, true),
        ONE("X", "a\r\nY: b", 400, true),
        ONE("X", "\x1b[2J", 400, true),
        ONE("X", "a\x7f", 400, true),
        ONE("Authorization", "Bearer t\0x", 400, true),
        ONE("Mcp-Session-Id", "0123456789\0zz", 400, true),
        ONE("Mcp-Method", "tools/list\0", 400, true),
    };
    CHECK_ROWS(rows);
}

static void the_length_of_a_body_is_said_once(void) {
    static const row rows[] = {
        ONE("Content-Length", "5", 200, false),
        ONE("Content-Length", " 5\t", 200, false),
        ONE("Content-Length", "005", 200, false),
        ONE("Transfer-Encoding", "chunked", 200, false),
        ONE("transfer-encoding", "Chunked", 200, false),
        ONE("Content-Length", "99999999999", 413, false),
        ONE("Content-Length", "18446744073709551615", 413, false),
        ONE("Content-Length", "18446744073709551616", 400, true),
        ONE("Content-Length", "99999999999999999999999999", 400, true),
        ONE("Content-Length", "", 400, true),
        ONE("Content-Length", "+5", 400, true),
        ONE("Content-Length", "-5", 400, true),
        ONE("Content-Length", "0x5", 400, true),
        ONE("Content-Length", "5x", 400, true),
        ONE("Content-Length", "5.0", 400, true),
        ONE("Content-Length", "5e0", 400, true),
        ONE("Content-Length", "5 5", 400, true),
        ONE("Content-Length", "5, 5", 400, true),
        ONE("Content-Length", "5;5", 400, true),
        ONE("Content-Length", "\"5\"", 400, true),
        ONE("Content-Length", "\xef\xbc\x95", 400, true),
        ONE("Content-Length", "5\0", 400, true),
        ONE("Content-Length ", "5", 400, true),
        TWO("Content-Length", "5", "+Content-Length", "5", 400, true),
        TWO("Content-Length", "5", "+content-length", "6", 400, true),
        TWO("Content-Length", "5", "Transfer-Encoding", "chunked", 400, true),
        TWO("Transfer-Encoding", "chunked", "Content-Length", "0", 400, true),
        TWO("Transfer-Encoding", "chunked", "+Transfer-Encoding", "chunked", 400, true),
        TWO("Transfer-Encoding", "chunked", "+transfer-encoding", "identity", 400, true),
        TWO("Transfer-Encoding", "identity", "Content-Length", "5", 400, true),
        ONE("Transfer-Encoding", "", 400, true),
        ONE("Transfer-Encoding", "identity", 400, true),
        ONE("Transfer-Encoding", "gzip", 400, true),
        ONE("Transfer-Encoding", "gzip, chunked", 400, true),
        ONE("Transfer-Encoding", "chunked, chunked", 400, true),
        ONE("Transfer-Encoding", "chunked, identity", 400, true),
        ONE("Transfer-Encoding", "chunked;x=y", 400, true),
        ONE("Transfer-Encoding", "chunked,", 400, true),
        ONE("Transfer-Encoding", "xchunked", 400, true),
        ONE("Transfer-Encoding", "\"chunked\"", 400, true),
        ONE("Transfer-Encoding",
            "\x0b"
            "chunked",
            400, true),
        ONE("Transfer-Encoding", "chunked\0", 400, true),
        ONE("Transfer-Encoding ", "chunked", 400, true),
        ONE("Transfer-Encoding\t", "chunked", 400, true),
    };
    CHECK_ROWS(rows);
}

/* ---- What is said of it ---- */

static bool says(site *s, const char *lines, const char *piece) {
    return strstr(site_finish(site_post(s, lines, LIST, HTTP_TEXT))->body, piece) != NULL;
}

static void a_host_that_is_not_served_is_named_and_so_is_the_option(void) {
    char lines[HTTP_TEXT];
    site s = {0};
    CHECK(site_start(&s));
    CHECK(says(&s, "Host: mcp.example:8080", "the host 'mcp.example:8080' is not served"));
    CHECK(says(&s, "Host: mcp.example", "; mcpw_http_config.hosts or --allow-host allows it"));
    CHECK(says(&s, "Origin: http://a.example", "the origin 'http://a.example' is not served"));
    CHECK(says(&s, "Origin: http://a.example", "; mcpw_http_config.origins or --allow-origin allows it"));
    CHECK(says(&s, "Origin: \xff<\xc2\x9b>", "the origin '?<\?\?>' is not served"));
    (void)snprintf(lines, sizeof lines, "Host: %0200d", 7);
    CHECK(says(&s, lines, "000...' is not served"));
    site_stop(&s);
}

static void the_body_of_a_refused_head_is_not_read(void) {
    static const mcpw_http_field fields[] = {FIELD("Host", "localhost"), FIELD("Content-Length", "5, 5")};
    const mcpw_http_request request = {
        .method = MCPW_STR("POST"), .path = MCPW_STR("/mcp"), .fields = fields, .field_count = 2};
    mcpw_http_exchange *e = NULL;
    mcpw_http_output out;
    site s = {0};
    CHECK(site_start(&s));
    CHECK(mcpw_http_begin(s.http, &request, NULL, &e) == MCPW_OK);
    CHECK(mcpw_http_next(e, &out) && out.step == MCPW_HTTP_HEAD && out.status == 400);
    CHECK(mcpw_http_next(e, &out) && out.step == MCPW_HTTP_END);
    mcpw_http_close(e);
    CHECK(s.sessions == 0);
    site_stop(&s);
}

int main(void) {
    RUN(the_path_is_compared_byte_by_byte);
    RUN(a_target_holds_no_blank_and_no_control_character);
    RUN(the_host_of_an_absolute_target_is_the_one_that_counts);
    RUN(a_host_is_one_that_is_served_or_refused);
    RUN(a_host_that_cannot_be_one_is_refused_where_any_host_is_served);
    RUN(an_origin_is_one_that_is_served_or_refused);
    RUN(a_field_has_a_name_and_no_control_character);
    RUN(the_length_of_a_body_is_said_once);
    RUN(a_host_that_is_not_served_is_named_and_so_is_the_option);
    RUN(the_body_of_a_refused_head_is_not_read);
    return check_end();
}
