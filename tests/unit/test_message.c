/* SPDX-License-Identifier: MIT */
/* The message rule, as a table: each text, the revision, the method that it answers, and what it is. */
#include <mcpw/detail/catalogue.h>
#include <mcpw/json.h>
#include <mcpw/message.h>

#include <stdio.h>

#include "check.h"

typedef struct rule {
    const char *revision;
    const char *answers; /* the method of the request that a response answers; NULL: unknown */
    const char *text;
    mcpw_status status;
    mcpw_message_kind kind;
    const char *path; /* of the error */
} rule;

#define PING "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"
#define META26                                                                                               \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                 \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"

static const rule rules[] = {
    /* method with id: a request, whose id is a string or an integer */
    {"2025-11-25", NULL, PING, MCPW_OK, MCPW_MESSAGE_REQUEST, NULL},
    {"2025-11-25", NULL, "{\"method\":\"ping\",\"id\":\"1\",\"jsonrpc\":\"2.0\"}", MCPW_OK,
     MCPW_MESSAGE_REQUEST, NULL},
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"id\":1.0,\"method\":\"ping\"}", MCPW_OK,
     MCPW_MESSAGE_REQUEST, NULL},
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", MCPW_E_TYPE, 0, "/id"},
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"ping\"}", MCPW_E_TYPE, 0, "/id"},
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", MCPW_E_MESSAGE, 0, ""},
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"id\":9223372036854775808,\"method\":\"ping\"}",
     MCPW_E_OVERFLOW, 0, "/id"},
    /* names and texts may be escaped */
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"\\u0069d\":1,\"method\":\"p\\u0069ng\"}", MCPW_OK,
     MCPW_MESSAGE_REQUEST, NULL},
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"\\u0069d\":1,\"id\":1,\"method\":\"ping\"}",
     MCPW_E_DUPLICATE, 0, ""},
    /* method alone: a notification; each method is the one or the other */
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", MCPW_OK,
     MCPW_MESSAGE_NOTIFICATION, NULL},
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"method\":\"ping\"}", MCPW_E_MESSAGE, 0, ""},
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"notifications/initialized\"}",
     MCPW_E_MESSAGE, 0, ""},
    /* the version */
    {"2025-11-25", NULL, "{\"id\":1,\"method\":\"ping\"}", MCPW_E_MESSAGE, 0, ""},
    {"2025-11-25", NULL, "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", MCPW_E_VALUE, 0, "/jsonrpc"},
    {"2025-11-25", NULL, "{\"jsonrpc\":2.0,\"id\":1,\"method\":\"ping\"}", MCPW_E_VALUE, 0, "/jsonrpc"},
    /* params by the catalogue, wherever they stand */
    {"2025-11-25", NULL,
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"x\"}}", MCPW_OK,
     MCPW_MESSAGE_REQUEST, NULL},
    {"2025-11-25", NULL,
     "{\"params\":{\"name\":\"x\"},\"method\":\"tools/call\",\"jsonrpc\":\"2.0\",\"id\":1}", MCPW_OK,
     MCPW_MESSAGE_REQUEST, NULL},
    {"2025-11-25", NULL, "{\"params\":{\"name\":1},\"method\":\"tools/call\",\"jsonrpc\":\"2.0\",\"id\":1}",
     MCPW_E_TYPE, 0, "/params/name"},
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}", MCPW_E_MISSING, 0, ""},
    {"2026-07-28", NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}", MCPW_E_MISSING, 0, ""},
    {"2026-07-28", NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{" META26 "}}",
     MCPW_OK, MCPW_MESSAGE_REQUEST, NULL},
    /* an unknown method is a message whose params are an object */
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x/y\",\"params\":{\"a\":[]}}", MCPW_OK,
     MCPW_MESSAGE_REQUEST, NULL},
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x/y\",\"params\":[]}", MCPW_E_TYPE, 0,
     "/params"},
    {"2026-07-28", NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}", MCPW_OK,
     MCPW_MESSAGE_REQUEST, NULL},
    /* result xor error, and nothing of both worlds */
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", MCPW_OK, MCPW_MESSAGE_RESULT, NULL},
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"id\":1}", MCPW_E_MESSAGE, 0, ""},
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"result\":{}}", MCPW_E_MESSAGE, 0, ""},
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":{}}", MCPW_E_MESSAGE, 0, ""},
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[]}", MCPW_E_TYPE, 0, "/result"},
    {"2025-11-25", NULL,
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"error\":{\"code\":1,\"message\":\"m\"}}", MCPW_E_MESSAGE,
     0, ""},
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"result\":{}}", MCPW_E_MESSAGE,
     0, ""},
    /* an error's id may be null or left out */
    {"2024-11-05", NULL, "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"m\"}}",
     MCPW_OK, MCPW_MESSAGE_ERROR, NULL},
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"m\",\"data\":null}}",
     MCPW_OK, MCPW_MESSAGE_ERROR, NULL},
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":\"x\",\"message\":\"m\"}}",
     MCPW_E_TYPE, 0, "/error/code"},
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1}}", MCPW_E_MISSING, 0,
     "/error"},
    /* a result by the request that it answers, whether the id comes before or after it */
    {"2025-11-25", "tools/call", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}", MCPW_OK,
     MCPW_MESSAGE_RESULT, NULL},
    {"2025-11-25", "tools/call", "{\"result\":{\"content\":[]},\"jsonrpc\":\"2.0\",\"id\":1}", MCPW_OK,
     MCPW_MESSAGE_RESULT, NULL},
    {"2025-11-25", "tools/call", "{\"result\":{\"tools\":[]},\"jsonrpc\":\"2.0\",\"id\":1}", MCPW_E_MISSING,
     0, "/result"},
    {"2025-11-25", "tools/call",
     "{\"result\":{\"content\":[]},\"id\":\"a\",\"jsonrpc\":\"2.0\",\"x\":{\"id\":5}}", MCPW_OK,
     MCPW_MESSAGE_RESULT, NULL},
    {"2025-11-25", "tools/call",
     "{\"result\":{\"content\":[]},\"id\":\"a\",\"jsonrpc\":\"2.0\",\"x\\\"id\":5}", MCPW_OK,
     MCPW_MESSAGE_RESULT, NULL},
    /* 2026-07-28: resultType selects, and nothing falls back */
    {"2026-07-28", "tools/call",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\",\"content\":[]}}", MCPW_OK,
     MCPW_MESSAGE_RESULT, NULL},
    {"2026-07-28", "tools/call",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[],\"resultType\":\"complete\"}}", MCPW_OK,
     MCPW_MESSAGE_RESULT, NULL},
    {"2026-07-28", "tools/call",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"input_required\"}}", MCPW_OK,
     MCPW_MESSAGE_RESULT, NULL},
    {"2026-07-28", "tools/call", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\"}}",
     MCPW_E_MISSING, 0, "/result"},
    {"2026-07-28", "tools/call", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}", MCPW_E_UNION,
     0, "/result"},
    {"2026-07-28", "tools/call",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"later\",\"content\":[]}}", MCPW_E_UNION, 0,
     "/result"},
    {"2026-07-28", "completion/complete",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"completion\":{\"values\":[]},\"resultType\":\"complete\"}}",
     MCPW_OK, MCPW_MESSAGE_RESULT, NULL},
    {"2026-07-28", "completion/complete",
     "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"completion\":{\"values\":[]},\"resultType\":\"other\"}}",
     MCPW_E_UNION, 0, "/result"},
    /* batches, in one revision */
    {"2025-03-26", NULL, "[" PING "," PING "]", MCPW_OK, MCPW_MESSAGE_BATCH, NULL},
    {"2025-03-26", NULL, "[]", MCPW_E_MESSAGE, 0, ""},
    {"2025-03-26", NULL, "[" PING ",]", MCPW_E_SYNTAX, 0, "/1"},
    {"2025-03-26", NULL, "[" PING ",{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}]", MCPW_E_MESSAGE, 0, "/1"},
    {"2025-03-26", NULL, "[" PING ",{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":5}]", MCPW_E_TYPE, 0,
     "/1/method"},
    {"2025-06-18", NULL, "[" PING "]", MCPW_E_MESSAGE, 0, ""},
    /* no object, no JSON */
    {"2025-11-25", NULL, "5", MCPW_E_MESSAGE, 0, ""},
    {"2025-11-25", NULL, "", MCPW_E_SYNTAX, 0, ""},
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"} x", MCPW_E_SYNTAX, 0, ""},
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":1,\"method\":\"ping\"}", MCPW_E_DUPLICATE, 0,
     NULL},
    {"2025-11-25", NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",}", MCPW_E_SYNTAX, 0, ""},
    /* white space after all, where an id at the end would be found before it is read */
    {"2025-11-25", "tools/call", "{\"jsonrpc\":\"2.0\",\"result\":{\"content\":[]},\"id\":1} ", MCPW_OK,
     MCPW_MESSAGE_RESULT, NULL},
};

static mcpw_answered_request resolve(void *user, const mcpw_id *id) {
    const mcpw_answered_request answer = {*(const int *)user, false};
    (void)id;
    return answer;
}

static void check_rule(const rule *x) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_message message;
    mcpw_envelope found;
    mcpw_error decoded = {0};
    mcpw_error validated = {0};
    const mcpw_revision *const revision = mcpw_find_revision(x->revision);
    if (revision == NULL) {
        return;
    }
    int method = x->answers != NULL ? mcpw_method_number(revision, x->answers, strlen(x->answers)) : 0;
    const mcpw_status d = mcpw_message_decode(revision, x->text, strlen(x->text), &arena, resolve, &method,
                                              &message, NULL, &decoded);
    const mcpw_status v = mcpw_message_validate(revision, x->text, strlen(x->text), &arena, resolve, &method,
                                                &found, NULL, &validated);
    if (d != x->status || v != x->status) {
        (void)fprintf(stderr, "%s: %s and %s: %s\n", x->text, mcpw_status_name(d), mcpw_status_name(v),
                      decoded.message);
    }
    CHECK(d == x->status);
    CHECK(v == x->status);
    if (d == MCPW_OK && v == MCPW_OK) {
        CHECK(message.kind == x->kind && found.kind == x->kind);
        CHECK(x->answers == NULL || message.value != NULL);
    } else if (x->path != NULL) {
        CHECK_STRING(decoded.path, x->path);
        CHECK_STRING(validated.path, x->path);
    }
    mcpw_arena_free(&arena);
}

static void every_rule_holds(void) {
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        check_rule(rules + i);
    }
}

static void strict_refuses_an_unknown_method(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_message message;
    mcpw_error error;
    size_t count = 0;
    static const char text[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x/y\"}";
    options.flags = MCPW_STRICT;
    CHECK(mcpw_message_decode(mcpw_revisions(&count)[0], text, sizeof text - 1, &arena, NULL, NULL, &message,
                              &options, &error) == MCPW_E_METHOD);
    CHECK_STRING(error.path, "/method");
    mcpw_arena_free(&arena);
}

static void ids_keep_their_kind_and_text(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_message message;
    size_t count = 0;
    static const char text[] = "{\"jsonrpc\":\"2.0\",\"id\":\"00\\u0031\",\"method\":\"ping\"}";
    CHECK(mcpw_message_decode(mcpw_revisions(&count)[0], text, sizeof text - 1, &arena, NULL, NULL, &message,
                              NULL, NULL) == MCPW_OK);
    CHECK(message.id.kind == MCPW_ID_STRING && mcpw_str_is(message.id.as.string, "001"));
    mcpw_arena_free(&arena);
}

static void unknown_envelope_members_are_kept(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_message message;
    size_t count = 0;
    static const char text[] = "{\"jsonrpc\":\"2.0\",\"x\":[1,2],\"id\":1,\"method\":\"ping\"}";
    CHECK(mcpw_message_decode(mcpw_revisions(&count)[0], text, sizeof text - 1, &arena, NULL, NULL, &message,
                              NULL, NULL) == MCPW_OK);
    CHECK(message.extra.count == 1 && mcpw_str_is(message.extra.items[0].name, "x"));
    CHECK_TEXT(message.extra.items[0].value.ptr, message.extra.items[0].value.len, "[1,2]");
    mcpw_arena_free(&arena);
}

/* Without a resolver the result stays text: params must not take its place. */
static void params_in_a_response_are_not_its_result(void) {
    static const char *const texts[] = {
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":1},\"params\":{\"b\":2}}",
        "{\"params\":[3],\"result\":{\"a\":1},\"jsonrpc\":\"2.0\",\"id\":1}",
    };
    size_t count = 0;
    const mcpw_revision *const revision = mcpw_revisions(&count)[0];
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        mcpw_arena arena = MCPW_ARENA_INIT;
        mcpw_buffer out = MCPW_BUFFER_INIT;
        mcpw_message message;
        const mcpw_json text = mcpw_json_from(texts[i]);
        CHECK(mcpw_message_decode(revision, text.ptr, text.len, &arena, NULL, NULL, &message, NULL, NULL) ==
              MCPW_OK);
        CHECK(mcpw_message_validate(revision, text.ptr, text.len, &arena, NULL, NULL, NULL, NULL, NULL) ==
              MCPW_OK);
        CHECK_TEXT(message.raw.ptr, message.raw.len, "{\"a\":1}");
        CHECK(message.extra.count == 1 && mcpw_str_is(message.extra.items[0].name, "params"));
        CHECK(mcpw_message_encode(revision, &message, &out, NULL, NULL) == MCPW_OK);
        const mcpw_json written = mcpw_json_of(out.data, out.len);
        CHECK(mcpw_json_equal(text, written));
        mcpw_buffer_free(&out);
        mcpw_arena_free(&arena);
    }
}

static mcpw_answered_request answers_tools_call(void *user, const mcpw_id *id) {
    const mcpw_revision *const revision = user;
    const mcpw_answered_request out = {mcpw_method_number(revision, "tools/call", strlen("tools/call")),
                                       false};
    (void)id;
    return out;
}

/* Unknown alternatives are kept when the caller asks for it, but a result is an object all the same. */
static void a_result_is_an_object_whatever_is_allowed(void) {
    static const char text[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"text\"}";
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    for (size_t i = 0; i < count; i++) {
        mcpw_arena arena = MCPW_ARENA_INIT;
        mcpw_options options = MCPW_OPTIONS_INIT;
        mcpw_message message;
        void *const revision = (void *)(uintptr_t)all[i];
        options.flags = MCPW_ALLOW_UNKNOWN;
        CHECK(mcpw_message_decode(all[i], text, sizeof text - 1, &arena, answers_tools_call, revision,
                                  &message, &options, NULL) == MCPW_E_TYPE);
        CHECK(mcpw_message_validate(all[i], text, sizeof text - 1, &arena, answers_tools_call, revision, NULL,
                                    &options, NULL) == MCPW_E_TYPE);
        mcpw_arena_free(&arena);
    }
}

static void a_task_request_is_answered_by_a_created_task(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_envelope found;
    const mcpw_revision *const revision = mcpw_find_revision("2025-11-25");
    static const char text[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"x\",\"task\":{}}}";
    if (revision == NULL) {
        return;
    }
    CHECK(mcpw_message_validate(revision, text, sizeof text - 1, &arena, NULL, NULL, &found, NULL, NULL) ==
          MCPW_OK);
    CHECK(found.task);
    CHECK(strcmp(mcpw_type_name(mcpw_method_task_result(mcpw_method_entry(revision, found.method))),
                 "CreateTaskResult") == 0);
    mcpw_arena_free(&arena);
}

static void check_batch(const char *text, const mcpw_options *options, mcpw_status want, const char *path) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_message message;
    mcpw_envelope envelope;
    mcpw_error error = {0};
    const mcpw_revision *const revision = mcpw_find_revision("2025-03-26");
    CHECK(mcpw_message_decode(revision, text, strlen(text), &arena, NULL, NULL, &message, options, &error) ==
          want);
    CHECK_STRING(error.path, path);
    CHECK(mcpw_message_validate(revision, text, strlen(text), &arena, NULL, NULL, &envelope, options,
                                &error) == want);
    CHECK_STRING(error.path, path);
    mcpw_arena_free(&arena);
}

static void limits_hold_in_batches(void) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.max_elements = 2;
    check_batch("[" PING "," PING "]", &options, MCPW_OK, "");
    check_batch("[" PING "," PING "," PING "]", &options, MCPW_E_ELEMENTS, "/2");
    options = (mcpw_options)MCPW_OPTIONS_INIT;
    options.max_depth = 1;
    check_batch("[" PING "]", &options, MCPW_E_DEPTH, "/0");
}

static void members_of_the_envelope_count_as_elements(void) {
    static const char one[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"a\":1,\"b\":1}";
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.max_elements = 2;
    check_batch(one, &options, MCPW_OK, "");
    options.max_elements = 1;
    check_batch(one, &options, MCPW_E_ELEMENTS, "");
}

static void what_separates_the_messages_of_a_batch_is_a_comma(void) {
    check_batch("[" PING " " PING "]", NULL, MCPW_E_SYNTAX, "/0");
    check_batch("[" PING ";" PING "]", NULL, MCPW_E_SYNTAX, "/0");
    check_batch("[" PING ",]", NULL, MCPW_E_SYNTAX, "/1");
}

int main(void) {
    RUN(every_rule_holds);
    RUN(strict_refuses_an_unknown_method);
    RUN(ids_keep_their_kind_and_text);
    RUN(unknown_envelope_members_are_kept);
    RUN(params_in_a_response_are_not_its_result);
    RUN(a_result_is_an_object_whatever_is_allowed);
    RUN(a_task_request_is_answered_by_a_created_task);
    RUN(limits_hold_in_batches);
    RUN(members_of_the_envelope_count_as_elements);
    RUN(what_separates_the_messages_of_a_batch_is_a_comma);
    return check_end();
}
