/* SPDX-License-Identifier: MIT */
/* The cost of hostile schemas and values, and behaviour when memory runs out. */
#include "schema_harness.h"

#include "counting_allocator.h"

enum { TEXT_SIZE = 1 << 21 };

static char text[TEXT_SIZE];
static char value[TEXT_SIZE];

/* Appends a piece `times` times. */
static void repeat(char *to, const char *piece, size_t times) {
    const size_t len = strlen(piece);
    to += strlen(to);
    for (size_t i = 0; i < times; i++, to += len) {
        memcpy(to, piece, len);
    }
    *to = '\0';
}

static void begin(char *to, const char *piece) {
    *to = '\0';
    repeat(to, piece, 1);
}

/* ---- work ---- */

/* Each level asks twice for the next: 2^n ways. */
static void test_alternatives_that_double_at_each_level(void) {
    begin(text, "{\"$ref\":\"#/$defs/"
                "a\",\"$defs\":{\"a\":{\"anyOf\":[{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/a\"}},"
                "{\"items\":{\"$ref\":\"#/$defs/a\"},\"minItems\":1,\"type\":\"array\"}]}}}");
    begin(value, "");
    repeat(value, "[", 100);
    repeat(value, "1", 1);
    repeat(value, "]", 100);
    CHECK_REFUSED(text, value, MCPW_E_WORK);
}

static void test_schemas_that_double_at_each_definition(void) {
    begin(text, "{\"$ref\":\"#/$defs/d0\",\"$defs\":{");
    for (int i = 0; i < 60; i++) {
        char piece[128];
        (void)snprintf(piece, sizeof piece,
                       "\"d%d\":{\"allOf\":[{\"$ref\":\"#/$defs/d%d\"},{\"$ref\":\"#/$defs/d%d\"}]},", i,
                       i + 1, i + 1);
        repeat(text, piece, 1);
    }
    repeat(text, "\"d60\":{\"minimum\":0}}}", 1);
    CHECK_REFUSED(text, "1", MCPW_E_WORK);
}

static void test_a_megabyte_of_all_of(void) {
    begin(text, "{\"allOf\":[true");
    repeat(text, ",{\"minimum\":0}", 80000);
    repeat(text, "]}", 1);
    CHECK_FITS(text, "1");
    CHECK_REFUSED(text, "-1", MCPW_E_RANGE);
}

static void test_many_references_to_many_anchors(void) {
    begin(text, "{\"$defs\":{\"z\":{}");
    char piece[96];
    for (int i = 0; i < 20000; i++) {
        (void)snprintf(piece, sizeof piece, ",\"d%d\":{\"$anchor\":\"a%d\",\"type\":\"integer\"}", i, i);
        repeat(text + strlen(text), piece, 1);
    }
    repeat(text, "},\"allOf\":[true", 1);
    for (int i = 0; i < 20000; i++) {
        (void)snprintf(piece, sizeof piece, ",{\"$ref\":\"#a%d\"}", i);
        repeat(text + strlen(text), piece, 1);
    }
    repeat(text, "]}", 1);
    CHECK_FITS(text, "1");
}

/* Memory that a compilation takes at most, and what is left of it. */
typedef struct meter {
    size_t used;
    size_t most;
} meter;

static void *metered(void *user, void *ptr, size_t old_size, size_t new_size) {
    meter *const m = user;
    m->used = m->used - old_size + new_size;
    m->most = m->used > m->most ? m->used : m->most;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

/* The most memory for each byte of the text. */
static size_t memory_a_byte(mcpw_status expected) {
    meter m = {0, 0};
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    options.allocator.resize = metered;
    options.allocator.user = &m;
    CHECK(compile_status(text, &options) == expected);
    CHECK(m.used == 0);
    return m.most / strlen(text);
}

/* Appends pieces with their numbers in them. */
static void repeat_numbered(char *to, const char *before, int count, const char *behind) {
    char *at = to + strlen(to);
    for (int i = 0; i < count; i++) {
        at += snprintf(at, 128, "%s%s%d%s", i == 0 ? "" : ",", before, i, behind);
    }
}

enum { FEW_TIMES = 64 /* bytes of memory for each byte of a schema */ };

static void test_references_against_a_long_base(void) {
    begin(text, "{\"$id\":\"https://a.example/");
    repeat(text, "x", 360000);
    repeat(text, "/\",\"$defs\":{", 1);
    for (int i = 0; i < 5000; i++) {
        char piece[96];
        (void)snprintf(piece, sizeof piece, "%s\"d%d\":{\"$id\":\"a/b%d\"},\"r%d\":{\"$ref\":\"a/b%d\"}",
                       i == 0 ? "" : ",", i, i, i, i);
        repeat(text + 360000, piece, 1);
    }
    repeat(text + 360000, "}}", 1);
    CHECK(memory_a_byte(MCPW_OK) < FEW_TIMES);
}

static void test_many_definitions_and_references_to_each(void) {
    begin(text, "{\"$defs\":{");
    repeat_numbered(text, "\"d", 20000, "\":{\"type\":\"integer\"}");
    repeat(text, "},\"allOf\":[", 1);
    repeat_numbered(text, "{\"$ref\":\"#/$defs/d", 20000, "\"}");
    repeat(text, "]}", 1);
    CHECK_FITS(text, "1");
    CHECK(memory_a_byte(MCPW_OK) < FEW_TIMES);
}

static void test_references_to_items_of_a_long_list(void) {
    begin(text, "{\"prefixItems\":[true");
    repeat(text, ",{\"type\":\"integer\"}", 20000);
    repeat(text, "],\"allOf\":[", 1);
    repeat_numbered(text, "{\"$ref\":\"#/prefixItems/", 20000, "\"}");
    repeat(text, "]}", 1);
    CHECK_FITS(text, "1");
    CHECK_REFUSED(text, "[1,\"\"]", MCPW_E_TYPE);
}

static void test_an_index_finds_the_last_of_two_members(void) {
    static const char schema[] = "{\"$defs\":{\"a\":{\"type\":\"null\"},\"b\":{},\"c\":{},\"d\":{},\"e\":{},"
                                 "\"f\":{},\"g\":{},\"h\":{},\"i\":{},\"a\":{\"type\":\"string\"}},"
                                 "\"$ref\":\"#/$defs/a\"}";
    CHECK_FITS(schema, "\"\"");
    CHECK(
        compile_status("{\"$defs\":{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1},"
                       "\"$ref\":\"#/$defs/j\"}",
                       NULL) == MCPW_E_NOT_FOUND);
    CHECK_ERROR("/$ref", "reference '#/$defs/j' has no target");
}

/* A resolver whose documents lie at URIs that are far longer than the references to them. */
static mcpw_status give_anything(void *user, const char *uri, mcpw_json *document) {
    (void)user;
    (void)uri;
    *document = mcpw_json_from("true");
    return MCPW_OK;
}

static void test_texts_of_long_uris_are_paid_for(void) {
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    mcpw_schema *schema = NULL;
    options.resolve = give_anything;
    begin(text, "{\"$id\":\"https://a.example/");
    repeat(text, "x", 200000);
    repeat(text, "/\",\"allOf\":[", 1);
    repeat_numbered(text, "{\"$ref\":\"b", 1000, "\"}");
    repeat(text, "]}", 1);
    CHECK(mcpw_schema_compile(text, strlen(text), &options, &schema, &schema_error) == MCPW_E_WORK);
    CHECK_STRING(schema_error.message, "compiling the schema takes more than 16 million steps");
}

static void test_bounds_of_many_digits(void) {
    static const char *const keywords[] = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"};
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        const bool least = strstr(keywords[i], "inimum") != NULL;
        begin(text, "{\"items\":{\"");
        repeat(text, keywords[i], 1);
        repeat(text, "\":1.", 1);
        repeat(text, "3", 1 << 20);
        repeat(text, "}}", 1);
        CHECK_REFUSED(text, least ? "[2,2,1]" : "[1,1,2]", MCPW_E_RANGE);
        CHECK_FITS(text, least ? "[2,1.5,3]" : "[1,1.25,-1]");
        begin(value, "[1.5");
        repeat(value, ",1.5", 1000);
        repeat(value, "]", 1);
        const mcpw_status status = status_of(text, value);
        CHECK(status == (least ? MCPW_E_WORK : MCPW_E_RANGE));
        begin(value, least ? "[2" : "[1");
        repeat(value, least ? ",2" : ",1", 1000);
        repeat(value, "]", 1);
        CHECK_FITS(text, value);
    }
}

static void test_unique_items_that_are_many(void) {
    char *to = value;
    for (int i = 0; i < 100000; i++) {
        to += snprintf(to, 16, "%c%d", i == 0 ? '[' : ',', i);
    }
    repeat(value, ",5e1]", 1);
    CHECK_REFUSED("{\"uniqueItems\":true}", value, MCPW_E_DUPLICATE);
}

static void test_a_long_number_against_a_long_divisor(void) {
    begin(text, "{\"multipleOf\":1");
    repeat(text, "7", 500);
    repeat(text, "}", 1);
    begin(value, "1");
    repeat(value, "3", 1 << 20);
    const mcpw_status status = status_of(text, value);
    CHECK(status == MCPW_E_VALUE || status == MCPW_E_WORK);
}

/* Each of many keywords looks at all of a long value: that is work as well. */
static void test_many_keywords_on_a_long_value(void) {
    static const char *const parts[] = {"{\"minLength\":1}", "{\"prefixItems\":[true]}",
                                        "{\"unevaluatedItems\":true}", "{\"minimum\":1}"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        begin(text, "{\"allOf\":[true");
        for (int j = 0; j < 40000; j++) {
            repeat(text + 9 + (size_t)j * (strlen(parts[i]) + 1), ",", 1);
            repeat(text + 9 + (size_t)j * (strlen(parts[i]) + 1), parts[i], 1);
        }
        repeat(text, "]}", 1);
        begin(value, i == 0 ? "\"" : i == 3 ? "1" : "[1");
        repeat(value, i == 0 ? "x" : i == 3 ? "1" : ",1", 50000);
        repeat(value, i == 0 ? "\"" : i == 3 ? "" : "]", 1);
        const mcpw_status status = status_of(text, value);
        CHECK(status == MCPW_OK || status == MCPW_E_WORK);
    }
}

/* The budget of a check is used up by one keyword that many references lead to, on a value of many items or
 * members. Steps before the keyword move the point at which nothing is left. */
static void use_up(const char *definition, const char *item, const char *around) {
    enum { REFERENCES = 13000, ITEMS = 2000, SHIFTS = 2, STEPS = 3 };
    for (size_t shift = 0; shift < SHIFTS; shift++) {
        begin(text, "{\"$defs\":{\"k\":");
        repeat(text, definition, 1);
        repeat(text, "},\"allOf\":[true", 1);
        repeat(text, ",{\"maxItems\":2000}", STEPS * shift);
        repeat(text, ",{\"$ref\":\"#/$defs/k\"}", REFERENCES);
        repeat(text, "]}", 1);
        value[0] = around[0];
        char *to = value + 1;
        for (int i = 0; i < ITEMS; i++) {
            to += snprintf(to, 32, item, i);
            *to++ = i + 1 < ITEMS ? ',' : around[1];
        }
        *to = '\0';
        (void)check_that(status_of(text, value) == MCPW_E_WORK, __FILE__, __LINE__, definition);
    }
}

static void test_each_keyword_ends_where_no_work_is_left(void) {
    static char alternatives[8192];
    begin(alternatives, "{\"unevaluatedItems\":true,\"anyOf\":[true");
    repeat(alternatives, ",{\"title\":\"t\"}", 200);
    repeat(alternatives, "]}", 1);
    use_up("{\"uniqueItems\":true}", "%d", "[]");
    use_up("{\"contains\":{\"const\":0}}", "%d", "[]");
    use_up("{\"additionalProperties\":{\"minimum\":0}}", "\"m%d\":1", "{}");
    use_up(alternatives, "%d", "[]");
    use_up(
        "{\"$id\":\"https://a.example/"
        "a\",\"$defs\":{\"n\":{\"$dynamicAnchor\":\"n\"}},\"items\":{\"$id\":\"b\","
        "\"allOf\":[{\"$id\":\"c\",\"$defs\":{\"n\":{\"$dynamicAnchor\":\"n\"}},\"$dynamicRef\":\"#n\"}]}}",
        "%d", "[]");
}

static void test_equality_is_paid_for(void) {
    begin(text, "{\"$defs\":{\"k\":{\"const\":[");
    repeat(text, "[1],", 1000);
    repeat(text, "2]}},\"allOf\":[true", 1);
    repeat(text, ",{\"$ref\":\"#/$defs/k\"}", 10000);
    repeat(text, "]}", 1);
    begin(value, "[");
    repeat(value, "[1],", 1000);
    repeat(value, "2]", 1);
    CHECK_REFUSED(text, value, MCPW_E_WORK);
}

/* A constant of many members, or of long names, beside a value of the same names. */
static void compare_members(int members, size_t len, int times, mcpw_status expected) {
    static char object[TEXT_SIZE / 4];
    char *to = object + sprintf(object, "{");
    for (int i = 0; i < members; i++) {
        to += sprintf(to, "%s\"%0*d", i == 0 ? "" : ",", (int)len, i);
        to += sprintf(to, "\":%d", i);
    }
    (void)sprintf(to, "}");
    begin(text, "{\"$defs\":{\"k\":{\"const\":");
    repeat(text, object, 1);
    repeat(text, "}},\"allOf\":[true", 1);
    repeat(text, ",{\"$ref\":\"#/$defs/k\"}", (size_t)times);
    repeat(text, "]}", 1);
    CHECK_REFUSED(text, object, expected);
}

static void test_sorting_members_is_paid_for(void) {
    compare_members(1000, 4, 1000, MCPW_E_WORK);
    compare_members(1000, 4, 100, MCPW_OK);
}

static void test_comparing_long_names_is_paid_for(void) {
    compare_members(9, 4096, 2000, MCPW_E_WORK);
    compare_members(8, 4096, 20000, MCPW_E_WORK);
    compare_members(8, 4096, 100, MCPW_OK);
}

static void test_comparing_long_numbers_is_paid_for(void) {
    enum { DIGITS = 100000, TIMES = 4000 };
    begin(value, "1");
    repeat(value, "7", DIGITS);
    begin(text, "{\"$defs\":{\"k\":{\"const\":");
    repeat(text, value, 1);
    repeat(text, "}},\"allOf\":[true", 1);
    repeat(text, ",{\"$ref\":\"#/$defs/k\"}", TIMES);
    repeat(text, "]}", 1);
    CHECK_REFUSED(text, value, MCPW_E_WORK);
}

/* Texts that have one hash (as test_schema_hash holds them), of one length and of several. */
static void test_names_that_collide(void) {
    static const char properties[] =
        "{\"properties\":{\"jokgunc\":{\"const\":1},\"hrbbsthr\":{\"const\":2},\"mdwmanbl\":{\"const\":3},"
        "\"twvxjig\":{\"const\":4},\"mmaivlzq\":{\"const\":5},\"muukceew\":{\"const\":6}},\"required\":["
        "\"hrbbsthr\"]}";
    static const char words[] =
        "{\"enum\":[\"jokgunc\",\"mdwmanbl\",\"mmaivlzq\",\"a\",\"b\",\"c\",\"d\",\"e\",\"f\"]}";
    CHECK_FITS(properties,
               "{\"jokgunc\":1,\"hrbbsthr\":2,\"mdwmanbl\":3,\"twvxjig\":4,\"mmaivlzq\":5,\"muukceew\":6}");
    CHECK_REFUSED(properties, "{\"jokgunc\":2,\"hrbbsthr\":2}", MCPW_E_VALUE);
    CHECK_REFUSED(properties, "{\"hrbbsthr\":1}", MCPW_E_VALUE);
    CHECK_REFUSED(properties, "{\"jokgunc\":1}", MCPW_E_MISSING);
    CHECK_FITS(words, "\"jokgunc\"");
    CHECK_REFUSED(words, "\"hrbbsthr\"", MCPW_E_VALUE);
    CHECK_REFUSED(words, "\"twvxjig\"", MCPW_E_VALUE);
    CHECK_REFUSED(words, "\"muukceew\"", MCPW_E_VALUE);
}

/* ---- depth ---- */

static void test_schemas_that_are_nested_too_deep(void) {
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    begin(text, "");
    repeat(text, "{\"items\":", 200);
    repeat(text, "true", 1);
    repeat(text, "}", 200);
    CHECK(compile_status(text, NULL) == MCPW_E_DEPTH);
    options.max_depth = 300;
    CHECK(compile_status(text, &options) == MCPW_OK);
    options.max_depth = MCPW_MAX_DEPTH + 1;
    CHECK(compile_status(text, &options) == MCPW_E_ARGUMENT);
}

static void test_values_that_are_nested_too_deep(void) {
    begin(value, "");
    repeat(value, "[", 600);
    CHECK_REFUSED("true", value, MCPW_E_DEPTH);
    begin(value, "");
    repeat(value, "[", 128);
    repeat(value, "]", 128);
    CHECK_FITS(
        "{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"allOf\":[{\"items\":{\"$ref\":\"#/$defs/a\"}}]}}}",
        value);
}

/* A dynamic reference may lead back to itself, which shows when it is followed. */
static void test_dynamic_references_that_never_end(void) {
    CHECK_REFUSED("{\"$dynamicAnchor\":\"a\",\"$dynamicRef\":\"#a\"}", "1", MCPW_E_DEPTH);
}

/* ---- sizes ---- */

static void test_options_that_were_not_initialised(void) {
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    mcpw_options how = MCPW_OPTIONS_INIT;
    mcpw_arena memory = MCPW_ARENA_INIT;
    mcpw_schema *schema = NULL;
    options.struct_size = how.struct_size = 1;
    CHECK(mcpw_schema_compile("{\"uniqueItems\":true}", strlen("{\"uniqueItems\":true}"), &options, &schema,
                              NULL) == MCPW_E_ARGUMENT &&
          schema == NULL);
    CHECK(mcpw_schema_compile("{\"uniqueItems\":true}", strlen("{\"uniqueItems\":true}"), NULL, &schema,
                              NULL) == MCPW_OK);
    CHECK(mcpw_schema_check(schema, "[1]", 3, &memory, &how, NULL) == MCPW_E_ARGUMENT);
    mcpw_schema_free(schema);
    mcpw_arena_free(&memory);
}

static void test_limits_of_texts(void) {
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    mcpw_options limits = MCPW_OPTIONS_INIT;
    mcpw_arena scratch = MCPW_ARENA_INIT;
    mcpw_schema *const schema = schema_of("{\"type\":\"array\"}", NULL);
    options.max_bytes = 15;
    CHECK(compile_status("{\"type\":\"array\"}", &options) == MCPW_E_SIZE);
    limits.max_bytes = 5;
    CHECK(mcpw_schema_check(schema, "[1,2,3]", 7, &scratch, &limits, NULL) == MCPW_E_SIZE);
    limits.max_bytes = 0;
    limits.max_elements = 2;
    CHECK(mcpw_schema_check(schema, "[1,2]", 5, &scratch, &limits, NULL) == MCPW_OK);
    CHECK(mcpw_schema_check(schema, "[1,2,3]", 7, &scratch, &limits, NULL) == MCPW_E_ELEMENTS);
    limits.max_depth = MCPW_MAX_DEPTH + 1;
    CHECK(mcpw_schema_check(schema, "[]", 2, &scratch, &limits, NULL) == MCPW_E_ARGUMENT);
    mcpw_schema_free(schema);
    mcpw_arena_free(&scratch);
}

/* ---- memory ---- */

static const char everything[] =
    "{\"$id\":\"https://a.example/"
    "a\",\"type\":\"object\",\"properties\":{\"a\":{\"enum\":[1,\"b\",[2]]},\"b\":{\"items\":{"
    "\"$ref\":\"#/$defs/"
    "c\"},\"uniqueItems\":true,\"contains\":{\"const\":0}},\"c\":{\"$dynamicRef\":\"#n\"}},\"required\":["
    "\"a\"],\"dependentRequired\":{\"b\":[\"a\"]},\"dependentSchemas\":{\"c\":{\"required\":[\"b\"]}},\"$"
    "defs\":{\"c\":{"
    "\"multipleOf\":0.5},\"d\":{\"$dynamicAnchor\":\"n\",\"type\":[\"string\",\"null\"],\"minLength\":1},"
    "\"e\":{\"$id\":\"e\","
    "\"$dynamicAnchor\":\"n\"}},\"anyOf\":[{\"required\":[\"zz\"]},{\"properties\":{\"b\":{\"maxItems\":20}}}"
    "],"
    "\"unevaluatedProperties\":{\"enum\":[\"k\",\"l\",\"m\",\"n\",\"o\",\"p\",\"q\",\"r\",\"s\"]}}";
static const char one_value[] = "{\"a\":[2],\"b\":[0,1,2,3,4,5,6,7,8,9,10.5],\"c\":\"x\",\"d\":\"k\"}";

static void test_a_second_check_allocates_nothing(void) {
    counting c = {0};
    mcpw_arena scratch = MCPW_ARENA_INIT;
    mcpw_schema *const schema = schema_of(everything, NULL);
    scratch.allocator = counting_allocator(&c);
    CHECK(mcpw_schema_check(schema, one_value, sizeof one_value - 1, &scratch, NULL, NULL) == MCPW_OK);
    const size_t calls = c.calls;
    for (int i = 0; i < 10; i++) {
        CHECK(mcpw_schema_check(schema, one_value, sizeof one_value - 1, &scratch, NULL, NULL) == MCPW_OK);
    }
    CHECK(c.calls == calls);
    mcpw_arena_free(&scratch);
    mcpw_schema_free(schema);
    CHECK(c.in_use == 0);
}

/* Checks that need memory of their own: members and items that are sorted, marks, pointers, many names, many
 * nodes.
 */
static const char demanding[] =
    "{\"$ref\":\"#/$defs/"
    "a_name_that_is_longer_than_what_an_arena_has_left_at_the_end_of_some_block_before_it_asks_for_more_"
    "memory/"
    "anyOf/"
    "1\",\"$defs\":{\"a_name_that_is_longer_than_what_an_arena_has_left_at_the_end_of_some_block_before_"
    "it_asks_for_more_memory\":{\"anyOf\":[false,{\"type\":\"object\"}]},\"$d\":{\"$anchor\":\"d\"}},"
    "\"properties\":{\"o\":{\"const\":{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":"
    "9}},"
    "\"u\":{\"uniqueItems\":true,\"prefixItems\":[true,false],\"items\":{\"$ref\":\"#d\"}},"
    "\"v\":{\"anyOf\":[{\"prefixItems\":[true]},{\"prefixItems\":[true,true]}],\"unevaluatedItems\":{"
    "\"type\":\"integer\"}},"
    "\"w\":{\"if\":{\"minItems\":1},\"then\":{\"maxItems\":1000},\"else\":false},"
    "\"x\":{\"not\":{\"oneOf\":[{\"type\":\"null\"},{\"minLength\":1}]}},"
    "\"y\":{\"allOf\":[{\"required\":[\"a\"]},{\"minProperties\":1}],\"unevaluatedProperties\":{"
    "\"multipleOf\":0.5}}},"
    "\"examples\":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
    "1,1,1,"
    "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
    "1,1,1,1,"
    "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
    "1,1,1,1,"
    "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
    "1,1,1,1,"
    "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
    "1,1,1,1,"
    "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
    "1,1,1,1]}";
static const char demanding_value[] =
    "{\"o\":{\"i\":9,\"h\":8,\"g\":7,\"f\":6,\"e\":5,\"d\":4,\"c\":3,\"b\":2,\"a\":1},\"u\":[1],"
    "\"v\":[1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9],"
    "\"w\":[1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9],"
    "\"x\":\"\",\"y\":{\"a\":1,\"b\":2.5}}";

/* Each allocation of compiling fails in turn: nothing is leaked, and nothing half made is given. */
static void compile_without_memory(const char *text, size_t len) {
    bool done = false;
    for (size_t fail_at = 1; !done; fail_at++) {
        counting c = {.fail_at = fail_at, .stingy = true};
        mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
        mcpw_schema *schema = NULL;
        options.allocator = counting_allocator(&c);
        const mcpw_status status = mcpw_schema_compile(text, len, &options, &schema, &schema_error);
        done = status == MCPW_OK;
        CHECK(done || (status == MCPW_E_MEMORY && schema == NULL));
        mcpw_schema_free(schema);
        CHECK(c.in_use == 0);
    }
}

/* The same of checking. Frees the schema. */
static void check_without_memory(mcpw_schema *schema, const char *text, size_t len, unsigned flags) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    bool done = false;
    options.flags = flags;
    for (size_t fail_at = 1; !done; fail_at++) {
        counting c = {.fail_at = fail_at, .stingy = true};
        mcpw_arena scratch = MCPW_ARENA_INIT;
        scratch.allocator = counting_allocator(&c);
        const mcpw_status status = mcpw_schema_check(schema, text, len, &scratch, &options, &schema_error);
        done = status == MCPW_OK;
        CHECK(done || status == MCPW_E_MEMORY);
        mcpw_arena_free(&scratch);
        CHECK(c.in_use == 0);
    }
    mcpw_schema_free(schema);
}

static void test_a_demanding_schema_without_memory(void) {
    compile_without_memory(demanding, sizeof demanding - 1);
}

/* With names that may not occur twice, which are sorted as well. */
static void test_a_demanding_value_without_memory(void) {
    check_without_memory(schema_of(demanding, NULL), demanding_value, sizeof demanding_value - 1,
                         MCPW_STRICT);
}

static void test_marks_of_many_items_without_memory(void) {
    begin(value, "[1");
    repeat(value, ",1", 40000);
    repeat(value, "]", 1);
    check_without_memory(schema_of("{\"unevaluatedItems\":true,\"anyOf\":[true,{\"title\":\"t\"}]}", NULL),
                         value, strlen(value), 0);
}

static void test_compiling_without_memory(void) { compile_without_memory(everything, sizeof everything - 1); }

static void test_checking_without_memory(void) {
    check_without_memory(schema_of(everything, NULL), one_value, sizeof one_value - 1, 0);
}

int main(void) {
    RUN(test_alternatives_that_double_at_each_level);
    RUN(test_schemas_that_double_at_each_definition);
    RUN(test_a_megabyte_of_all_of);
    RUN(test_many_references_to_many_anchors);
    RUN(test_references_against_a_long_base);
    RUN(test_many_definitions_and_references_to_each);
    RUN(test_references_to_items_of_a_long_list);
    RUN(test_an_index_finds_the_last_of_two_members);
    RUN(test_texts_of_long_uris_are_paid_for);
    RUN(test_bounds_of_many_digits);
    RUN(test_unique_items_that_are_many);
    RUN(test_a_long_number_against_a_long_divisor);
    RUN(test_many_keywords_on_a_long_value);
    RUN(test_schemas_that_are_nested_too_deep);
    RUN(test_values_that_are_nested_too_deep);
    RUN(test_dynamic_references_that_never_end);
    RUN(test_options_that_were_not_initialised);
    RUN(test_limits_of_texts);
    RUN(test_a_second_check_allocates_nothing);
    RUN(test_marks_of_many_items_without_memory);
    RUN(test_compiling_without_memory);
    RUN(test_checking_without_memory);
    RUN(test_each_keyword_ends_where_no_work_is_left);
    RUN(test_equality_is_paid_for);
    RUN(test_sorting_members_is_paid_for);
    RUN(test_comparing_long_names_is_paid_for);
    RUN(test_comparing_long_numbers_is_paid_for);
    RUN(test_names_that_collide);
    RUN(test_a_demanding_schema_without_memory);
    RUN(test_a_demanding_value_without_memory);
    return check_end();
}
