/* SPDX-License-Identifier: MIT */
/* Defaults of a JSON Schema, put in where a value lacks them. */
#include "support/defaults.h"

#include <mcpw/json.h>

#include "check.h"

static void check_fill(const char *schema, const char *value, const char *want) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_json out = {NULL, 0, 0};
    CHECK(mcpw_fill_defaults(mcpw_json_from(schema), mcpw_json_from(value), &arena, &out) == MCPW_OK);
    CHECK_TEXT(out.ptr, out.len, want);
    mcpw_arena_free(&arena);
}

static void what_is_missing_is_put_in_and_nothing_else(void) {
    const char *const schema =
        "{\"properties\":{\"a\":{\"default\":1},\"b\":{\"default\":{\"c\":[]}},\"d\":{}}}";
    check_fill(schema, "{}", "{\"a\":1,\"b\":{\"c\":[]}}");
    check_fill(schema, "{\"a\":null,\"x\":0}", "{\"a\":null,\"x\":0,\"b\":{\"c\":[]}}");
    check_fill(schema, "{\"a\":\"\\u00e9\" , \"b\":2}", "{\"a\":\"\\u00e9\" , \"b\":2}"); /* as it was */
    check_fill(schema, "[{}]", "[{}]");
    check_fill("true", "{}", "{}");
}

static void what_holds_for_items_and_members_below_counts(void) {
    const char *const schema = "{\"properties\":{\"l\":{\"items\":{\"properties\":{\"a\":{\"default\":1}}}},"
                               "\"k\\u0065y\":{\"properties\":{\"b\":{\"default\":2}}}}}";
    check_fill(schema, "{\"l\":[{},{\"a\":0},3],\"key\":{}}",
               "{\"l\":[{\"a\":1},{\"a\":0},3],\"key\":{\"b\":2}}");
}

static void references_and_all_of_are_followed(void) {
    const char *const schema =
        "{\"$defs\":{\"a/"
        "b\":{\"properties\":{\"x\":{\"default\":1}}},\"l\":[{\"properties\":{\"z\":{\"default\":3}}}]},"
        "\"$ref\":\"#/$defs/a~1b\",\"allOf\":[{\"properties\":{\"x\":{\"default\":9},\"y\":{\"default\":2}}},"
        "{\"$ref\":\"#/$defs/l/0\"},{\"$ref\":\"#/none\"},{\"$ref\":\"https://example.com\"}]}";
    check_fill(schema, "{}", "{\"x\":1,\"y\":2,\"z\":3}");
}

static void the_first_of_several_defaults_of_a_name_counts(void) {
    check_fill("{\"properties\":{\"a\":{\"default\":1},\"b\":{},\"\\u0061\":{\"default\":2},\"b\":{"
               "\"default\":3}},\"allOf\":[{\"properties\":{\"b\":{\"default\":4},\"a\":{\"default\":5}}}]}",
               "{}", "{\"a\":1,\"b\":4}");
}

static void defaults_are_filled_in_by_the_order_of_the_schema_however_many_there_are(void) {
    const char *const schema =
        "{\"allOf\":[{\"properties\":{\"h\":{\"default\":8},\"gg\":{\"default\":7},\"f\":{\"default\":6},"
        "\"e\":{\"default\":5},\"e\":{\"default\":0},\"dd\":{\"default\":4},\"c\":{\"default\":3},"
        "\"b\":{\"default\":2},\"\\u0061\":{\"default\":1},\"\":{\"default\":9},\"i\":{}}}],"
        "\"properties\":{\"f\":{\"default\":[]}}}";
    check_fill(schema, "{}",
               "{\"f\":[],\"h\":8,\"gg\":7,\"e\":5,\"dd\":4,\"c\":3,\"b\":2,\"\\u0061\":1,\"\":9}");
    check_fill(schema, "{\"a\":{},\"dd\":null,\"i\":0,\"z\":[{}]}",
               "{\"a\":{},\"dd\":null,\"i\":0,\"z\":[{}],\"f\":[],\"h\":8,\"gg\":7,\"e\":5,\"c\":3,\"b\":2,"
               "\"\":9}");
}

static void a_schema_below_itself_fills_each_object_by_itself(void) {
    check_fill("{\"properties\":{\"a\":{\"$ref\":\"#\"},\"n\":{\"default\":0}}}",
               "{\"n\":1,\"a\":{\"a\":{\"n\":2}}}", "{\"n\":1,\"a\":{\"a\":{\"n\":2},\"n\":0}}");
}

static void arrays_where_objects_belong_have_no_members(void) {
    check_fill("{\"properties\":[{\"default\":1}],\"allOf\":[1,[],{\"properties\":{\"a\":[{\"default\":1}]}},"
               "{\"$ref\":\"#/allOf/2/properties/b\"},{\"$ref\":\"#/allOf/x\"}]}",
               "{\"\":1}", "{\"\":1}");
}

/* A keyword that may hold or not has no effect on a default. */
static void alternatives_are_left_alone(void) {
    check_fill("{\"anyOf\":[{\"properties\":{\"a\":{\"default\":1}}}],\"not\":{\"properties\":{\"b\":{"
               "\"default\":1}}}}",
               "{}", "{}");
}

static void a_schema_that_refers_to_itself_ends(void) {
    check_fill("{\"$ref\":\"#\",\"properties\":{\"a\":{\"$ref\":\"#\"},\"n\":{\"default\":0}}}",
               "{\"a\":{\"a\":{}}}", "{\"a\":{\"a\":{\"n\":0},\"n\":0},\"n\":0}");
}

static void whether_there_are_defaults_is_seen_at_a_glance(void) {
    CHECK(mcpw_has_defaults(mcpw_json_from("{\"default\":1}")));
    CHECK(!mcpw_has_defaults(mcpw_json_from("{\"defaul\":1}")));
    CHECK(!mcpw_has_defaults(mcpw_json_from("{}")));
    CHECK(!mcpw_has_defaults(mcpw_json_from(NULL)));
}

int main(void) {
    RUN(what_is_missing_is_put_in_and_nothing_else);
    RUN(what_holds_for_items_and_members_below_counts);
    RUN(references_and_all_of_are_followed);
    RUN(the_first_of_several_defaults_of_a_name_counts);
    RUN(defaults_are_filled_in_by_the_order_of_the_schema_however_many_there_are);
    RUN(a_schema_below_itself_fills_each_object_by_itself);
    RUN(arrays_where_objects_belong_have_no_members);
    RUN(alternatives_are_left_alone);
    RUN(a_schema_that_refers_to_itself_ends);
    RUN(whether_there_are_defaults_is_seen_at_a_glance);
    return check_end();
}
