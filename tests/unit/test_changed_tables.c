/* SPDX-License-Identifier: MIT */
/* Rules that tables can express and no revision has yet: bounds on every kind, exclusive bounds, formats,
 * objects that are closed or whose other members have a type, unions behind a pointer. Every operation minds
 * them. */
#include <mcp/2025-11-25.h>
#include <mcpw/project.h>

#include "changed_tables.h"

enum { VALUE_SIZE = 1024 };

static changed c;
static mcpw_arena arena = MCPW_ARENA_INIT;
static _Alignas(max_align_t) unsigned char value[VALUE_SIZE];

static const mcpw_type *const sampling = &mcp_20251125_create_message_request_params_table;

#define MESSAGE(members) "{\"messages\":[]," members "\"maxTokens\":2}"

static mcpw_status decode(const char *text, unsigned flags, mcpw_error *error) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = flags;
    mcpw_arena_reset(&arena);
    const mcpw_status status = mcpw_decode(&c.type, text, strlen(text), &arena, value, &options, error);
    CHECK(mcpw_validate(&c.type, text, strlen(text), &arena, &options, NULL) == status);
    return status;
}

/* The text is read, and written again as it is. */
static void check_taken(const char *text) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_error error = {0};
    CHECK(decode(text, 0, &error) == MCPW_OK);
    CHECK_STRING(error.message, "");
    CHECK(mcpw_encode(&c.type, value, &out, NULL, &error) == MCPW_OK);
    CHECK_TEXT(out.data, out.len, text);
    mcpw_buffer_free(&out);
}

/* Decoding refuses the text; encoding refuses the value that tables without bounds make of it. */
static void check_refused(const char *text, mcpw_status want, const char *path, const char *part) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_error error = {0};
    CHECK(decode(text, 0, &error) == want && error.code == want);
    CHECK_STRING(error.path, path);
    CHECK(strstr(error.message, part) != NULL);
    mcpw_arena_reset(&arena);
    const mcpw_type plain = {mcpw_find_revision("2025-11-25"), c.type.name, c.type.ref, c.type.size};
    CHECK(mcpw_decode(&plain, text, strlen(text), &arena, value, NULL, NULL) == MCPW_OK);
    CHECK(mcpw_encode(&c.type, value, &out, NULL, &error) == want && error.code == want);
    CHECK_STRING(error.path, path);
    CHECK(strstr(error.message, part) != NULL);
    mcpw_buffer_free(&out);
}

static void strings_have_bounds_in_characters(void) {
    change(&c, sampling);
    type_of(&c, "systemPrompt")->check = OWN_CHECK;
    check_taken(MESSAGE("\"systemPrompt\":\"ab\","));
    check_taken(MESSAGE("\"systemPrompt\":\"\xc3\xa9\xc3\xa9\xc3\xa9\","));
    check_refused(MESSAGE("\"systemPrompt\":\"\xc3\xa9\","), MCPW_E_LENGTH, "/systemPrompt", "at least");
    check_refused(MESSAGE("\"systemPrompt\":\"\\u0061bcd\","), MCPW_E_LENGTH, "/systemPrompt", "at most");
}

static void integers_have_bounds(void) {
    change(&c, sampling);
    type_of(&c, "maxTokens")->check = OWN_CHECK;
    check_taken("{\"messages\":[],\"maxTokens\":2}");
    check_taken("{\"messages\":[],\"maxTokens\":3}");
    check_refused("{\"messages\":[],\"maxTokens\":1}", MCPW_E_RANGE, "/maxTokens", "at least");
    check_refused("{\"messages\":[],\"maxTokens\":4}", MCPW_E_RANGE, "/maxTokens", "at most");
}

static void bounds_may_exclude_their_ends(void) {
    change(&c, sampling);
    type_of(&c, "maxTokens")->check = OWN_CHECK;
    set_bounds(&c, 1, 3);
    c.checks[OWN_CHECK].flags |= MCPW_CHECK_ABOVE_MIN | MCPW_CHECK_BELOW_MAX;
    check_taken("{\"messages\":[],\"maxTokens\":2}");
    check_refused("{\"messages\":[],\"maxTokens\":1}", MCPW_E_RANGE, "/maxTokens", "more than");
    check_refused("{\"messages\":[],\"maxTokens\":3}", MCPW_E_RANGE, "/maxTokens", "less than");
}

static void one_bound_may_stand_alone(void) {
    change(&c, sampling);
    type_of(&c, "maxTokens")->check = OWN_CHECK;
    c.checks[OWN_CHECK].flags = MCPW_CHECK_MIN;
    check_taken("{\"messages\":[],\"maxTokens\":9223372036854775807}");
    check_refused("{\"messages\":[],\"maxTokens\":1}", MCPW_E_RANGE, "/maxTokens", "at least");
    c.checks[OWN_CHECK].flags = MCPW_CHECK_MAX;
    check_taken("{\"messages\":[],\"maxTokens\":-9223372036854775808}");
    check_refused("{\"messages\":[],\"maxTokens\":4}", MCPW_E_RANGE, "/maxTokens", "at most");
}

static void integers_may_have_to_be_multiples(void) {
    change(&c, sampling);
    type_of(&c, "maxTokens")->check = OWN_CHECK;
    set_factor(&c, 7);
    check_taken("{\"messages\":[],\"maxTokens\":0}");
    check_taken("{\"messages\":[],\"maxTokens\":21}");
    check_taken("{\"messages\":[],\"maxTokens\":-7}");
    check_refused("{\"messages\":[],\"maxTokens\":20}", MCPW_E_RANGE, "/maxTokens",
                  "expected a multiple of 7");
    check_refused("{\"messages\":[],\"maxTokens\":-9223372036854775808}", MCPW_E_RANGE, "/maxTokens",
                  "expected a multiple of 7");
}

static void multiples_may_have_bounds(void) {
    change(&c, sampling);
    type_of(&c, "maxTokens")->check = OWN_CHECK;
    set_bounds(&c, 2, 6);
    set_factor(&c, 4);
    c.checks[OWN_CHECK].flags |= MCPW_CHECK_MIN | MCPW_CHECK_MAX;
    check_taken("{\"messages\":[],\"maxTokens\":4}");
    check_refused("{\"messages\":[],\"maxTokens\":5}", MCPW_E_RANGE, "/maxTokens", "and a multiple of 4");
    check_refused("{\"messages\":[],\"maxTokens\":8}", MCPW_E_RANGE, "/maxTokens", "at most");
}

/* The bounds of priority, 0 and 1, which the schema has as decimals too. */
static mcpw_check *priority_check(void) {
    const mcpw_type *const type = &mcp_20251125_annotations_table;
    change(&c, type);
    const mcpw_struct *const s = type->revision->structs + type->ref.index;
    unsigned number = 0;
    while (!mcpw_str_is(
        mcpw_row_name(type->revision, type->revision->pool, type->revision->rows + s->first + number),
        "priority")) {
        number++;
    }
    const uint8_t check = mcpw_row_value(type->revision, type->revision->rows + s->first + number).check;
    type_of(&c, "priority")->check = check;
    return c.checks + check;
}

static void numbers_have_bounds_with_or_without_their_ends(void) {
    mcpw_check *const check = priority_check();
    check_taken("{\"priority\":0}");
    check_taken("{\"priority\":1}");
    check->flags |= MCPW_CHECK_ABOVE_MIN | MCPW_CHECK_BELOW_MAX;
    check_taken("{\"priority\":0.5}");
    check_refused("{\"priority\":0}", MCPW_E_RANGE, "/priority", "more than 0");
    check_refused("{\"priority\":1}", MCPW_E_RANGE, "/priority", "less than 1");
    check->flags = MCPW_CHECK_MIN;
    check_taken("{\"priority\":1e300}");
    check->flags = MCPW_CHECK_MAX;
    check_taken("{\"priority\":-1e300}");
}

static void lists_have_bounds(void) {
    change(&c, sampling);
    type_of(&c, "stopSequences")->check = OWN_CHECK;
    check_taken("{\"messages\":[],\"maxTokens\":2,\"stopSequences\":[\"a\",\"b\"]}");
    check_refused("{\"messages\":[],\"maxTokens\":2,\"stopSequences\":[\"a\"]}", MCPW_E_LENGTH,
                  "/stopSequences", "at least");
    check_refused("{\"messages\":[],\"maxTokens\":2,\"stopSequences\":[\"a\",\"b\",\"c\",\"d\"]}",
                  MCPW_E_LENGTH, "/stopSequences", "at most");
}

static void maps_have_bounds(void) {
    change(&c, &mcp_20251125_get_prompt_request_params_table);
    type_of(&c, "arguments")->check = OWN_CHECK;
    check_taken("{\"name\":\"n\",\"arguments\":{\"a\":\"1\",\"b\":\"2\"}}");
    check_refused("{\"name\":\"n\",\"arguments\":{\"a\":\"1\"}}", MCPW_E_LENGTH, "/arguments", "at least");
}

/* ---- formats ---- */

static void check_formats(mcpw_format format, const char *const *good, const char *const *bad) {
    change(&c, sampling);
    type_of(&c, "systemPrompt")->check = OWN_CHECK;
    memset(c.checks + OWN_CHECK, 0, sizeof *c.checks);
    c.checks[OWN_CHECK].format = (uint8_t)format;
    for (int k = 0; k < 2; k++) {
        for (const char *const *text = k == 0 ? good : bad; *text != NULL; text++) {
            char message[VALUE_SIZE];
            mcpw_error error = {0};
            (void)snprintf(message, sizeof message, MESSAGE("\"systemPrompt\":\"%s\","), *text);
            const mcpw_status status = decode(message, MCPW_STRICT, &error);
            if (!check_that(status == (k == 0 ? MCPW_OK : MCPW_E_FORMAT), __FILE__, __LINE__, "format")) {
                (void)fprintf(stderr, "  %s: %s\n", *text, error.message);
            }
            CHECK(decode(message, 0, &error) == MCPW_OK); /* strict alone */
        }
    }
}

static void dates_are_known(void) {
    static const char *const good[] = {"2025-01-31", "0000-12-01", NULL};
    static const char *const bad[] = {"",           "2025-01-3",  "2025-01-311", "2025-13-01",
                                      "2025-00-01", "2025-01-32", "2025-01-00",  "2025/01-01",
                                      "2025-01/01", "x025-01-01", "2025-x1-01",  "2025-01-0\xc3\xa9",
                                      NULL};
    check_formats(MCPW_FORMAT_DATE, good, bad);
}

static void mail_addresses_are_known(void) {
    static const char *const good[] = {"a@b", "a.b+c@d.example", NULL};
    static const char *const bad[] = {"", "a", "@b", "a@", "@", "a b@c", NULL};
    check_formats(MCPW_FORMAT_EMAIL, good, bad);
}

static void a_format_that_is_not_known_demands_nothing(void) {
    static const char *const good[] = {"", "anything at all", NULL};
    static const char *const bad[] = {NULL};
    check_formats((mcpw_format)99, good, bad);
}

/* ---- other members ---- */

static mcpw_status encode_with(const mcpw_member *member, mcpw_error *error) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcp_20251125_prompt_message message = {0};
    message.role = MCP_20251125_ROLE_USER;
    message.content.kind = MCP_20251125_CONTENT_BLOCK_TEXT_CONTENT;
    message.content.as.text_content.text = mcpw_str_from("t");
    message.extra.items = member;
    message.extra.count = 1;
    const mcpw_status status = mcpw_encode(&c.type, &message, &out, NULL, error);
    mcpw_buffer_free(&out);
    return status;
}

#define PROMPT(more) "{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"t\"}" more "}"

static void a_closed_object_takes_no_other_member(void) {
    static const mcpw_member other = {MCPW_STR("x"), MCPW_JSON("1")};
    mcpw_error error = {0};
    change(&c, &mcp_20251125_prompt_message_table);
    type_of_extra(&c)->kind = MCPW_KIND_END;
    check_taken(PROMPT(""));
    CHECK(decode(PROMPT(",\"x\":1"), 0, &error) == MCPW_E_UNEXPECTED);
    CHECK_STRING(error.path, "/x");
    CHECK(encode_with(&other, &error) == MCPW_E_UNEXPECTED);
    CHECK_STRING(error.path, "/x");
    CHECK_STRING(error.message, "member is not allowed here");
}

static void other_members_may_have_a_type(void) {
    static const mcpw_member good = {MCPW_STR("x"), MCPW_JSON("1")};
    static const mcpw_member bad = {MCPW_STR("x"), MCPW_JSON("\"1\"")};
    mcpw_error error = {0};
    change(&c, &mcp_20251125_prompt_message_table);
    type_of_extra(&c)->kind = MCPW_KIND_INTEGER;
    check_taken(PROMPT(",\"x\":1"));
    CHECK(decode(PROMPT(",\"x\":\"1\""), 0, &error) == MCPW_E_TYPE);
    CHECK_STRING(error.path, "/x");
    CHECK(encode_with(&good, &error) == MCPW_OK);
    CHECK(encode_with(&bad, &error) == MCPW_E_TYPE);
    CHECK_STRING(error.path, "/x");
}

typedef struct told {
    char path[MCPW_ERROR_PATH_SIZE];
    int count;
} told;

static void tell(void *user, const char *path) {
    told *const t = user;
    t->count++;
    (void)snprintf(t->path, sizeof t->path, "%s", path);
}

/* A message with one other member, from the plain revision. */
static mcpw_status project_with(mcpw_member member, told *t, mcpw_error *error) {
    const mcpw_type *const plain = &mcp_20251125_prompt_message_table;
    mcpw_project_options options = MCPW_PROJECT_INIT;
    mcp_20251125_prompt_message message = {0};
    message.role = MCP_20251125_ROLE_USER;
    message.content.kind = MCP_20251125_CONTENT_BLOCK_TEXT_CONTENT;
    message.content.as.text_content.text = mcpw_str_from("t");
    message.extra.items = &member;
    message.extra.count = 1;
    memset(t, 0, sizeof *t);
    options.on_drop = tell;
    options.user = t;
    mcpw_arena_reset(&arena);
    return mcpw_project(plain, &message, &c.type, &arena, value, &options, error);
}

static void projection_drops_what_a_closed_object_does_not_take(void) {
    const mcp_20251125_prompt_message *const out = (const mcp_20251125_prompt_message *)(const void *)value;
    told t;
    mcpw_error error = {0};
    change(&c, &mcp_20251125_prompt_message_table);
    type_of_extra(&c)->kind = MCPW_KIND_END;
    CHECK(project_with((mcpw_member){MCPW_STR("x"), MCPW_JSON("1")}, &t, &error) == MCPW_OK);
    CHECK(out->extra.count == 0 && t.count == 1);
    CHECK_STRING(t.path, "/x");
}

static void projection_keeps_other_members_that_fit(void) {
    const mcp_20251125_prompt_message *const out = (const mcp_20251125_prompt_message *)(const void *)value;
    told t;
    mcpw_error error = {0};
    change(&c, &mcp_20251125_prompt_message_table);
    type_of_extra(&c)->kind = MCPW_KIND_INTEGER;
    CHECK(project_with((mcpw_member){MCPW_STR("x"), MCPW_JSON("1")}, &t, &error) == MCPW_OK);
    CHECK(out->extra.count == 1 && t.count == 0);
    CHECK(project_with((mcpw_member){MCPW_STR("x"), MCPW_JSON("\"1\"")}, &t, &error) == MCPW_OK);
    CHECK(out->extra.count == 0 && t.count == 1);
    CHECK_STRING(t.path, "/x");
    CHECK(project_with((mcpw_member){MCPW_STR("x"), {NULL, 0, 0}}, &t, &error) == MCPW_E_ARGUMENT);
    CHECK(project_with((mcpw_member){MCPW_STR("x"), MCPW_JSON("\"1")}, &t, &error) == MCPW_E_SYNTAX);
}

/* ---- a union behind a pointer ---- */

static void a_union_may_stand_behind_a_pointer(void) {
    static const char text[] = PROMPT("");
    _Alignas(max_align_t) unsigned char copy[VALUE_SIZE];
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_error error = {0};
    change(&c, &mcp_20251125_prompt_message_table);
    type_of(&c, "content")->kind = MCPW_KIND_UNION_PTR;
    check_taken(text);
    CHECK(mcpw_copy(&c.type, value, &arena, copy, &error) == MCPW_OK);
    CHECK(mcpw_equal(&c.type, value, copy));
    CHECK(decode(PROMPT(",\"x\":1"), 0, &error) == MCPW_OK);
    CHECK(!mcpw_equal(&c.type, value, copy));
    CHECK(decode("{\"role\":\"user\",\"content\":5}", 0, &error) == MCPW_E_UNION);
    CHECK_STRING(error.path, "/content");
    memset(value, 0, sizeof value);
    *(mcp_20251125_role *)(void *)value = MCP_20251125_ROLE_USER;
    CHECK(mcpw_encode(&c.type, value, &out, NULL, &error) == MCPW_E_MISSING);
    mcpw_buffer_free(&out);
}

static void projection_follows_unions_behind_pointers(void) {
    const mcpw_type *const plain = &mcp_20251125_prompt_message_table;
    _Alignas(max_align_t) unsigned char there[VALUE_SIZE];
    _Alignas(max_align_t) unsigned char back[VALUE_SIZE];
    mcpw_error error = {0};
    static const char text[] = PROMPT("");
    change(&c, plain);
    type_of(&c, "content")->kind = MCPW_KIND_UNION_PTR;
    mcpw_arena_reset(&arena);
    CHECK(mcpw_decode(plain, text, strlen(text), &arena, value, NULL, &error) == MCPW_OK);
    CHECK(mcpw_project(plain, value, &c.type, &arena, there, NULL, &error) == MCPW_OK);
    CHECK(mcpw_project(&c.type, there, plain, &arena, back, NULL, &error) == MCPW_OK);
    CHECK_STRING(error.message, "");
    CHECK(mcpw_equal(plain, value, back));
}

int main(void) {
    RUN(strings_have_bounds_in_characters);
    RUN(integers_have_bounds);
    RUN(integers_may_have_to_be_multiples);
    RUN(multiples_may_have_bounds);
    RUN(bounds_may_exclude_their_ends);
    RUN(one_bound_may_stand_alone);
    RUN(numbers_have_bounds_with_or_without_their_ends);
    RUN(lists_have_bounds);
    RUN(maps_have_bounds);
    RUN(dates_are_known);
    RUN(mail_addresses_are_known);
    RUN(a_format_that_is_not_known_demands_nothing);
    RUN(a_closed_object_takes_no_other_member);
    RUN(other_members_may_have_a_type);
    RUN(projection_drops_what_a_closed_object_does_not_take);
    RUN(projection_keeps_other_members_that_fit);
    RUN(a_union_may_stand_behind_a_pointer);
    RUN(projection_follows_unions_behind_pointers);
    mcpw_arena_free(&arena);
    return check_end();
}
