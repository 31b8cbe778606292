/* SPDX-License-Identifier: MIT */
/* Verdicts of a compiled schema where the official suite does not look, and what errors say. */
#include "schema_harness.h"

/* ---- numbers, exactly ---- */

static void test_multiples_are_exact_in_decimal(void) {
    CHECK_FITS("{\"multipleOf\":0.01}", "4.35");
    CHECK_FITS("{\"multipleOf\":0.01}", "19.99");
    CHECK_FITS("{\"multipleOf\":1e-8}", "12391239123");
    CHECK_REFUSED("{\"multipleOf\":0.01}", "4.355", MCPW_E_VALUE);
    CHECK_ERROR("", "number is not a multiple of 0.01");
    CHECK_FITS("{\"multipleOf\":0.01}", "0");
    CHECK_FITS("{\"multipleOf\":0.01}", "-0.0");
}

static void test_multiples_of_any_size(void) {
    CHECK_FITS("{\"multipleOf\":3}", "3e400");
    CHECK_REFUSED("{\"multipleOf\":7}", "1e400", MCPW_E_VALUE);
    CHECK_FITS("{\"multipleOf\":1e400}", "5e400");
    CHECK_REFUSED("{\"multipleOf\":1e400}", "1e399", MCPW_E_VALUE);
    CHECK_FITS("{\"multipleOf\":123456789012345678901234567890}", "246913578024691357802469135780");
    CHECK_REFUSED("{\"multipleOf\":123456789012345678901234567890}", "246913578024691357802469135781",
                  MCPW_E_VALUE);
    CHECK_FITS("{\"multipleOf\":1024e-40}", "1");
    CHECK_FITS("{\"multipleOf\":2}", "1e99999999999999999999");
}

static void test_bounds_are_exact(void) {
    CHECK_FITS("{\"maximum\":9007199254740993}", "9007199254740993");
    CHECK_REFUSED("{\"maximum\":9007199254740992}", "9007199254740993", MCPW_E_RANGE);
    CHECK_REFUSED("{\"exclusiveMinimum\":0.1}", "0.10000000000000000000", MCPW_E_RANGE);
    CHECK_FITS("{\"exclusiveMinimum\":0.1}", "0.10000000000000000001");
    CHECK_FITS("{\"minimum\":1e400}", "1e401");
    CHECK_REFUSED("{\"minimum\":-1e400}", "-1e401", MCPW_E_RANGE);
    CHECK_FITS("{\"maximum\":1500}", "1.5e3");
    CHECK_REFUSED("{\"maximum\":1499}", "1.5e3", MCPW_E_RANGE);
    CHECK_REFUSED("{\"maximum\":-1}", "-0.5", MCPW_E_RANGE);
    CHECK_FITS("{\"maximum\":-1}", "-1.5");
}

static void test_an_integer_is_one_by_value(void) {
    CHECK_FITS("{\"type\":\"integer\"}", "1.0");
    CHECK_FITS("{\"type\":\"integer\"}", "1e400");
    CHECK_FITS("{\"type\":\"integer\"}", "1200e-2");
    CHECK_REFUSED("{\"type\":\"integer\"}", "1201e-2", MCPW_E_TYPE);
    CHECK_ERROR("", "expected integer, got number");
}

static void test_numbers_are_equal_by_value(void) {
    CHECK_FITS("{\"const\":1}", "1.0");
    CHECK_FITS("{\"enum\":[100]}", "1e2");
    CHECK_REFUSED("{\"uniqueItems\":true}", "[1,2,1.00]", MCPW_E_DUPLICATE);
    CHECK_ERROR("", "items are not unique: that at 2 is there already");
    CHECK_FITS("{\"const\":{\"a\":[1,null]}}", "{\"a\":[1e0,null]}");
}

/* ---- objects of scalars, which are checked where they stand ---- */

/* With options the tape decides. */
static bool verdicts_agree(const char *schema_text, const char *value, bool fits) {
    const mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_arena scratch = MCPW_ARENA_INIT;
    mcpw_schema *schema = NULL;
    bool agree =
        mcpw_schema_compile(schema_text, strlen(schema_text), NULL, &schema, NULL) == MCPW_OK &&
        (mcpw_schema_check(schema, value, strlen(value), &scratch, NULL, NULL) == MCPW_OK) == fits &&
        (mcpw_schema_check(schema, value, strlen(value), &scratch, &options, NULL) == MCPW_OK) == fits;
    mcpw_schema_free(schema);
    mcpw_arena_free(&scratch);
    return agree;
}

static void test_objects_of_scalars(void) {
    static const char schema[] =
        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"minLength\":2,\"maxLength\":3},"
        "\"n\":{\"type\":\"integer\"},\"b\":{\"type\":\"boolean\"},\"any\":true,\"none\":false,"
        "\"null\":{\"type\":\"null\"}},\"required\":[\"a\"],\"maxProperties\":3}";
    CHECK(verdicts_agree(schema, "{\"a\":\"xy\"}", true));
    CHECK(verdicts_agree(schema, " { \"a\" : \"xyz\" , \"n\" : -12 } ", true));
    CHECK(verdicts_agree(schema, "{\"a\":\"xy\",\"n\":1.0,\"b\":false}", true));
    CHECK(verdicts_agree(schema, "{\"any\":[{\"x\":[1]}],\"a\":\"xy\",\"null\":null}", true));
    CHECK(verdicts_agree(schema, "{\"\\u0061\":\"\\u0078y\",\"more\":{}}", true));
    CHECK(verdicts_agree(schema, "{\"a\":\"\xc3\xa9\xc3\xa9\"}", true));
    CHECK(verdicts_agree(schema, "{\"a\":\"\xc3\xa9\"}", false));
    CHECK(verdicts_agree(schema, "{\"a\":\"\\u0078\"}", false));
    CHECK(verdicts_agree(schema, "{\"a\":\"wxyz\"}", false));
    CHECK(verdicts_agree(schema, "{\"a\":\"xy\",\"a\":\"x\"}", false));
    CHECK(verdicts_agree(schema, "{\"a\":\"xy\",\"n\":1.5}", false));
    CHECK(verdicts_agree(schema, "{\"a\":\"xy\",\"n\":1,\"b\":true,\"null\":null}", false));
    CHECK(verdicts_agree(schema, "{\"a\":\"xy\",\"none\":1}", false));
    CHECK(verdicts_agree(schema, "{\"b\":true}", false));
    CHECK(verdicts_agree(schema, "{}", false));
    CHECK(verdicts_agree(schema, "{\"a\":\"xy\"", false));
    CHECK(verdicts_agree(schema, "{\"a\":\"xy\",}", false));
    CHECK(verdicts_agree(schema, "{\"a\":\"xy\"}}", false));
    CHECK(verdicts_agree(schema, "{\"a\":\"xy\",\"any\":[1,]}", false));
    CHECK(verdicts_agree(schema, "{\"a\":\"xy\",\"n\":01}", false));
    CHECK(verdicts_agree(schema, "[\"a\"]", false));
    CHECK(verdicts_agree(schema, "", false));
}

static void test_objects_of_scalars_without_more(void) {
    static const char schema[] = "{\"properties\":{\"a\":{\"enum\":[1]}},\"additionalProperties\":{\"type\":"
                                 "\"number\"}}";
    CHECK(verdicts_agree(schema, "{\"a\":1,\"b\":2.5,\"c\":-3}", true));
    CHECK(verdicts_agree(schema, "{\"a\":2}", false));
    CHECK(verdicts_agree(schema, "{\"a\":1,\"b\":\"2\"}", false));
    CHECK(verdicts_agree(schema, "7", true));
}

/* ---- equality ---- */

static void test_members_are_equal_in_any_order(void) {
    CHECK_FITS("{\"const\":{\"a\":1,\"b\":2}}", "{\"b\":2,\"a\":1}");
    CHECK_REFUSED("{\"const\":{\"a\":1,\"b\":2}}", "{\"b\":1,\"a\":2}", MCPW_E_VALUE);
    CHECK_FITS(
        "{\"const\":{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":9,\"j\":10}}",
        "{\"j\":10,\"i\":9,\"h\":8,\"g\":7,\"f\":6,\"e\":5,\"d\":4,\"c\":3,\"b\":2,\"a\":1}");
}

static void test_twins_among_many_are_found(void) {
    CHECK_REFUSED("{\"uniqueItems\":true}",
                  "[1,2,3,4,5,6,7,8,9,10,11,12,{\"a\":1,\"b\":2},13,{\"b\":2,\"a\":1}]", MCPW_E_DUPLICATE);
    CHECK_FITS("{\"uniqueItems\":true}",
               "[1,\"1\",true,null,[],{},[1],{\"a\":1},{\"a\":2},0,false,\"\",[[]]]");
}

static void test_escapes_do_not_matter(void) {
    CHECK_FITS("{\"const\":\"\\u0041\"}", "\"A\"");
    CHECK_FITS("{\"properties\":{\"\\u0061\":{\"const\":1}},\"required\":[\"a\"]}", "{\"\\u0061\":1}");
    CHECK_REFUSED("{\"properties\":{\"a\":{\"const\":1}}}", "{\"\\u0061\":2}", MCPW_E_VALUE);
    CHECK_ERROR("/a", "expected 1");
}

/* ---- objects ---- */

static void test_more_required_members_than_bits_in_a_word(void) {
    char schema[2048] = "{\"required\":[\"m0\"";
    char value[2048] = "{\"m0\":0";
    for (int i = 1; i < 130; i++) {
        (void)snprintf(schema + strlen(schema), sizeof schema - strlen(schema), ",\"m%d\"", i);
        if (i != 100) {
            (void)snprintf(value + strlen(value), sizeof value - strlen(value), ",\"m%d\":0", i);
        }
    }
    (void)snprintf(schema + strlen(schema), sizeof schema - strlen(schema), "]}");
    (void)snprintf(value + strlen(value), sizeof value - strlen(value), "}");
    CHECK_REFUSED(schema, value, MCPW_E_MISSING);
    CHECK_ERROR("", "required member 'm100' is missing");
    (void)snprintf(value + strlen(value) - 1, sizeof value - strlen(value), ",\"m100\":0}");
    CHECK_FITS(schema, value);
}

static void test_a_member_that_occurs_twice_is_checked_twice(void) {
    CHECK_REFUSED("{\"properties\":{\"a\":{\"type\":\"string\"}}}", "{\"a\":\"x\",\"a\":1}", MCPW_E_TYPE);
    CHECK_REFUSED("{\"properties\":{\"a\":{\"type\":\"string\"}}}", "{\"a\":1,\"a\":\"x\"}", MCPW_E_TYPE);
}

static void test_strict_refuses_members_that_occur_twice(void) {
    mcpw_arena scratch = MCPW_ARENA_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    static const char value[] = "{\"a\":[{\"b\":1,\"c\":2,\"b\":3}]}";
    mcpw_schema *const schema = schema_of("{\"type\":\"object\"}", NULL);
    CHECK(mcpw_schema_check(schema, value, sizeof value - 1, &scratch, &options, NULL) == MCPW_OK);
    options.flags = MCPW_STRICT;
    CHECK(mcpw_schema_check(schema, value, sizeof value - 1, &scratch, &options, NULL) == MCPW_E_DUPLICATE);
    mcpw_schema_free(schema);
    mcpw_arena_free(&scratch);
}

/* ---- errors ---- */

static void test_an_error_tells_where_and_what(void) {
    CHECK_REFUSED("{\"properties\":{\"a/b\":{\"items\":{\"type\":[\"string\",\"null\"]}}}}",
                  "{\"a/b\":[null,{}]}", MCPW_E_TYPE);
    CHECK_ERROR("/a~1b/1", "expected string or null, got object");
    CHECK(schema_error.offset == 13);
    CHECK_REFUSED("{\"required\":[\"city\"]}", "{}", MCPW_E_MISSING);
    CHECK_ERROR("", "required member 'city' is missing");
    CHECK_REFUSED("{\"additionalProperties\":false}", "{\"x\":1}", MCPW_E_UNEXPECTED);
    CHECK_ERROR("/x", "member 'x' is not allowed here");
    CHECK_REFUSED("{\"enum\":[\"celsius\",\"kelvin\",3]}", "\"rankine\"", MCPW_E_VALUE);
    CHECK_ERROR("", "expected one of 'celsius', 'kelvin', 3");
    CHECK_REFUSED("{\"minLength\":3}", "\"\\u00e4\\u00f6\"", MCPW_E_LENGTH);
    CHECK_ERROR("", "string is shorter than 3 characters");
    CHECK_REFUSED("{\"minLength\":1}", "\"\"", MCPW_E_LENGTH);
    CHECK_ERROR("", "string is shorter than 1 character");
    CHECK_REFUSED("{\"maxItems\":1}", "[1,2]", MCPW_E_LENGTH);
    CHECK_ERROR("", "array has more than 1 item");
    CHECK_REFUSED("{\"maximum\":10}", "11", MCPW_E_RANGE);
    CHECK_ERROR("", "number is greater than 10");
}

static void test_the_one_alternative_of_the_type_tells_its_error(void) {
    static const char schema[] = "{\"anyOf\":[{\"type\":\"null\"},{\"$ref\":\"#/$defs/"
                                 "point\"}],\"$defs\":{\"point\":{\"type\":\"object\","
                                 "\"required\":[\"x\"]}}}";
    CHECK_REFUSED(schema, "{}", MCPW_E_MISSING);
    CHECK_REFUSED(schema, "7", MCPW_E_UNION);
    CHECK_ERROR("", "value fits none of the 2 alternatives");
}

/* Collects the paths of errors. */
static bool collect_paths(void *user, const mcpw_error *error) {
    char *const paths = user;
    (void)snprintf(paths + strlen(paths), 256 - strlen(paths), "%s ", error->path);
    return strstr(paths, "stop") == NULL;
}

static void test_every_error_is_reported(void) {
    mcpw_arena scratch = MCPW_ARENA_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_error first;
    char paths[256] = "";
    static const char text[] =
        "{\"required\":[\"m\",\"n\"],\"properties\":{\"a\":{\"type\":\"string\",\"minLength\":9},"
        "\"b\":{\"items\":{\"maximum\":1}},\"c\":{\"anyOf\":[false,false]}}}";
    static const char value[] = "{\"a\":\"x\",\"b\":[0,2,3],\"c\":0,\"a\":1}";
    mcpw_schema *const schema = schema_of(text, NULL);
    options.on_error = collect_paths;
    options.user = paths;
    CHECK(mcpw_schema_check(schema, value, sizeof value - 1, &scratch, &options, &first) == MCPW_E_LENGTH);
    CHECK_STRING(paths, "/a /b/1 /b/2 /c /a   ");
    CHECK_STRING(first.path, "/a");
    mcpw_schema_free(schema);
    mcpw_arena_free(&scratch);
}

static void test_the_callback_can_stop_the_check(void) {
    mcpw_arena scratch = MCPW_ARENA_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    char paths[256] = "";
    static const char value[] = "{\"a\":1,\"stop\":1,\"b\":1}";
    mcpw_schema *const schema = schema_of("{\"additionalProperties\":{\"type\":\"string\"}}", NULL);
    options.on_error = collect_paths;
    options.user = paths;
    CHECK(mcpw_schema_check(schema, value, sizeof value - 1, &scratch, &options, NULL) == MCPW_E_TYPE);
    CHECK_STRING(paths, "/a /stop ");
    mcpw_schema_free(schema);
    mcpw_arena_free(&scratch);
}

static void test_the_callback_hears_of_text_that_is_no_json(void) {
    mcpw_arena scratch = MCPW_ARENA_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    char paths[256] = "";
    mcpw_schema *const schema = schema_of("true", NULL);
    options.on_error = collect_paths;
    options.user = paths;
    CHECK(mcpw_schema_check(schema, "[1 2]", 5, &scratch, &options, NULL) == MCPW_E_SYNTAX);
    CHECK_STRING(paths, " ");
    mcpw_schema_free(schema);
    mcpw_arena_free(&scratch);
}

static void test_text_that_is_no_json(void) {
    static const char *const broken[] = {"",    "{",         "[1,]",  "{\"a\" 1}",  "nul",
                                         "01",  "\"\\x\"",   "1 2",   "{\"a\":1,}", "{\"\\x\":1}",
                                         "[1}", "{\"a\":1]", "{1:1}", "tru",        "-"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        CHECK_REFUSED("true", broken[i], MCPW_E_SYNTAX);
    }
    CHECK_REFUSED("true", "\"\xff\"", MCPW_E_UTF8);
    CHECK_REFUSED("true", "\"\\ud800\"", MCPW_E_UTF8);
}

/* ---- formats ---- */

static void test_formats_say_nothing_unless_asked(void) {
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    CHECK_FITS("{\"format\":\"date\"}", "\"tomorrow\"");
    options.flags = MCPW_SCHEMA_ASSERT_FORMATS;
    mcpw_schema *const schema = schema_of("{\"format\":\"date\"}", &options);
    CHECK(value_status(schema, "\"2024-02-29\"") == MCPW_OK);
    CHECK(value_status(schema, "\"2023-02-29\"") == MCPW_E_FORMAT);
    CHECK_ERROR("", "string is no date");
    CHECK(value_status(schema, "7") == MCPW_OK);
    mcpw_schema_free(schema);
}

static void test_each_format(void) {
    static const struct {
        const char *format;
        const char *good;
        const char *bad;
    } cases[] = {
        {"date", "\"2024-02-29\"", "\"2024-2-29\""},
        {"time", "\"23:59:60Z\"", "\"12:00:60Z\""},
        {"date-time", "\"2024-01-01T00:00:00.5+01:00\"", "\"2024-01-01 00:00:00Z\""},
        {"duration", "\"P1Y2M3DT4H5M6S\"", "\"P1D2Y\""},
        {"email", "\"a.b@example.org\"", "\"a..b@example.org\""},
        {"hostname", "\"example.org\"", "\"-example.org\""},
        {"ipv4", "\"127.0.0.1\"", "\"127.0.0.256\""},
        {"ipv6", "\"::ffff:127.0.0.1\"", "\"1::2::3\""},
        {"uri", "\"http://a.example:8080/b?c#d\"", "\"//a.example\""},
        {"uri-reference", "\"../a\"", "\"a b\""},
        {"iri", "\"http://\u00e9.example/\"", "\"\u00e9\""},
        {"uri-template", "\"/a/{b:3,c*}\"", "\"/a/{b\""},
        {"uuid", "\"123e4567-e89b-12d3-a456-426614174000\"", "\"123e4567e89b12d3a456426614174000\""},
        {"json-pointer", "\"/a~1b/~0\"", "\"a\""},
        {"relative-json-pointer", "\"1/a\"", "\"01/a\""},
    };
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    options.flags = MCPW_SCHEMA_ASSERT_FORMATS;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "{\"format\":\"%s\"}", cases[i].format);
        mcpw_schema *const schema = schema_of(text, &options);
        CHECK(value_status(schema, cases[i].good) == MCPW_OK);
        CHECK(value_status(schema, cases[i].bad) == MCPW_E_FORMAT);
        mcpw_schema_free(schema);
    }
}

/* Texts of one format, as JSON: those that fit it and those that do not. */
typedef struct format_case {
    const char *format;
    const char *good[8];
    const char *bad[12];
} format_case;

static void check_format(const format_case *f) {
    char text[64];
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    options.flags = MCPW_SCHEMA_ASSERT_FORMATS;
    (void)snprintf(text, sizeof text, "{\"format\":\"%s\"}", f->format);
    mcpw_schema *const schema = schema_of(text, &options);
    for (size_t i = 0; i < sizeof f->good / sizeof *f->good && f->good[i] != NULL; i++) {
        (void)check_that(value_status(schema, f->good[i]) == MCPW_OK, __FILE__, __LINE__, f->good[i]);
    }
    for (size_t i = 0; i < sizeof f->bad / sizeof *f->bad && f->bad[i] != NULL; i++) {
        (void)check_that(value_status(schema, f->bad[i]) == MCPW_E_FORMAT, __FILE__, __LINE__, f->bad[i]);
    }
    mcpw_schema_free(schema);
}

static void test_local_parts_of_addresses_may_be_quoted(void) {
    static const format_case plain = {
        "email",
        {"\"\\\"a b\\\"@a.example\"", "\"\\\"a\\\\\\\"b\\\"@a.example\"", "\"a@[127.0.0.1]\"",
         "\"a@[IPv6:::1]\""},
        {"\"\\\"a\\\"b\\\"@a.example\"", "\"\\\"a\\\\\\\"@a.example\"", "\"\\\"\\u00e9\\\"@a.example\"",
         "\"\\\"\\u0001\\\"@a.example\"", "\"\\\"@a.example\"", "\".a@a.example\"", "\"a.@a.example\"",
         "\"a@[127.0.0]\"", "\"a@[IPv6:x]\"", "\"a@[\"", "\"a\"", "\"a b@a.example\""},
    };
    static const format_case wide = {
        "idn-email", {"\"\\\"\\u00e9\\\"@a.example\"", "\"\\u00e9@\\u00e9.example\""}, {"\"\\u00e9\""}};
    check_format(&plain);
    check_format(&wide);
}

static void test_labels_of_hosts(void) {
    static const format_case plain = {
        "hostname",
        {"\"xn--4ca.example\"", "\"XN--4ca\"", "\"a-b.c1\"", "\"a--b\"", "\"abc-d\""},
        {"\"ab--c\"", "\"a-.b\"", "\"a..b\"", "\"a_b\"", "\"\"", "\".\"", "\"\\u00e9\"",
         "\"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl.a\""},
    };
    static const format_case wide = {
        "idn-hostname",
        {"\"\\u00e9.example\"", "\"a\\u3002b\"", "\"a\\uff0eb\"", "\"a\\uff61b\""},
        {"\"a\\u3002\"", "\"ab--\\u00e9\""}};
    check_format(&plain);
    check_format(&wide);
}

static void test_templates_of_uris(void) {
    static const format_case f = {
        "uri-template",
        {"\"{+a.b_c%41}%20\"", "\"{?a*,b:9999}\"", "\"\""},
        {"\"{a:b}\"", "\"{a:0}\"", "\"{a:12345}\"", "\"{a:}\"", "\"{a*b}\"", "\"{}\"", "\"{+}\"", "\"{a,}\"",
         "\"%2\"", "\"%zz\"", "\"a}\"", "\"{a..b}\""},
    };
    static const format_case more = {
        "uri-template", {"\"a\""}, {"\"%2g\"", "\"a b\"", "\"a\\u007f\"", "\"{a,,b}\"", "\"{%4}\""}};
    check_format(&f);
    check_format(&more);
}

static void test_dates_and_times_out_of_range(void) {
    static const format_case dates = {"date",
                                      {"\"2000-02-29\"", "\"2024-12-31\""},
                                      {"\"1900-02-29\"", "\"2024-00-01\"", "\"2024-13-01\"", "\"2024-04-31\"",
                                       "\"2024-04-00\"", "\"2024\"", "\"202x-01-01\"", "\"2024-01-01x\"",
                                       "\"2024-01x01\"", "\"2024-0\""}};
    static const format_case times = {
        "time",
        {"\"00:00:00z\"", "\"23:59:59.123-23:59\"", "\"00:59:60+01:00\"", "\"22:59:60-01:00\""},
        {"\"24:00:00Z\"", "\"12:60:00Z\"", "\"12:00:61Z\"", "\"12:00:00\"", "\"12:00:00.Z\"",
         "\"12:00:00+24:00\"", "\"12:00:00+01:60\"", "\"12:00:00+0100\"", "\"12:00\"", "\"12-00\"", "\"x\"",
         "\"12:00:00Zx\""}};
    static const format_case both = {
        "date-time",
        {"\"2024-01-01t00:00:00Z\""},
        {"\"2024-01-01\"", "\"x\"", "\"2024-01-01Tx\"", "\"2024-01-01T00:00:00Zx\""}};
    check_format(&dates);
    check_format(&times);
    check_format(&both);
}

static void test_durations_have_units_in_their_order(void) {
    static const format_case f = {"duration",
                                  {"\"P2W\"", "\"P1Y2M\"", "\"PT36H\"", "\"PT1M\"", "\"P1D\""},
                                  {"\"\"", "\"P\"", "\"PT\"", "\"P1\"", "\"P1X\"", "\"P1Y2D\"", "\"P1M2Y\"",
                                   "\"P2WD\"", "\"PT1S2H\"", "\"P1DT\"", "\"P1DX\"", "\"PT1SX\""}};
    check_format(&f);
}

static void test_pointers_and_identifiers(void) {
    static const format_case pointers = {"json-pointer", {"\"\"", "\"/\""}, {"\"/~\"", "\"/~2\"", "\"/a~\""}};
    static const format_case relative = {"relative-json-pointer",
                                         {"\"0\"", "\"0#\"", "\"12/~1\""},
                                         {"\"\"", "\"#\"", "\"0#a\"", "\"-1\"", "\"1a\""}};
    static const format_case uuids = {
        "uuid",
        {"\"ABCDEF00-0000-0000-0000-00000000000f\""},
        {"\"\"", "\"ABCDEF00-0000-0000-0000-00000000000g\"", "\"ABCDEF0000000-0000-0000-00000000000f\""}};
    check_format(&pointers);
    check_format(&relative);
    check_format(&uuids);
}

static void test_what_addresses_consist_of(void) {
    static const format_case four = {"ipv4",
                                     {"\"0.0.0.0\""},
                                     {"\"1.2.3\"", "\"1.2.3.4.5\"", "\"01.2.3.4\"", "\"1.2.3.\"",
                                      "\"1.2.3.1000\"", "\"a\"", "\"\"", "\"1.2.3.4a\""}};
    static const format_case six = {
        "ipv6",
        {"\"::\"", "\"1:2:3:4:5:6:7:8\"", "\"1:2:3:4:5:6:1.2.3.4\"", "\"1::\"", "\"::1\""},
        {"\"\"", "\":\"", "\"1:2:3:4:5:6:7\"", "\"1:2:3:4:5:6:7:8:9\"", "\"1:2:3:4:5:6:7:1.2.3.4\"",
         "\"12345::\"", "\"1:\"", "\"g::\"", "\":1::\"", "\"::1.2.3\"", "\"1:2:3:4:5:6:7::8\"", "\":::\""}};
    check_format(&four);
    check_format(&six);
}

static void test_parts_of_uris(void) {
    static const format_case uris = {
        "uri",
        {"\"a:\"", "\"a://u:p@[::1]:1/\"", "\"a://[v1.x]/\"", "\"a+b-c.1:b?c/?#d/?\"", "\"urn:a:%41\""},
        {"\"1a:\"", "\"a\"", "\"a://[::1\"", "\"a://[x]\"", "\"a://b:c\"", "\"a:%4\"", "\"a:b#c#d\"",
         "\"a://b@c@d\"", "\"a:\\u00e9\"", "\":a\"", "\"a:[\"", "\"a://[v.x]\""}};
    static const format_case iris = {
        "iri-reference", {"\"\\u00e9?\\u00e9#\\u00e9\"", "\"\""}, {"\"\\\\\"", "\"a b\""}};
    check_format(&uris);
    check_format(&iris);
}

static void test_draft_07_does_not_know_newer_formats(void) {
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    options.flags = MCPW_SCHEMA_ASSERT_FORMATS;
    options.dialect = MCPW_SCHEMA_DRAFT_07;
    mcpw_schema *const schema = schema_of("{\"format\":\"uuid\"}", &options);
    CHECK(value_status(schema, "\"x\"") == MCPW_OK);
    mcpw_schema_free(schema);
}

int main(void) {
    RUN(test_multiples_are_exact_in_decimal);
    RUN(test_multiples_of_any_size);
    RUN(test_bounds_are_exact);
    RUN(test_an_integer_is_one_by_value);
    RUN(test_numbers_are_equal_by_value);
    RUN(test_objects_of_scalars);
    RUN(test_objects_of_scalars_without_more);
    RUN(test_members_are_equal_in_any_order);
    RUN(test_twins_among_many_are_found);
    RUN(test_escapes_do_not_matter);
    RUN(test_more_required_members_than_bits_in_a_word);
    RUN(test_a_member_that_occurs_twice_is_checked_twice);
    RUN(test_strict_refuses_members_that_occur_twice);
    RUN(test_an_error_tells_where_and_what);
    RUN(test_the_one_alternative_of_the_type_tells_its_error);
    RUN(test_every_error_is_reported);
    RUN(test_the_callback_can_stop_the_check);
    RUN(test_the_callback_hears_of_text_that_is_no_json);
    RUN(test_text_that_is_no_json);
    RUN(test_formats_say_nothing_unless_asked);
    RUN(test_each_format);
    RUN(test_local_parts_of_addresses_may_be_quoted);
    RUN(test_labels_of_hosts);
    RUN(test_templates_of_uris);
    RUN(test_dates_and_times_out_of_range);
    RUN(test_durations_have_units_in_their_order);
    RUN(test_pointers_and_identifiers);
    RUN(test_what_addresses_consist_of);
    RUN(test_parts_of_uris);
    RUN(test_draft_07_does_not_know_newer_formats);
    return check_end();
}
