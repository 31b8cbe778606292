/* SPDX-License-Identifier: MIT */
/* The work of filling in defaults grows with the texts, whatever they say: it is counted here. */
#include <stdlib.h>

#include <mcpw/json.h>

#include "check.h"
#include "support/text.h"

static size_t bytes_read;
static size_t bytes_filled;

static mcpw_status counted_get(mcpw_json value, const char *name, mcpw_json *out) {
    const mcpw_status status = mcpw_json_get(value, name, out);
    bytes_read += status == MCPW_OK ? (size_t)(out->ptr + out->len - value.ptr) : value.len;
    return status;
}

static bool counted_next(mcpw_json_iter *it, mcpw_json *key, mcpw_json *item) {
    const char *const before = it->next;
    const bool any = mcpw_json_next(it, key, item);
    bytes_read += any ? (size_t)(it->next - before) : 1;
    return any;
}

static size_t counted_count(mcpw_json value) {
    bytes_read += value.len;
    return mcpw_json_count(value);
}

static void counted_copy(mcpw_text *text, mcpw_json key, mcpw_json value) {
    bytes_filled += value.len;
    mcpw_text_member_copy(text, key, value);
}

#define mcpw_json_get counted_get
#define mcpw_json_next counted_next
#define mcpw_json_count counted_count
#define mcpw_text_member_copy counted_copy
#define mcpw_fill_defaults counted_fill_defaults /* the library has its own */
#define mcpw_has_defaults counted_has_defaults
#include "../../runtime/session/support/defaults.c"

enum { MANY = 2000, PART_ROOM = 128, MOST_TIMES = 20 /* that a byte is read */ };

/* A text of `begin`, of `part` with each number in turn, and of `end`. The caller frees it. */
static char *text_of(const char *begin, const char *part, const char *end) {
    char *const text = malloc(strlen(begin) + (size_t)MANY * PART_ROOM + strlen(end) + 1);
    size_t len = strlen(begin);
    if (text == NULL) {
        abort();
    }
    memcpy(text, begin, len);
    for (int i = 0; i < MANY; i++) {
        for (const char *at = part; *at != '\0'; at++) {
            len += (size_t)snprintf(text + len, PART_ROOM, *at == '@' ? "%04d" : "%c", *at == '@' ? i : *at);
        }
        text[len++] = ',';
    }
    memcpy(text + len - 1, end, strlen(end) + 1);
    return text;
}

/* Fills, and frees both texts. */
static void check_work(char *schema, char *value, bool is_filled) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_json out = {NULL, 0, 0};
    const size_t given = strlen(schema) + strlen(value);
    bytes_read = 0;
    CHECK(mcpw_fill_defaults(mcpw_json_from(schema), mcpw_json_from(value), &arena, &out) == MCPW_OK);
    CHECK((out.ptr != value) == is_filled);
    CHECK(bytes_read > 0 && bytes_read < MOST_TIMES * given);
    mcpw_arena_free(&arena);
    free(schema);
    free(value);
}

static char *copy_of(const char *text) {
    char *const copy = malloc(strlen(text) + 1);
    return copy != NULL ? memcpy(copy, text, strlen(text) + 1) : NULL;
}

static void a_name_is_not_looked_for_in_the_text_of_other_schemas(void) {
    check_work(
        text_of("{\"allOf\":[{\"properties\":{", "\"p@\":{\"default\":\"x\"}", "}}],\"properties\":{}}"),
        copy_of("{}"), true);
    check_work(text_of("{\"allOf\":[{\"properties\":{", "\"p@\":{\"default\":\"x\"}",
                       "}},{\"properties\":{\"q\":{\"default\":1}}}],\"properties\":{}}"),
               text_of("{", "\"q@\":1", "}"), true);
}

static void a_default_is_not_looked_for_in_the_text_of_the_value(void) {
    check_work(text_of("{\"properties\":{", "\"p@\":{\"default\":\"x\"}", "}}"),
               text_of("{", "\"p@\":1", "}"), false);
}

static void members_are_not_looked_for_in_the_text_of_the_schema(void) {
    check_work(text_of("{\"properties\":{", "\"p@\":{\"properties\":{\"a\":{\"default\":1}}}", "}}"),
               text_of("{", "\"p@\":{}", "}"), true);
    check_work(text_of("{\"properties\":{", "\"p@\":{\"default\":1}", "}}"), text_of("{", "\"q@\":{}", "}"),
               true);
}

static void references_are_not_looked_for_in_the_text_of_the_schema(void) {
    check_work(text_of("{\"properties\":{", "\"p@\":{\"$ref\":\"#/$defs/a\"}",
                       "},\"$defs\":{\"a\":{\"properties\":{\"b\":{\"default\":1}}}}}"),
               text_of("{", "\"p@\":{}", "}"), true);
}

static void a_schema_is_not_read_again_for_each_item(void) {
    check_work(text_of("{\"items\":{\"allOf\":[", "1@", "],\"properties\":{\"a\":{}}},\"default\":0}"),
               text_of("[", "{\"a\":{}}", "]"), false);
    check_work(text_of("{\"items\":{\"properties\":{", "\"p@\":{}", ",\"a\":{\"default\":1}}}}"),
               text_of("[", "{}", "]"), true);
}

static void filling_ends_where_the_result_is_longer_than_the_arena(void) {
    enum { LIMIT = 1 << 14, ITEM = 40 };
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_json out = {NULL, 0, 0};
    char *const value = text_of("[", "{}", "]");
    arena.limit = LIMIT;
    bytes_filled = 0;
    CHECK(mcpw_fill_defaults(mcpw_json_from("{\"items\":{\"properties\":{\"a\":{\"default\":"
                                            "\"a text of forty bytes, or some more of it\"}}}}"),
                             mcpw_json_from(value), &arena, &out) == MCPW_E_ARENA);
    CHECK(bytes_filled > 0 && bytes_filled < LIMIT && (size_t)MANY * ITEM > 2 * LIMIT);
    mcpw_arena_free(&arena);
    free(value);
}

int main(void) {
    RUN(a_name_is_not_looked_for_in_the_text_of_other_schemas);
    RUN(a_default_is_not_looked_for_in_the_text_of_the_value);
    RUN(members_are_not_looked_for_in_the_text_of_the_schema);
    RUN(references_are_not_looked_for_in_the_text_of_the_schema);
    RUN(a_schema_is_not_read_again_for_each_item);
    RUN(filling_ends_where_the_result_is_longer_than_the_arena);
    return check_end();
}
