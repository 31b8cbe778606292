/* SPDX-License-Identifier: MIT */
/* Each member of an envelope keeps its value, in whatever order the members stand. Params and results hold
 * unions whose tag comes late, so that alternatives are tried in vain and the text is put back. */
#include <mcpw/json.h>
#include <mcpw/message.h>

#include "check.h"

enum { MOST_PARTS = 5 };

/* A member: how its name is written, its name, how its value is written. */
typedef struct part {
    const char *key;
    const char *name;
    const char *text;
} part;

/* A message: what its members are, and what each of them is to be when it was read. */
typedef struct sample {
    const char *revision;
    const char *answers; /* of a response: the method of its request */
    mcpw_message_kind kind;
    const char *id;
    const char *method;
    const char *value; /* params or result */
    part parts[MOST_PARTS];
} sample;

#define VERSION                                                                                              \
    { "\"jsonrpc\"", "jsonrpc", "\"2\\u002e0\"" }
#define EXTRA                                                                                                \
    { "\"e\\u0078tra\"", "extra", "{\"a\\u0062\":[\"c\\u0064\"]}" }
#define ESCAPED_ID                                                                                           \
    { "\"id\"", "id", "\"k\\u0061y-1\"" }
#define PLAIN_ID                                                                                             \
    { "\"\\u0069d\"", "id", "\"kay-1\"" }
#define METHOD(text)                                                                                         \
    { "\"method\"", "method", (text) }
#define PARAMS(text)                                                                                         \
    { "\"params\"", "params", (text) }
#define RESULT(text)                                                                                         \
    { "\"result\"", "result", (text) }

#define LATE_REF                                                                                             \
    "{\"ref\":{\"n\\u0061me\":\"n\\u006e\",\"type\":\"ref\\/resource\",\"uri\":\"x:\\u0031\"},"              \
    "\"argument\":{\"name\":\"\\u0061\",\"value\":\"b\\u0062\"}}"
#define LAST_REF                                                                                             \
    "{\"argument\":{\"name\":\"a\",\"value\":\"b\"},"                                                        \
    "\"ref\":{\"name\":\"n\",\"uri\":\"x:\\u0031\",\"type\":\"ref/resource\"}}"
#define LATE_CONTENT                                                                                         \
    "{\"messages\":[{\"content\":{\"mimeType\":\"a\\/b\",\"data\":\"QU\\u0046B\",\"type\":\"audio\"},"       \
    "\"role\":\"user\"}],\"maxTokens\":1,\"systemPrompt\":\"s\\u0073\"}"
#define FORM                                                                                                 \
    "{\"message\":\"m\\u006d\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"p\\u0070\":"       \
    "{\"title\":\"t\\u0074\",\"enum\":[\"\\u0061\"],\"enumNames\":[\"\\u0062\"],\"type\":\"string\"}}}}"
#define LATE_BLOCKS                                                                                          \
    "{\"content\":[{\"text\":\"t\\u0074\",\"type\":\"text\"},"                                               \
    "{\"mimeType\":\"a\\/b\",\"data\":\"QU\\u0046B\",\"type\":\"audio\"}]}"
#define TWO_WAYS                                                                                             \
    "{\"contents\":[{\"uri\":\"u:\\u0031\",\"text\":\"\\u0061\",\"blob\":\"!\\u0021\"},"                     \
    "{\"text\":5,\"uri\":\"u:\\u0032\",\"blob\":\"QU\\u0046B\"}]}"
#define WRONG_LAST "{\"contents\":[{\"uri\":\"u:\\u0032\",\"blob\":\"QU\\u0046B\",\"text\":5}]}"
#define ROUND                                                                                                \
    "{\"requestState\":\"s\\u0073\",\"inputRequests\":{\"k\\u006b\":{\"params\":{\"message\":\"m\\u006d\","  \
    "\"url\":\"u:\\u0075\",\"mode\":\"url\"},\"method\":\"elicitation\\/create\"}},"                         \
    "\"resultType\":\"input_required\"}"

static const sample samples[] = {
    {"2025-11-25",
     NULL,
     MCPW_MESSAGE_REQUEST,
     "kay-1",
     "completion/complete",
     LATE_REF,
     {VERSION, ESCAPED_ID, METHOD("\"completion\\/complete\""), PARAMS(LATE_REF), EXTRA}},
    {"2025-11-25",
     NULL,
     MCPW_MESSAGE_REQUEST,
     "kay-1",
     "completion/complete",
     LATE_REF,
     {VERSION, PLAIN_ID, METHOD("\"completion/complete\""), PARAMS(LATE_REF)}},
    {"2024-11-05",
     NULL,
     MCPW_MESSAGE_REQUEST,
     "kay-1",
     "completion/complete",
     LAST_REF,
     {VERSION, ESCAPED_ID, METHOD("\"completion\\/complete\""), PARAMS(LAST_REF)}},
    {"2025-11-25",
     NULL,
     MCPW_MESSAGE_REQUEST,
     "kay-1",
     "sampling/createMessage",
     LATE_CONTENT,
     {VERSION, ESCAPED_ID, METHOD("\"sampling\\/createMessage\""), PARAMS(LATE_CONTENT), EXTRA}},
    {"2025-11-25",
     NULL,
     MCPW_MESSAGE_REQUEST,
     "kay-1",
     "elicitation/create",
     FORM,
     {VERSION, PLAIN_ID, METHOD("\"elicitation\\/create\""), PARAMS(FORM), EXTRA}},
    {"2025-11-25",
     "tools/call",
     MCPW_MESSAGE_RESULT,
     "kay-1",
     NULL,
     LATE_BLOCKS,
     {VERSION, ESCAPED_ID, RESULT(LATE_BLOCKS), EXTRA}},
    {"2025-06-18",
     "resources/read",
     MCPW_MESSAGE_RESULT,
     "kay-1",
     NULL,
     TWO_WAYS,
     {VERSION, ESCAPED_ID, RESULT(TWO_WAYS), EXTRA}},
    {"2025-06-18",
     "resources/read",
     MCPW_MESSAGE_RESULT,
     "kay-1",
     NULL,
     TWO_WAYS,
     {VERSION, PLAIN_ID, RESULT(TWO_WAYS), EXTRA}},
    {"2026-07-28",
     "tools/call",
     MCPW_MESSAGE_RESULT,
     "kay-1",
     NULL,
     ROUND,
     {VERSION, ESCAPED_ID, RESULT(ROUND), EXTRA}},
    {"2025-11-25",
     NULL,
     MCPW_MESSAGE_ERROR,
     "kay-1",
     NULL,
     NULL,
     {VERSION,
      ESCAPED_ID,
      {"\"error\"", "error", "{\"data\":{\"d\\u0064\":1},\"message\":\"m\\u006d\",\"code\":-1}"},
      EXTRA}},
};

static mcpw_answered_request resolve(void *user, const mcpw_id *id) {
    const sample *const s = user;
    mcpw_answered_request out = {0, false};
    if (s->answers != NULL && id->kind == MCPW_ID_STRING && mcpw_str_is(id->as.string, s->id)) {
        out.method = mcpw_method_number(mcpw_find_revision(s->revision), s->answers, strlen(s->answers));
    }
    return out;
}

static void put(mcpw_buffer *b, const char *text) {
    CHECK(mcpw_buffer_append(b, text, strlen(text)) == MCPW_OK);
}

static unsigned count_parts(const sample *s) {
    unsigned count = 0;
    while (count < MOST_PARTS && s->parts[count].name != NULL) {
        count++;
    }
    return count;
}

/* The order of that number, of as many as there are for so many members. False when there is none left. */
static bool order_of(unsigned number, unsigned count, unsigned order[MOST_PARTS]) {
    bool taken[MOST_PARTS] = {false};
    for (unsigned i = 0; i < count; i++) {
        unsigned skip = number % (count - i);
        number /= count - i;
        unsigned part = 0;
        while (taken[part] || skip > 0) {
            skip -= !taken[part];
            part++;
        }
        taken[part] = true;
        order[i] = part;
    }
    return number == 0;
}

/* The message with its members in that order, and white space of that size before each name. */
static void write_message(mcpw_buffer *b, const sample *s, const unsigned *order, unsigned count,
                          unsigned space) {
    b->len = 0;
    put(b, "{");
    for (unsigned i = 0; i < count; i++) {
        for (unsigned n = 0; n < space; n++) {
            put(b, " ");
        }
        put(b, s->parts[order[i]].key);
        put(b, ":");
        put(b, s->parts[order[i]].text);
        put(b, i + 1 < count ? "," : "}");
    }
}

/* Decoded text ends in a NUL. */
static void check_string(mcpw_str got, const char *want) {
    CHECK_TEXT(got.ptr, got.len, want);
    CHECK(got.ptr != NULL && got.ptr[got.len] == '\0');
}

static void check_value(const mcpw_message *m, const char *want) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    CHECK(m->type != NULL && m->value != NULL);
    if (m->type != NULL && m->value != NULL) {
        CHECK(mcpw_encode(m->type, m->value, &out, NULL, NULL) == MCPW_OK);
        const mcpw_json written = mcpw_json_of(out.data, out.len);
        CHECK(mcpw_json_equal(written, mcpw_json_from(want)));
    }
    mcpw_buffer_free(&out);
}

static void check_extra(const mcpw_message *m, const sample *s, unsigned count) {
    const part *const last = s->parts + count - 1;
    if (strcmp(last->name, "extra") != 0) {
        CHECK(m->extra.count == 0);
        return;
    }
    CHECK(m->extra.count == 1);
    if (m->extra.count == 1) {
        check_string(m->extra.items[0].name, last->name);
        CHECK_TEXT(m->extra.items[0].value.ptr, m->extra.items[0].value.len, last->text);
    }
}

static void check_message(const sample *s, const mcpw_buffer *text, unsigned count) {
    const mcpw_revision *const revision = mcpw_find_revision(s->revision);
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_message m;
    mcpw_error error = {0};
    void *const user = (void *)(uintptr_t)s;
    const mcpw_status status =
        mcpw_message_decode(revision, text->data, text->len, &arena, resolve, user, &m, NULL, &error);
    const int before = check_failures;
    CHECK(status == MCPW_OK);
    if (status == MCPW_OK) {
        CHECK(m.kind == s->kind);
        CHECK(m.id.kind == MCPW_ID_STRING);
        check_string(m.id.as.string, s->id);
        if (s->method != NULL) {
            check_string(m.method_name, s->method);
        }
        if (s->value != NULL) {
            check_value(&m, s->value);
        } else {
            CHECK(m.error.code == -1);
            check_string(m.error.message, "mm");
            CHECK_TEXT(m.error.data.ptr, m.error.data.len, "{\"d\\u0064\":1}");
        }
        check_extra(&m, s, count);
    }
    if (check_failures != before) {
        enum { SHOWN = 300 };
        (void)fprintf(stderr, "%s: %.*s\n", error.message, text->len < SHOWN ? (int)text->len : SHOWN,
                      text->data);
    }
    mcpw_arena_free(&arena);
}

static void check_orders(unsigned space) {
    mcpw_buffer text = MCPW_BUFFER_INIT;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const sample *const s = samples + i;
        const unsigned count = count_parts(s);
        unsigned order[MOST_PARTS];
        if (mcpw_find_revision(s->revision) == NULL) {
            continue;
        }
        for (unsigned number = 0; order_of(number, count, order); number++) {
            write_message(&text, s, order, count, space);
            check_message(s, &text, count);
        }
    }
    mcpw_buffer_free(&text);
}

static void members_keep_their_values_in_every_order(void) { check_orders(0); }

/* Longer than what the reader copies at once: the rest comes while it reads. */
static void members_keep_their_values_in_long_messages(void) {
    enum { STEP = 700, LONGEST = 4200 };
    for (unsigned space = 1; space < LONGEST; space += STEP) {
        check_orders(space);
    }
}

int main(void) {
    RUN(members_keep_their_values_in_every_order);
    RUN(members_keep_their_values_in_long_messages);
    return check_end();
}
