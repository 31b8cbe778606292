/* SPDX-License-Identifier: MIT */
/* Values of which a schema demands more than C types say: tests/demanded has two such schemas. */
#include <mcp/1000-01-01.h>
#include <mcp/1000-01-02.h>

#include "counting_allocator.h"
#include "projecting.h"

/* The verdict on a text for a type: OK, or the code with the place that it is about. */
static mcpw_status decode(const mcpw_type *type, const char *text, mcpw_error *error) {
    unsigned char value[sizeof(mcp_10000101_entry)];
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_status status = mcpw_decode(type, text, strlen(text), &arena, value, NULL, error);
    CHECK(mcpw_validate(type, text, strlen(text), &arena, NULL, NULL) == status);
    mcpw_arena_free(&arena);
    return status;
}

static void accepts(const mcpw_type *type, const char *text) {
    mcpw_error error;
    if (!check_that(decode(type, text, &error) == MCPW_OK, __FILE__, __LINE__, text)) {
        (void)fprintf(stderr, "  %s: %s\n", error.path, error.message);
    }
}

static void refuses(const mcpw_type *type, const char *text, mcpw_status status, const char *path) {
    mcpw_error error = {0};
    CHECK(decode(type, text, &error) == status);
    CHECK(error.code == status);
    CHECK_STRING(error.path, path);
}

/* Writes a value; what the text must be, or the code. */
static void writes(const mcpw_type *type, const void *value, unsigned flags, mcpw_status status,
                   const char *text) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_error error = {0};
    options.flags = flags;
    CHECK(mcpw_encode(type, value, &out, &options, &error) == status);
    CHECK(error.code == status);
    CHECK_STRING(status == MCPW_OK ? "" : error.path, status == MCPW_OK ? "" : text);
    CHECK_TEXT(out.data != NULL ? out.data : "", out.len, status == MCPW_OK ? text : "");
    CHECK(mcpw_encode(type, value, &out, &options, NULL) == status);
    mcpw_buffer_free(&out);
}

static void one_of_two_members_is_demanded_of_a_struct(void) {
    accepts(&mcp_10000101_contact_table, "{\"mail\":\"a@b\"}");
    accepts(&mcp_10000101_contact_table, "{\"phone\":\"1\",\"more\":2}");
    refuses(&mcp_10000101_contact_table, "{}", MCPW_E_UNION, "");
    refuses(&mcp_10000101_contact_table, "{\"mail\":\"a@b\",\"phone\":\"1\"}", MCPW_E_UNION, "");
}

static void the_place_is_told_from_the_outermost_value_on(void) {
    refuses(&mcp_10000101_entry_table, "{\"contact\":{\"mail\":\"a\",\"phone\":\"1\"}}", MCPW_E_UNION,
            "/contact");
    refuses(&mcp_10000101_entry_table, "{\"contact\":{\"mail\":\"a\"},\"marks\":[1,\"x\"]}", MCPW_E_VALUE,
            "/marks/1");
}

static void what_is_no_json_is_told_before_what_is_demanded(void) {
    refuses(&mcp_10000101_entry_table, "{\"contact\":{\"mail\":", MCPW_E_SYNTAX, "/contact");
    refuses(&mcp_10000101_contact_table, "{\"mail\":1}", MCPW_E_TYPE, "/mail");
}

static void the_limits_of_a_text_hold_for_what_is_demanded_too(void) {
    static const char text[] = "{\"contact\":{\"mail\":\"a\",\"phone\":\"1\"}}";
    static const char many[] = "{\"contact\":{\"mail\":\"a\",\"b\":1,\"c\":2}}";
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcp_10000101_entry value;
    mcpw_error error;
    options.max_elements = 1;
    CHECK(mcp_10000101_entry_decode(many, sizeof many - 1, &arena, &value, &options, &error) ==
          MCPW_E_ELEMENTS);
    options.max_elements = 2;
    CHECK(mcp_10000101_entry_decode(many, sizeof many - 1, &arena, &value, &options, &error) == MCPW_OK);
    options.max_elements = 0;
    options.max_depth = 1;
    CHECK(mcp_10000101_entry_decode(text, sizeof text - 1, &arena, &value, &options, &error) == MCPW_E_DEPTH);
    mcpw_arena_free(&arena);
}

static void what_is_written_meets_what_is_demanded(void) {
    mcp_10000101_entry entry = {.contact.mail = MCPW_STR("a"), .level = MCP_10000101_LEVEL_HIGH};
    writes(&mcp_10000101_entry_table, &entry, 0, MCPW_OK,
           "{\"contact\":{\"mail\":\"a\"},\"level\":\"high\"}");
    entry.contact.phone = (mcpw_str)MCPW_STR("1");
    writes(&mcp_10000101_entry_table, &entry, 0, MCPW_E_UNION, "/contact");
    entry.contact.mail = (mcpw_str){NULL, 0};
    const mcpw_json marks[] = {MCPW_JSON("1"), MCPW_JSON("\"x\"")};
    entry.marks = (mcp_10000101_json_list){marks, 1};
    writes(&mcp_10000101_entry_table, &entry, 0, MCPW_OK,
           "{\"contact\":{\"phone\":\"1\"},\"level\":\"high\",\"marks\":[1]}");
    entry.marks.count = 2;
    writes(&mcp_10000101_entry_table, &entry, 0, MCPW_E_VALUE, "/marks/1");
}

static void a_value_without_a_name_in_c_meets_what_is_demanded_too(void) {
    static const char text[] = "{\"contact\":{\"mail\":\"a\"},\"level\":\"odd\"}";
    const mcpw_member middle = {MCPW_STR("level"), MCPW_JSON("\"middle\"")};
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcp_10000101_entry entry;
    mcpw_error error;
    options.flags = MCPW_ALLOW_UNKNOWN;
    CHECK(mcp_10000101_entry_decode(text, sizeof text - 1, &arena, &entry, &options, &error) == MCPW_OK);
    CHECK(entry.level == MCP_10000101_LEVEL_UNKNOWN);
    writes(&mcp_10000101_entry_table, &entry, MCPW_ALLOW_UNKNOWN, MCPW_OK, text);
    entry.extra = (mcpw_members){&middle, 1};
    writes(&mcp_10000101_entry_table, &entry, MCPW_ALLOW_UNKNOWN, MCPW_E_VALUE, "/level");
    mcpw_arena_free(&arena);
}

static void a_pattern_is_demanded(void) {
    const mcp_10000101_code good = MCPW_STR("xyz");
    const mcp_10000101_code bad = MCPW_STR("xxx");
    accepts(&mcp_10000101_code_table, "\"xyz\"");
    refuses(&mcp_10000101_code_table, "\"xxx\"", MCPW_E_VALUE, "");
    writes(&mcp_10000101_code_table, &good, 0, MCPW_OK, "\"xyz\"");
    writes(&mcp_10000101_code_table, &bad, 0, MCPW_E_VALUE, "");
}

static void a_value_of_another_revision_meets_what_is_demanded_there(void) {
    mcp_10000101_entry entry = {.contact.phone = MCPW_STR("1234567")};
    mcp_10000102_entry out;
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_project_options options = MCPW_PROJECT_INIT;
    mcpw_error error;
    const mcpw_type *const from = &mcp_10000101_entry_table;
    const mcpw_type *const to = &mcp_10000102_entry_table;
    CHECK(mcpw_project(from, &entry, to, &arena, &out, &options, &error) == MCPW_OK);
    CHECK_STRING(out.contact.phone.ptr, "1234567");
    entry.contact.phone = (mcpw_str)MCPW_STR("12345678");
    CHECK(mcpw_project(from, &entry, to, &arena, &out, &options, &error) == MCPW_E_PROJECTION);
    CHECK_STRING(error.path, "/contact");
    CHECK(out.contact.phone.ptr == NULL);
    mcpw_arena_free(&arena);
}

static void an_alternative_whose_tag_stands_last_is_found(void) {
    accepts(&mcp_10000101_way_table, "\"me\"");
    accepts(&mcp_10000101_way_table, "{\"number\":\"1\",\"kind\":\"phone\"}");
    accepts(&mcp_10000101_way_table, "{\"address\":\"a\",\"kind\":\"mail\"}");
    refuses(&mcp_10000101_way_table, "{\"number\":\"1\",\"kind\":\"mail\"}", MCPW_E_MISSING, "");
    refuses(&mcp_10000101_way_table, "{\"number\":\"1\"}", MCPW_E_UNION, "");
    refuses(&mcp_10000101_way_table, "{\"address\":\"a\",\"kind\":\"mail\",\"fax\":1}", MCPW_E_VALUE, "");
}

static void an_optional_alternative_that_lacks_what_is_demanded_is_dropped(void) {
    mcp_10000101_entry entry = {.contact.phone = MCPW_STR("1")};
    mcpw_project_options options = MCPW_PROJECT_INIT;
    outcome told = {0};
    mcp_10000101_way way = {.kind = MCP_10000101_WAY_PHONE_WAY};
    mcp_10000102_entry out;
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error;
    const mcpw_type *const from = &mcp_10000101_entry_table;
    const mcpw_type *const to = &mcp_10000102_entry_table;
    way.as.phone_way.number = (mcpw_str)MCPW_STR("1234567");
    entry.way = way;
    CHECK(mcpw_project(from, &entry, to, &arena, &out, NULL, &error) == MCPW_OK);
    CHECK_STRING(out.way.as.phone_way.number.ptr, "1234567");
    entry.way.as.phone_way.number = (mcpw_str)MCPW_STR("12345678");
    options.on_drop = tell;
    options.user = &told;
    CHECK(mcpw_project(from, &entry, to, &arena, &out, &options, &error) == MCPW_OK);
    CHECK(out.way.kind == 0);
    CHECK_STRING(told.told, "/way ");
    mcpw_arena_free(&arena);
}

static void where_no_alternative_fits_the_union_is_what_has_no_counterpart(void) {
    mcp_10000101_size size = {.kind = MCP_10000101_SIZE_WIDE};
    mcp_10000102_size out;
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error;
    const mcpw_type *const from = &mcp_10000101_size_table;
    const mcpw_type *const to = &mcp_10000102_size_table;
    size.as.wide.width = 9;
    CHECK(mcpw_project(from, &size, to, &arena, &out, NULL, &error) == MCPW_OK && out.as.wide.width == 9);
    size.as.wide.width = 10;
    CHECK(mcpw_project(from, &size, to, &arena, &out, NULL, &error) == MCPW_E_PROJECTION);
    CHECK_STRING(error.path, "");
    mcpw_arena_free(&arena);
}

/* Decodes, encodes and projects; the first failure. */
static mcpw_status go_through(mcpw_allocator allocator) {
    static const char text[] = "{\"contact\":{\"phone\":\"123\"},\"level\":\"low\",\"marks\":[1,{}]}";
    static const mcp_10000101_code code = MCPW_STR("xyz");
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_project_options options = MCPW_PROJECT_INIT;
    mcp_10000101_entry entry;
    mcp_10000102_entry newer;
    arena.allocator = allocator;
    out.allocator = allocator;
    mcpw_status status = mcp_10000101_entry_decode(text, sizeof text - 1, &arena, &entry, NULL, NULL);
    status = status == MCPW_OK ? mcp_10000101_entry_encode(&entry, &out, NULL, NULL) : status;
    status = status == MCPW_OK ? mcp_10000101_code_encode(&code, &out, NULL, NULL) : status;
    status = status == MCPW_OK ? mcpw_project(&mcp_10000101_entry_table, &entry, &mcp_10000102_entry_table,
                                              &arena, &newer, &options, NULL)
                               : status;
    mcpw_buffer_free(&out);
    mcpw_arena_free(&arena);
    return status;
}

static void without_memory_there_is_an_error_and_no_leak(void) {
    counting memory = {0};
    mcpw_status status = MCPW_E_MEMORY;
    for (size_t fails = 1; status != MCPW_OK && fails < COUNTING_LARGE; fails++) {
        memory = (counting){.fail_at = fails};
        status = go_through(counting_allocator(&memory));
        CHECK(status == MCPW_OK || status == MCPW_E_MEMORY);
        CHECK(memory.in_use == 0);
    }
    CHECK(status == MCPW_OK);
}

int main(void) {
    RUN(one_of_two_members_is_demanded_of_a_struct);
    RUN(the_place_is_told_from_the_outermost_value_on);
    RUN(what_is_no_json_is_told_before_what_is_demanded);
    RUN(the_limits_of_a_text_hold_for_what_is_demanded_too);
    RUN(what_is_written_meets_what_is_demanded);
    RUN(a_value_without_a_name_in_c_meets_what_is_demanded_too);
    RUN(a_pattern_is_demanded);
    RUN(a_value_of_another_revision_meets_what_is_demanded_there);
    RUN(an_alternative_whose_tag_stands_last_is_found);
    RUN(an_optional_alternative_that_lacks_what_is_demanded_is_dropped);
    RUN(where_no_alternative_fits_the_union_is_what_has_no_counterpart);
    RUN(without_memory_there_is_an_error_and_no_leak);
    return check_end();
}
