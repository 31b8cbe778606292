/* SPDX-License-Identifier: MIT */
/* Raw text that a caller hands over can neither break a line nor put anything beside itself: not in a struct,
 * a message, an answer, the data of an error or a log message. */

#include "session_harness.h"

/* Not one JSON value each, though some make valid JSON where they are pasted in. */
static const mcpw_json hostile[] = {
    MCPW_JSON(""),
    MCPW_JSON(" "),
    MCPW_JSON("1},{\"x\":1"),
    MCPW_JSON("1}"),
    MCPW_JSON("{}}"),
    MCPW_JSON("{}}\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"),
    MCPW_JSON("{},\"id\":7"),
    MCPW_JSON("{},\"result\":{}"),
    MCPW_JSON("{\"a\":1},\"error\":{\"code\":1,\"message\":\"\"}"),
    MCPW_JSON("1,2"),
    MCPW_JSON("1\n2"),
    MCPW_JSON("{\"a\":\"b\nc\"}"),
    MCPW_JSON("{\"a\":\"b\rc\"}"),
    MCPW_JSON("{\"a\":\"\xff\"}"),
    MCPW_JSON("{\"a\":1"),
    MCPW_JSON("{\"a\":1}\0"),
    MCPW_JSON("{\"a\":1}//"),
    MCPW_JSON("{\"a\":NaN}"),
};

/* One value each; what a pretty-printer, an editor of Windows and JavaScript make of it. */
static const mcpw_json harmless[] = {
    MCPW_JSON("{\n  \"a\" : [ 1,\n 2 ],\r\n\t\"b\" : \"\\n\"\n}\n"),
    MCPW_JSON("\r\n{}\r\n"),
    MCPW_JSON("{\"a\":\"\xe2\x80\xa8\xe2\x80\xa9\xc2\x85\"}"),
    MCPW_JSON("{\"a\":\"},{\\\"x\\\":1\"}"),
    MCPW_JSON("{\"a\":\"\\u000a\\u2028\\r\"}"),
};

enum {
    HOSTILE = sizeof hostile / sizeof *hostile,
    HARMLESS = sizeof harmless / sizeof *harmless,
    PARTS = 4 /* of a message that takes raw text */
};

/* The message that a text says, by its member at "result", "params", ...: the text comes back as it was. */
static void check_one_line(const char *text, size_t len, const char *const path[], mcpw_json want) {
    mcpw_json at = mcpw_json_of(text, len);
    CHECK(memchr(text, '\n', len) == NULL && memchr(text, '\r', len) == NULL);
    CHECK(mcpw_json_check(at, 0, NULL) == MCPW_OK);
    for (size_t i = 0; path[i] != NULL; i++) {
        CHECK(mcpw_json_get(at, path[i], &at) == MCPW_OK);
    }
    CHECK(mcpw_json_equal(at, want));
}

/* ---- Messages ---- */

typedef struct part {
    mcpw_message message;
    const char *path[4];
} part;

/* The places of a message that take raw text, with this in them. */
static void make_parts(part parts[PARTS], mcpw_member *extra, mcpw_json raw) {
    const mcpw_id id = {MCPW_ID_INTEGER, {.integer = 1}};
    memset(parts, 0, PARTS * sizeof *parts);
    parts[0].message.kind = MCPW_MESSAGE_REQUEST;
    parts[0].message.id = id;
    parts[0].message.method_name = mcpw_str_from("x/y");
    parts[0].message.raw = raw;
    parts[0].path[0] = "params";
    parts[1].message.kind = MCPW_MESSAGE_RESULT;
    parts[1].message.id = id;
    parts[1].message.raw = raw;
    parts[1].path[0] = "result";
    parts[2].message.kind = MCPW_MESSAGE_ERROR;
    parts[2].message.id = id;
    parts[2].message.error.code = 1;
    parts[2].message.error.message = mcpw_str_from("m");
    parts[2].message.error.data = raw;
    parts[2].path[0] = "error";
    parts[2].path[1] = "data";
    extra->name = mcpw_str_from("x\n\"");
    extra->value = raw;
    parts[3].message.kind = MCPW_MESSAGE_NOTIFICATION;
    parts[3].message.method_name = mcpw_str_from("x/y");
    parts[3].message.extra.items = extra;
    parts[3].message.extra.count = 1;
    parts[3].path[0] = "x\n\"";
}

static void messages_take_one_value_each(void) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    part parts[PARTS];
    mcpw_member extra;
    for (int r = 0; r < revision_count(); r++) {
        const mcpw_revision *const revision = mcpw_find_revision(revision_at(r));
        for (size_t i = 0; i < HOSTILE + HARMLESS; i++) {
            const mcpw_json raw = i < HOSTILE ? hostile[i] : harmless[i - HOSTILE];
            make_parts(parts, &extra, raw);
            for (size_t k = 0; k < PARTS; k++) {
                out.len = 0;
                const mcpw_status status = mcpw_message_encode(revision, &parts[k].message, &out, NULL, NULL);
                CHECK((status == MCPW_OK) == (i >= HOSTILE));
                if (status == MCPW_OK) {
                    check_one_line(out.data, out.len, parts[k].path, raw);
                } else {
                    CHECK(out.len == 0);
                }
            }
        }
    }
    mcpw_buffer_free(&out);
}

/* Texts, too: the name of a method, an id, an error's message. */
static void texts_are_quoted(void) {
    static const char evil[] = "a\"},{\"x\":1\n\r\xe2\x80\xa8";
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_message back;
    mcpw_message m = {0};
    m.kind = MCPW_MESSAGE_REQUEST;
    m.id.kind = MCPW_ID_STRING;
    m.id.as.string = mcpw_str_from(evil);
    m.method_name = mcpw_str_from(evil);
    const mcpw_revision *const revision = mcpw_find_revision(HANDSHAKE);
    CHECK(mcpw_message_encode(revision, &m, &out, NULL, NULL) == MCPW_OK);
    CHECK(memchr(out.data, '\n', out.len) == NULL && memchr(out.data, '\r', out.len) == NULL);
    CHECK(mcpw_message_decode(revision, out.data, out.len, &arena, NULL, NULL, &back, NULL, NULL) == MCPW_OK);
    CHECK(mcpw_str_is(back.id.as.string, evil) && mcpw_str_is(back.method_name, evil));
    mcpw_buffer_free(&out);
    mcpw_arena_free(&arena);
}

/* ---- Sessions ---- */

static mcpw_json given;

static mcpw_status respond_given(end *e, mcpw_request *request, const void *params) {
    (void)params;
    e->status = mcpw_respond_json(request, given, NULL);
    return e->status;
}

static mcpw_status refuse_given(end *e, mcpw_request *request, const void *params) {
    (void)params;
    e->status = mcpw_respond_error(request, 1, "m", given);
    return e->status;
}

static mcpw_status log_given(end *e, mcpw_request *request, const void *params) {
    (void)params;
    e->status = mcpw_request_log(request, MCPW_LOG_EMERGENCY, "l\n\"", given);
    return mcpw_respond_error(request, 1, "done\n\"}", (mcpw_json){NULL, 0, 0});
}

/* The handler's response as one line; if its text was not a value, the line says so and is valid as well. */
static void check_said(end_handler run, const char *const path[], bool logs) {
    for (size_t i = 0; i < HOSTILE + HARMLESS; i++) {
        end *const e = server_of(HANDSHAKE, HANDSHAKE);
        end_serve(e, "tools/call", run);
        e->unchecked = true; /* results that are any object */
        open_server(e);
        given = i < HOSTILE ? hostile[i] : harmless[i - HOSTILE];
        say_request(e, "1", "tools/call", "'name':'t'");
        CHECK((e->status == MCPW_OK) == (i >= HOSTILE));
        const char *line = heard(e);
        if (i >= HOSTILE) {
            check_one_line(line, strlen(line), path, given);
            line = logs ? heard(e) : line;
        }
        const mcpw_json message = mcpw_json_from(line);
        mcpw_json id;
        CHECK(mcpw_json_check(message, 0, NULL) == MCPW_OK && mcpw_json_get(message, "id", &id) == MCPW_OK);
        EXPECT(e, ""); /* one line for each call, and no other */
        end_free(e);
    }
}

static void data_of_errors_is_one_value(void) {
    static const char *const path[] = {"error", "data", NULL};
    check_said(refuse_given, path, false);
}

static void data_of_log_messages_is_one_value(void) {
    static const char *const path[] = {"params", "data", NULL};
    check_said(log_given, path, true);
}

/* Beyond being one value it has to be a result. */
static void results_are_one_value(void) {
    static const mcpw_json pretty = MCPW_JSON("{\r\n \"content\" : [ ],\n \"x\" : \"\xe2\x80\xa8\" }");
    static const char *const path[] = {"result", NULL};
    for (size_t i = 0; i <= HOSTILE; i++) {
        end *const e = server_of(HANDSHAKE, HANDSHAKE);
        end_serve(e, "tools/call", respond_given);
        open_server(e);
        given = i < HOSTILE ? hostile[i] : pretty;
        say_request(e, "1", "tools/call", "'name':'t'");
        CHECK((e->status == MCPW_OK) == (i == HOSTILE));
        const char *const line = heard(e);
        if (i == HOSTILE) {
            check_one_line(line, strlen(line), path, given);
        } else {
            CHECK_HAS(line, "'error'");
        }
        EXPECT(e, "");
        end_free(e);
    }
}

int main(void) {
    RUN(messages_take_one_value_each);
    RUN(texts_are_quoted);
    RUN(data_of_errors_is_one_value);
    RUN(data_of_log_messages_is_one_value);
    RUN(results_are_one_value);
    return check_end();
}
