/* SPDX-License-Identifier: MIT */
/* Each allocation of each operation of the codec made to fail in turn: a status, no leak, and what was used
 * can be used again. */
#include <mcp/2025-11-25.h>
#include <mcp/2026-07-28.h>
#include <mcpw/json.h>
#include <mcpw/message.h>
#include <mcpw/project.h>
#include <mcpw/server.h>

#include "check.h"
#include "counting_allocator.h"

#include <stdlib.h>

enum { VALUE = 2048, ENOUGH = 4000, LONG = 6000, NAMES = 40 };

#define FROM "2025-11-25"
#define TO "2026-07-28"

/* The data of an operation. */
typedef struct bench {
    const char *type_name;
    const mcpw_type *type;
    char text[4 * LONG];
    unsigned flags;
    mcpw_arena arena;
    mcpw_arena kept; /* what the value lives in; never fails */
    mcpw_buffer out;
    mcpw_error error;
    _Alignas(16) char value[VALUE];
    _Alignas(16) char other[VALUE];
} bench;

typedef mcpw_status (*operation)(bench *b);

static mcpw_options options_of(const bench *b) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = b->flags;
    return options;
}

static mcpw_status decode(bench *b) {
    const mcpw_options options = options_of(b);
    return mcpw_decode(b->type, b->text, strlen(b->text), &b->arena, b->other, &options, &b->error);
}

static mcpw_status validate(bench *b) {
    const mcpw_options options = options_of(b);
    return mcpw_validate(b->type, b->text, strlen(b->text), &b->arena, &options, &b->error);
}

static bool go_on(void *user, const mcpw_error *error) {
    (void)user;
    (void)error;
    return true;
}

static mcpw_status validate_all(bench *b) {
    mcpw_options options = options_of(b);
    options.on_error = go_on;
    return mcpw_validate(b->type, b->text, strlen(b->text), &b->arena, &options, &b->error);
}

static mcpw_status encode(bench *b) {
    const mcpw_options options = options_of(b);
    b->out.len = 0;
    return mcpw_encode(b->type, b->value, &b->out, &options, &b->error);
}

static mcpw_status validate_value(bench *b) {
    const mcpw_options options = options_of(b);
    return mcpw_validate_value(b->type, b->value, &b->arena, &options, &b->error);
}

static mcpw_status copy(bench *b) { return mcpw_copy(b->type, b->value, &b->arena, b->other, &b->error); }

static void told(void *user, const char *path) {
    (void)user;
    (void)path;
}

static mcpw_status project(bench *b) {
    mcpw_project_options options = MCPW_PROJECT_INIT;
    options.on_drop = told;
    return mcpw_project(b->type, b->value, mcpw_find_type(TO, b->type_name), &b->arena, b->other, &options,
                        &b->error);
}

static mcpw_answered_request resolve(void *user, const mcpw_id *id) {
    const mcpw_answered_request answer = {mcpw_method_number(mcpw_find_revision(FROM), "tools/list", 10),
                                          false};
    (void)user;
    (void)id;
    return answer;
}

static mcpw_status message_decode(bench *b) {
    mcpw_message *const message = (mcpw_message *)(void *)b->other;
    const mcpw_options options = options_of(b);
    return mcpw_message_decode(mcpw_find_revision(FROM), b->text, strlen(b->text), &b->arena, resolve, NULL,
                               message, &options, &b->error);
}

static mcpw_status message_validate(bench *b) {
    mcpw_envelope envelope;
    const mcpw_options options = options_of(b);
    return mcpw_message_validate(mcpw_find_revision(FROM), b->text, strlen(b->text), &b->arena, resolve, NULL,
                                 &envelope, &options, &b->error);
}

static mcpw_status message_encode(bench *b) {
    const mcpw_options options = options_of(b);
    b->out.len = 0;
    return mcpw_message_encode(mcpw_find_revision(FROM), (const mcpw_message *)(const void *)b->value,
                               &b->out, &options, &b->error);
}

static mcpw_status unescape(bench *b) {
    mcpw_str text;
    return mcpw_json_string(mcpw_json_from(b->text), &b->arena, &text);
}

static mcpw_status base64(bench *b) {
    mcpw_str bytes;
    const mcpw_str text = mcpw_base64_encode(&b->arena, b->text, LONG);
    return text.ptr != NULL ? mcpw_base64_decode(&b->arena, text, &bytes) : b->arena.status;
}

static mcpw_status expand(bench *b) {
    const mcpw_uri_variable variable = {MCPW_STR("v"), {b->text, strlen(b->text)}};
    mcpw_str uri;
    return mcpw_uri_template_expand(&b->arena, (mcpw_str)MCPW_STR("file:///{v}"), &variable, 1, &uri,
                                    &b->error);
}

/* An allocator that fails once, or from then on. */
typedef struct failing {
    counting memory;
    size_t from; /* this one and all after it fail; 0: none */
} failing;

static void *failing_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    failing *const f = user;
    if (new_size != 0 && f->from != 0 && f->memory.calls + 1 >= f->from) {
        f->memory.calls++;
        return NULL;
    }
    return counting_resize(&f->memory, ptr, old_size, new_size);
}

static void fail_at(bench *b, operation does, const char *what, mcpw_status want, failing *f, bool first) {
    const mcpw_allocator allocator = {failing_resize, f};
    b->arena.allocator = b->out.allocator = allocator;
    memset(b->other, 0x55, sizeof b->other);
    const mcpw_status status = does(b);
    if (status != MCPW_E_MEMORY && (first || status != want)) { /* an arena may do with less */
        (void)fprintf(stderr, "%s, allocation %zu: %s\n", what, f->from + f->memory.fail_at,
                      mcpw_status_name(status));
        CHECK(false);
    }
    f->memory.fail_at = f->from = 0;
    f->memory.stingy = false;
    CHECK(does(b) == want); /* what failed once can be done with the same arena and buffer */
    mcpw_arena_free(&b->arena);
    mcpw_buffer_free(&b->out);
    CHECK(f->memory.in_use == 0);
}

/* Runs the operation with each of its allocations failing, alone and with all after it. */
static mcpw_status fail_each(bench *b, operation does, const char *what, bool stingy) {
    counting whole = {.stingy = stingy};
    b->arena.allocator = b->out.allocator = counting_allocator(&whole);
    const mcpw_status want = does(b);
    mcpw_arena_free(&b->arena);
    mcpw_buffer_free(&b->out);
    CHECK(whole.calls != 0 && whole.calls < ENOUGH);
    for (size_t n = 1; n <= whole.calls; n++) {
        failing alone = {{.fail_at = n, .stingy = stingy}, 0};
        failing on = {{.stingy = stingy}, n};
        fail_at(b, does, what, want, &alone, false);
        fail_at(b, does, what, want, &on, n == 1);
    }
    return want;
}

/* Blocks of an arena that hold much, blocks that hold one thing each, and an arena that has no room to grow.
 */
static void run(bench *b, operation does, const char *what) {
    counting whole = {0};
    const mcpw_status want = fail_each(b, does, what, false);
    CHECK(fail_each(b, does, what, true) == want);
    b->arena.allocator = b->out.allocator = counting_allocator(&whole);
    b->arena.limit = 1;
    const mcpw_status full = does(b);
    CHECK(full == MCPW_E_ARENA || full == want); /* an operation on the buffer alone */
    b->arena.limit = 0;
    mcpw_arena_free(&b->arena);
    mcpw_buffer_free(&b->out);
}

static void put_names(char *text, const char *format) {
    for (int i = 0; i < NAMES; i++) {
        (void)sprintf(text + strlen(text), format, i != 0 ? "," : "", i);
    }
}

static void put_long(char *text, char c) {
    const size_t len = strlen(text);
    memset(text + len, c, LONG);
    text[len + LONG] = '\0';
}

static void set_up(bench *b, const char *type, unsigned flags) {
    memset(b, 0, sizeof *b);
    b->type_name = type;
    b->type = mcpw_find_type(FROM, type);
    b->flags = flags;
    b->arena = b->kept = (mcpw_arena)MCPW_ARENA_INIT;
    b->out = (mcpw_buffer)MCPW_BUFFER_INIT;
}

/* Everything that takes memory at once: long and escaped text, lists that grow, maps and unknown members with
 * too many names to compare pair by pair, unions that are tried, an unknown enum value. */
static void make_tool_text(bench *b) {
    strcat(b->text, "{\"title\":\"");
    put_long(b->text, 'x');
    strcat(b->text, "\\n\",\"name\":\"n\",\"inputSchema\":{\"type\":\"object\",\"required\":[");
    put_names(b->text, "%s\"r%d\"");
    strcat(b->text, "],\"properties\":{");
    put_names(b->text, "%s\"\\u0070%d\":{}");
    strcat(b->text, "}},\"icons\":[");
    put_names(b->text, "%s{\"src\":\"https://a/%d\",\"sizes\":[\"1x1\",\"2x2\"]}");
    strcat(b->text, "],\"execution\":{\"taskSupport\":\"optional\"},");
    put_names(b->text, "%s\"x%d\":[1, {\"a\":\n2}]");
    strcat(b->text, "}");
}

static void make_result_text(bench *b) {
    strcat(b->text, "{\"content\":[");
    put_names(b->text, "%s{\"text\":\"t%d\",\"annotations\":{\"audience\":[\"user\"]},\"type\":\"text\"}");
    strcat(b->text, ",{\"type\":\"resource\",\"resource\":{\"uri\":\"u:\",\"text\":5,\"blob\":\"\"}}],"
                    "\"structuredContent\":{");
    put_names(b->text, "%s\"s%d\":1");
    strcat(b->text, "},\"_meta\":{\"k\":\"");
    put_long(b->text, 'y');
    strcat(b->text, "\"}}");
}

static const unsigned all_flags[] = {0, MCPW_STRICT, MCPW_ALLOW_UNKNOWN | MCPW_PEER_DEFAULTS};
enum { FLAGS = sizeof all_flags / sizeof all_flags[0] };

static void each_operation_on(const char *type, void (*make)(bench *b)) {
    static bench b;
    for (size_t i = 0; i < FLAGS; i++) {
        set_up(&b, type, all_flags[i]);
        make(&b);
        run(&b, decode, "decode");
        run(&b, validate, "validate");
        run(&b, validate_all, "validate, all errors");
        CHECK(mcpw_decode(b.type, b.text, strlen(b.text), &b.kept, b.value, NULL, NULL) == MCPW_OK);
        run(&b, encode, "encode");
        run(&b, validate_value, "validate the value");
        run(&b, copy, "copy");
        run(&b, project, "project");
        mcpw_arena_free(&b.kept);
    }
}

static void a_tool_survives_each_failed_allocation(void) { each_operation_on("Tool", make_tool_text); }

static void a_result_survives_each_failed_allocation(void) {
    each_operation_on("CallToolResult", make_result_text);
}

static void an_unknown_value_survives_each_failed_allocation(void) {
    static bench b;
    set_up(&b, "PromptMessage", MCPW_ALLOW_UNKNOWN);
    strcat(b.text, "{\"role\":\"other\",\"content\":{\"type\":\"new\",\"text\":\"");
    put_long(b.text, 'z');
    strcat(b.text, "\"}}");
    run(&b, decode, "decode");
    run(&b, validate, "validate");
    const mcpw_options options = options_of(&b);
    CHECK(mcpw_decode(b.type, b.text, strlen(b.text), &b.kept, b.value, &options, NULL) == MCPW_OK);
    run(&b, encode, "encode");
    run(&b, copy, "copy");
    mcpw_arena_free(&b.kept);
}

static void a_text_that_is_refused_survives_them_too(void) {
    static bench b;
    set_up(&b, "CallToolResult", 0);
    make_result_text(&b);
    b.text[strlen(b.text) - 1] = ',';
    run(&b, decode, "decode");
    run(&b, validate_all, "validate, all errors");
}

static void a_message_survives_each_failed_allocation(void) {
    static bench b;
    for (size_t i = 0; i < FLAGS; i++) {
        set_up(&b, "Tool", all_flags[i]);
        strcat(b.text, "{\"result\":{\"tools\":[");
        make_tool_text(&b);
        strcat(b.text, "]},\"jsonrpc\":\"2.0\",\"id\":\"a\\n\",");
        put_names(b.text, "%s\"e%d\":{}");
        strcat(b.text, "}");
        run(&b, message_decode, "decode a message");
        run(&b, message_validate, "validate a message");
        CHECK(mcpw_message_decode(mcpw_find_revision(FROM), b.text, strlen(b.text), &b.kept, resolve, NULL,
                                  (mcpw_message *)(void *)b.value, NULL, NULL) == MCPW_OK);
        run(&b, message_encode, "encode a message");
        mcpw_arena_free(&b.kept);
    }
}

static void helpers_survive_each_failed_allocation(void) {
    static bench b;
    set_up(&b, "Tool", 0);
    strcat(b.text, "\"\\n");
    put_long(b.text, 'x');
    strcat(b.text, "\"");
    run(&b, unescape, "unescape");
    run(&b, base64, "base64");
    run(&b, expand, "expand");
}

/* If memory runs out in the middle of a value, nothing of it stays. */
static void a_decode_that_fails_leaves_a_zeroed_value(void) {
    static bench b;
    static const char zero[VALUE];
    failing f = {{0}, 2};
    const mcpw_allocator allocator = {failing_resize, &f};
    set_up(&b, "Tool", 0);
    make_tool_text(&b);
    b.arena.allocator = allocator;
    memset(b.other, 0x55, sizeof b.other);
    CHECK(decode(&b) == MCPW_E_MEMORY && b.error.code == MCPW_E_MEMORY);
    CHECK(memcmp(b.other, zero, mcpw_type_size(b.type)) == 0);
    mcpw_arena_free(&b.arena);
    CHECK(f.memory.in_use == 0);
}

int main(void) {
    RUN(a_tool_survives_each_failed_allocation);
    RUN(a_result_survives_each_failed_allocation);
    RUN(an_unknown_value_survives_each_failed_allocation);
    RUN(a_text_that_is_refused_survives_them_too);
    RUN(a_message_survives_each_failed_allocation);
    RUN(helpers_survive_each_failed_allocation);
    RUN(a_decode_that_fails_leaves_a_zeroed_value);
    return check_end();
}
