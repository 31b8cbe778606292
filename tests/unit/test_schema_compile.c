/* SPDX-License-Identifier: MIT */
/* Valid and invalid schemas, references, dialects. */
#include "schema_harness.h"

#include "counting_allocator.h"

static void check_no_schema(const char *text, mcpw_status status, const char *path, const char *message) {
    CHECK(compile_status(text, NULL) == status);
    CHECK_ERROR(path, message);
}

/* ---- what is no schema ---- */

static void test_text_that_is_no_json(void) {
    check_no_schema("{\"type\":", MCPW_E_SYNTAX, "", "text is not valid JSON");
    CHECK(schema_error.offset == 8);
    check_no_schema("[]", MCPW_E_TYPE, "", "a schema is an object or a boolean");
    check_no_schema("{\"properties\":{\"a\":7}}", MCPW_E_TYPE, "/properties/a",
                    "a schema is an object or a boolean");
}

static void test_keywords_with_values_that_they_may_not_have(void) {
    check_no_schema("{\"minimum\":\"1\"}", MCPW_E_TYPE, "/minimum",
                    "'minimum' has a value of a type that it may not have");
    check_no_schema("{\"title\":1}", MCPW_E_TYPE, "/title",
                    "'title' has a value of a type that it may not have");
    check_no_schema("{\"items\":{\"type\":\"text\"}}", MCPW_E_VALUE, "/items/type",
                    "a type is array, boolean, integer, null, number, object or string");
    check_no_schema("{\"minLength\":-1}", MCPW_E_VALUE, "/minLength",
                    "'minLength' is an integer that is not negative");
    check_no_schema("{\"minLength\":1.5}", MCPW_E_VALUE, "/minLength",
                    "'minLength' is an integer that is not negative");
    check_no_schema("{\"multipleOf\":0}", MCPW_E_VALUE, "/multipleOf",
                    "'multipleOf' is greater than 0, and has at most 512 digits that count");
    check_no_schema("{\"required\":[\"a\",1]}", MCPW_E_TYPE, "/required/1",
                    "the name of a member is a string");
    check_no_schema("{\"required\":[\"a\",\"a\"]}", MCPW_E_DUPLICATE, "/required/1", "'a' occurs twice here");
    check_no_schema("{\"properties\":{\"a\":{},\"a\":{}}}", MCPW_E_DUPLICATE, "/properties/a",
                    "'a' occurs twice here");
    check_no_schema("{\"type\":\"null\",\"type\":\"string\"}", MCPW_E_DUPLICATE, "/type",
                    "'type' occurs twice");
    check_no_schema("{\"items\":[{}]}", MCPW_E_TYPE, "/items",
                    "'items' is no array in 2020-12 (\"prefixItems\" is)");
}

static void test_what_members_demand_is_a_list(void) {
    check_no_schema("{\"dependentRequired\":{\"a\":{}}}", MCPW_E_TYPE, "/dependentRequired/a",
                    "the names that a member requires are a list");
    check_no_schema("{\"dependentSchemas\":{\"a\":[\"b\"]}}", MCPW_E_TYPE, "/dependentSchemas/a",
                    "a schema is an object or a boolean");
    check_no_schema("{\"dependentRequired\":{\"a\":[1]}}", MCPW_E_TYPE, "/dependentRequired/a/0",
                    "the name of a member is a string");
}

static void test_patterns_need_an_engine(void) {
    check_no_schema("{\"properties\":{\"a\":{\"pattern\":\"^a\"}}}", MCPW_E_FORMAT, "/properties/a/pattern",
                    "patterns need an engine: mcpw_schema_options.patterns");
    check_no_schema("{\"patternProperties\":{\"^a\":{}}}", MCPW_E_FORMAT, "/patternProperties/^a",
                    "patterns need an engine: mcpw_schema_options.patterns");
}

/* ---- references ---- */

static void test_references_that_lead_nowhere(void) {
    check_no_schema("{\"items\":{\"$ref\":\"#/$defs/a\"}}", MCPW_E_NOT_FOUND, "/items/$ref",
                    "reference '#/$defs/a' has no target");
    check_no_schema("{\"$ref\":\"#a\"}", MCPW_E_NOT_FOUND, "/$ref", "reference '#a' has no target");
    check_no_schema("{\"$ref\":\"https://a.example/b.json\"}", MCPW_E_NOT_FOUND, "/$ref",
                    "'https://a.example/b.json' is not in this schema, and no resolver gives it");
    check_no_schema("{\"$ref\":\"#/%zz\"}", MCPW_E_VALUE, "/$ref", "'#/%zz' is no URI reference");
}

static void test_pointers_that_lead_nowhere(void) {
    static const char *const pointers[] = {"#/allOf/00",  "#/allOf/x",  "#/allOf/",   "#/allOf/2",
                                           "#/allOf/999", "#/$id/0",    "#/allOf/-1", "#/~2",
                                           "#/~",         "#/allOf/1/a"};
    for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++) {
        char text[160];
        (void)snprintf(text, sizeof text,
                       "{\"$id\":\"https://a.example/\",\"allOf\":[true,{}],\"items\":{\"$ref\":\"%s\"}}",
                       pointers[i]);
        CHECK(compile_status(text, NULL) == MCPW_E_NOT_FOUND);
        CHECK_STRING(schema_error.path, "/items/$ref");
    }
}

static void test_pointers_lead_into_lists(void) {
    static const char text[] =
        "{\"$defs\":{\"a/~\":{\"anyOf\":[false,{\"type\":\"null\"},{\"type\":\"string\"}]}},"
        "\"items\":{\"$ref\":\"#/$defs/a~1~0/anyOf/2\"}}";
    CHECK_FITS(text, "[\"a\"]");
    CHECK_REFUSED(text, "[null]", MCPW_E_TYPE);
}

/* Each fills room for one more name that dynamic references ask for. */
static void test_names_of_dynamic_anchors_have_a_limit(void) {
    for (int count = 64; count <= 65; count++) {
        char text[8192] = "{\"$defs\":{\"a\":true";
        size_t len = strlen(text);
        for (int i = 0; i < count; i++) {
            len += (size_t)snprintf(text + len, sizeof text - len, ",\"a%d\":{\"$dynamicAnchor\":\"n%d\"}", i,
                                    i);
        }
        len += (size_t)snprintf(text + len, sizeof text - len, "},\"allOf\":[true");
        for (int i = 0; i < count; i++) {
            len += (size_t)snprintf(text + len, sizeof text - len, ",{\"$dynamicRef\":\"#n%d\"}", i);
        }
        (void)snprintf(text + len, sizeof text - len, "]}");
        CHECK(compile_status(text, NULL) == (count == 64 ? MCPW_OK : MCPW_E_ELEMENTS));
    }
    CHECK_STRING(schema_error.message, "too many names of dynamic anchors");
}

static void test_references_that_never_end(void) {
    static const char message[] = "schema leads back to itself without looking into the value";
    check_no_schema("{\"$ref\":\"#\"}", MCPW_E_UNION, "", message);
    check_no_schema(
        "{\"$defs\":{\"a\":{\"allOf\":[{\"$ref\":\"#/$defs/b\"}]},\"b\":{\"not\":{\"$ref\":\"#/$defs/a\"}}},"
        "\"items\":{\"$ref\":\"#/$defs/a\"}}",
        MCPW_E_UNION, "/$defs/a", message);
    CHECK(compile_status("{\"anyOf\":[{\"items\":{\"$ref\":\"#\"}},{\"type\":\"null\"}]}", NULL) == MCPW_OK);
}

static void test_an_id_has_no_fragment(void) {
    check_no_schema("{\"$defs\":{\"a\":{\"$id\":\"https://a.example/b#c\"}}}", MCPW_E_VALUE, "/$defs/a/$id",
                    "'https://a.example/b#c' has a fragment, which no $id may have");
    check_no_schema("{\"$id\":\"a%\",\"$ref\":\"#%\"}", MCPW_E_VALUE, "/$ref", "'#%' is no URI reference");
}

static void test_an_id_of_draft_07_may_be_an_anchor(void) {
    static const char text[] = "{\"$schema\":\"http://json-schema.org/draft-07/schema#\","
                               "\"definitions\":{\"a\":{\"$id\":\"#x\",\"type\":\"null\"},"
                               "\"b\":{\"$id\":\"other#y\",\"type\":\"string\"}},"
                               "\"items\":[{\"$ref\":\"#x\"},{\"$ref\":\"other#y\"}]}";
    CHECK_FITS(text, "[null,\"a\"]");
    CHECK_REFUSED(text, "[1]", MCPW_E_TYPE);
    CHECK_REFUSED(text, "[null,1]", MCPW_E_TYPE);
}

static void test_references_are_resolved_against_the_base(void) {
    static const struct {
        const char *base;
        const char *reference;
        const char *uri;
    } cases[] = {
        {"https://a.example", "b", "https://a.example/b"},
        {"https://a.example/x/y?q", "", "https://a.example/x/y?q"},
        {"https://a.example/x/y?q", "?r", "https://a.example/x/y?r"},
        {"https://a.example/x/y", "/b", "https://a.example/b"},
        {"https://a.example/x/y", "../../../b", "https://a.example/b"},
        {"https://a.example/x/y/z", "../b/.", "https://a.example/x/b/"},
        {"https://a.example/x", "//b.example/c", "https://b.example/c"},
        {"https://a.example/x", "//b.example", "https://b.example"},
        {"https://a.example/x", "urn:b", "urn:b"},
        {"https://a.example/x", "other:/b/../c", "other:/c"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        (void)snprintf(
            text, sizeof text,
            "{\"$id\":\"%s\",\"$defs\":{\"a\":{\"$id\":\"%s\",\"type\":\"null\"}},\"$ref\":\"%s#\"}",
            cases[i].base, cases[i].uri, cases[i].reference);
        const mcpw_status status = compile_status(text, NULL);
        /* A reference to the base itself leads back. */
        (void)check_that(status == (i == 1 ? MCPW_E_DUPLICATE : MCPW_OK), __FILE__, __LINE__,
                         cases[i].reference);
    }
}

static void test_two_schemas_of_one_name(void) {
    check_no_schema("{\"$defs\":{\"a\":{\"$anchor\":\"x\"},\"b\":{\"$anchor\":\"x\"}}}", MCPW_E_DUPLICATE,
                    "/$defs/b/$anchor", "'x' is the name of two schemas");
}

static mcpw_status give(void *user, const char *uri, mcpw_json *document) {
    *(const char **)user = uri[0] == 'h' ? "asked" : uri;
    if (strcmp(uri, "https://a.example/schemas/name.json") != 0) {
        return MCPW_E_NOT_FOUND;
    }
    *document = mcpw_json_from(
        "{\"$defs\":{\"short\":{\"type\":\"string\",\"maxLength\":3}},\"$ref\":\"#/$defs/short\"}");
    return MCPW_OK;
}

static void test_a_resolver_gives_documents(void) {
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    const char *asked = "";
    options.resolve = give;
    options.user = &asked;
    options.base_uri = "https://a.example/schemas/root.json";
    mcpw_schema *const schema = schema_of("{\"properties\":{\"a\":{\"$ref\":\"name.json\"},\"b\":{\"$ref\":"
                                          "\"./x/../name.json#/$defs/short\"}}}",
                                          &options);
    CHECK_STRING(asked, "asked");
    CHECK(value_status(schema, "{\"a\":\"abc\",\"b\":\"abc\"}") == MCPW_OK);
    CHECK(value_status(schema, "{\"a\":\"abcd\"}") == MCPW_E_LENGTH);
    CHECK(value_status(schema, "{\"b\":7}") == MCPW_E_TYPE);
    mcpw_schema_free(schema);
    CHECK(compile_status("{\"$ref\":\"other.json\"}", &options) == MCPW_E_NOT_FOUND);
}

static void test_an_error_names_the_document(void) {
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    const char *asked = "";
    options.resolve = give;
    options.user = &asked;
    options.base_uri = "https://a.example/schemas/root.json";
    CHECK(compile_status("{\"$ref\":\"name.json#/$defs/short/type\"}", &options) == MCPW_E_TYPE);
    CHECK_ERROR("/$defs/short/type",
                "a schema is an object or a boolean, in https://a.example/schemas/name.json");
}

/* ---- dialects ---- */

static void test_schema_names_its_dialect(void) {
    static const struct {
        const char *uri;
        mcpw_status items;    /* of an array, by prefixItems, a keyword of 2020-12 */
        mcpw_status required; /* of an object, by dependentRequired, which came with 2019-09 */
    } cases[] = {
        {"https://json-schema.org/draft/2020-12/schema", MCPW_E_TYPE, MCPW_E_MISSING},
        {"https://json-schema.org/draft/2019-09/schema", MCPW_OK, MCPW_E_MISSING},
        {"http://json-schema.org/draft-07/schema#", MCPW_OK, MCPW_OK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[192];
        (void)snprintf(text, sizeof text,
                       "{\"$schema\":\"%s\",\"prefixItems\":[{\"type\":\"null\"}],"
                       "\"dependentRequired\":{\"a\":[\"b\"]}}",
                       cases[i].uri);
        mcpw_schema *const schema = schema_of(text, NULL);
        CHECK(value_status(schema, "[1]") == cases[i].items);
        CHECK(value_status(schema, "{\"a\":1}") == cases[i].required);
        mcpw_schema_free(schema);
    }
    check_no_schema("{\"$schema\":\"https://a.example/dialect\"}", MCPW_E_NOT_FOUND, "/$schema",
                    "'https://a.example/dialect' is not in this schema, and no resolver gives it");
}

/* Meta-schemas by the name that stands last in their URI. */
static mcpw_status give_metaschema(void *user, const char *uri, mcpw_json *document) {
    static const struct {
        const char *name;
        const char *text;
    } metas[] = {
        {"strict", "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$vocabulary\":{"
                   "\"https://json-schema.org/draft/2020-12/vocab/validation\":true,"
                   "\"https://a.example/vocab\":true}}"},
        {"lax", "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$vocabulary\":{"
                "\"https://json-schema.org/draft/2020-12/vocab/applicator\":true,"
                "\"https://json-schema.org/draft/2020-12/vocab/other\":false,"
                "\"https://a.example/vocab\":false}}"},
        {"plain", "{\"$vocabulary\":7}"},
        {"old", "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"$vocabulary\":{}}"},
    };
    static char next[128];
    const char *const name = strrchr(uri, '/') + 1;
    int number = 0;
    (void)user;
    for (size_t i = 0; i < sizeof metas / sizeof *metas; i++) {
        if (strcmp(name, metas[i].name) == 0) {
            *document = mcpw_json_from(metas[i].text);
        }
    }
    if (sscanf(name, "chain%d", &number) == 1) {
        (void)snprintf(next, sizeof next, "{\"$schema\":\"https://a.example/chain%d\"}", number + 1);
        *document = mcpw_json_from(next);
    }
    return MCPW_OK;
}

static mcpw_status status_by_metaschema(const char *text, const char *value) {
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    options.resolve = give_metaschema;
    mcpw_schema *schema = NULL;
    memset(&schema_error, 0, sizeof schema_error);
    mcpw_status status = mcpw_schema_compile(text, strlen(text), &options, &schema, &schema_error);
    if (status == MCPW_OK) {
        status = value_status(schema, value);
    }
    mcpw_schema_free(schema);
    return status;
}

static void test_vocabularies_that_have_to_be_known(void) {
    CHECK(status_by_metaschema("{\"$schema\":\"https://a.example/strict\"}", "1") == MCPW_E_NOT_FOUND);
    CHECK_ERROR("/$schema", "vocabulary 'https://a.example/vocab' is not known");
    CHECK(status_by_metaschema("{\"$schema\":\"https://a.example/lax\",\"minimum\":2}", "1") == MCPW_OK);
    CHECK(status_by_metaschema("{\"$schema\":\"https://a.example/lax\",\"items\":false}", "[1]") ==
          MCPW_E_UNEXPECTED);
}

static void test_a_metaschema_without_vocabularies_has_the_usual_ones(void) {
    CHECK(status_by_metaschema("{\"$schema\":\"https://a.example/plain\",\"minimum\":2}", "1") ==
          MCPW_E_RANGE);
    CHECK(status_by_metaschema("{\"$schema\":\"https://a.example/old\",\"items\":[false]}", "[1]") ==
          MCPW_E_UNEXPECTED);
}

static void test_metaschemas_of_metaschemas_have_an_end(void) {
    CHECK(status_by_metaschema("{\"$schema\":\"https://a.example/chain0\"}", "1") == MCPW_E_DEPTH);
    CHECK(strstr(schema_error.message, "leads to too many others") != NULL);
}

static void test_a_resolver_that_gives_nothing(void) {
    CHECK(status_by_metaschema("{\"$ref\":\"https://a.example/nothing\"}", "1") == MCPW_E_NOT_FOUND);
}

static void test_a_part_may_have_a_dialect_of_its_own(void) {
    static const char text[] =
        "{\"$defs\":{\"a\":{\"$id\":\"https://a.example/a\","
        "\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"items\":[{\"type\":\"null\"}]}},"
        "\"$ref\":\"https://a.example/a\"}";
    CHECK_FITS(text, "[null,1]");
    CHECK_REFUSED(text, "[1]", MCPW_E_TYPE);
}

static void test_a_schema_knows_its_size(void) {
    counting c = {0};
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    options.allocator = counting_allocator(&c);
    mcpw_schema *const schema = schema_of("{\"properties\":{\"a\":{\"enum\":[1,\"b\"]}}}", &options);
    CHECK(mcpw_schema_size(schema) == c.in_use);
    mcpw_schema_free(schema);
    CHECK(c.in_use == 0);
}

static void test_an_option_names_the_dialect_of_others(void) {
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    static const char text[] = "{\"items\":[{\"type\":\"string\"}]}";
    CHECK(compile_status(text, &options) == MCPW_E_TYPE);
    options.dialect = MCPW_SCHEMA_DRAFT_07;
    mcpw_schema *const schema = schema_of(text, &options);
    CHECK(value_status(schema, "[\"a\",1]") == MCPW_OK);
    CHECK(value_status(schema, "[1]") == MCPW_E_TYPE);
    mcpw_schema_free(schema);
}

static void test_recursive_references_of_2019_09(void) {
    static const char text[] =
        "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\",\"$id\":\"https://a.example/strict\","
        "\"$recursiveAnchor\":true,\"$ref\":\"tree\",\"unevaluatedProperties\":false,"
        "\"$defs\":{\"tree\":{\"$id\":\"tree\",\"$recursiveAnchor\":true,\"type\":\"object\",\"properties\":{"
        "\"data\":true,\"children\":{\"items\":{\"$recursiveRef\":\"#\"}}}}}}";
    CHECK_FITS(text, "{\"children\":[{\"data\":1}]}");
    CHECK_REFUSED(text, "{\"children\":[{\"daat\":1}]}", MCPW_E_UNEXPECTED);
    CHECK_ERROR("/children/0/daat", "member is not allowed here");
}

static void test_contains_does_not_evaluate_items_in_2019_09(void) {
    static const char newer[] = "{\"contains\":{\"const\":1},\"unevaluatedItems\":false}";
    static const char older[] = "{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\","
                                "\"contains\":{\"const\":1},\"unevaluatedItems\":false}";
    CHECK_FITS(newer, "[1]");
    CHECK_REFUSED(older, "[1]", MCPW_E_UNEXPECTED);
}

int main(void) {
    RUN(test_text_that_is_no_json);
    RUN(test_keywords_with_values_that_they_may_not_have);
    RUN(test_patterns_need_an_engine);
    RUN(test_references_that_lead_nowhere);
    RUN(test_references_that_never_end);
    RUN(test_two_schemas_of_one_name);
    RUN(test_a_resolver_gives_documents);
    RUN(test_an_error_names_the_document);
    RUN(test_schema_names_its_dialect);
    RUN(test_an_option_names_the_dialect_of_others);
    RUN(test_recursive_references_of_2019_09);
    RUN(test_contains_does_not_evaluate_items_in_2019_09);
    RUN(test_what_members_demand_is_a_list);
    RUN(test_pointers_that_lead_nowhere);
    RUN(test_pointers_lead_into_lists);
    RUN(test_names_of_dynamic_anchors_have_a_limit);
    RUN(test_an_id_has_no_fragment);
    RUN(test_an_id_of_draft_07_may_be_an_anchor);
    RUN(test_references_are_resolved_against_the_base);
    RUN(test_vocabularies_that_have_to_be_known);
    RUN(test_a_metaschema_without_vocabularies_has_the_usual_ones);
    RUN(test_metaschemas_of_metaschemas_have_an_end);
    RUN(test_a_resolver_that_gives_nothing);
    RUN(test_a_part_may_have_a_dialect_of_its_own);
    RUN(test_a_schema_knows_its_size);
    return check_end();
}
