/* SPDX-License-Identifier: MIT */
/* Structs that are described by their members: their schemas, and their values from JSON and to it. */
#include <mcpw/described.h>
#include <mcpw/schema.h>

#include <mcpw/json.h>

#include <stdlib.h>

#include "check.h"
#include "counting_allocator.h"

typedef enum sky { SKY_NONE, SKY_CLEAR, SKY_CLOUDY } sky;

typedef struct place {
    mcpw_str name;
    double height;
    const struct place *within; /* NULL: nothing */
} place;

typedef struct all {
    bool flag;
    int small;
    long long large;
    unsigned plain;
    double number;
    mcpw_str text;
    mcpw_str title; /* may be absent */
    mcpw_json any;
    mcpw_opt_bool maybe;
    mcpw_opt_int days;
    mcpw_opt_double share;
    sky over;
    sky under; /* may be absent */
    place where;
    const place *other;
    struct {
        const double *items;
        size_t count;
    } heights;
    struct {
        const place *items;
        size_t count;
    } places;
    struct {
        const mcpw_str *items;
        size_t count;
    } names;
} all;

static const char *const skies[] = {"clear", "cloudy", NULL};

extern const mcpw_described place_type; /* it refers to itself */
static const mcpw_described_member place_members[] = {
    MCPW_MEMBER(place, name, "What it is called"),
    MCPW_MEMBER_RANGE(place, height, -100, 9000, NULL),
    MCPW_MEMBER_POINTER_TO(place, within, &place_type, "What it lies in"),
};
const mcpw_described place_type = MCPW_DESCRIBED(place, place_members);

static const mcpw_described_member all_members[] = {
    MCPW_MEMBER(all, flag, NULL),
    MCPW_MEMBER(all, small, NULL),
    MCPW_MEMBER(all, large, NULL),
    MCPW_MEMBER(all, plain, NULL),
    MCPW_MEMBER(all, number, NULL),
    MCPW_MEMBER(all, text, "A \"text\""),
    MCPW_MEMBER_OPTIONAL(all, title, NULL),
    MCPW_MEMBER_OPTIONAL(all, any, NULL),
    MCPW_MEMBER(all, maybe, NULL),
    MCPW_MEMBER_RANGE(all, days, 1, 7, NULL),
    MCPW_MEMBER(all, share, NULL),
    MCPW_MEMBER_WORDS(all, over, skies, NULL),
    MCPW_MEMBER_OPTIONAL_WORDS(all, under, skies, NULL),
    MCPW_MEMBER_STRUCT(all, where, &place_type, NULL),
    MCPW_MEMBER_POINTER_TO(all, other, &place_type, NULL),
    MCPW_MEMBER_LIST(all, heights, NULL),
    MCPW_MEMBER_LIST_OF(all, places, &place_type, NULL),
    MCPW_MEMBER_LIST(all, names, NULL),
};
static const mcpw_described all_type = MCPW_DESCRIBED(all, all_members);

static const char full[] =
    "{\"flag\":true,\"small\":-5,\"large\":9007199254740993,\"plain\":4000000000,\"number\":1.5,\"text\":"
    "\"t\","
    "\"title\":\"T\",\"any\":[1,{}],\"maybe\":false,\"days\":7,\"share\":0.25,\"over\":\"cloudy\","
    "\"under\":\"clear\",\"where\":{\"name\":\"n\",\"height\":2},\"other\":{\"name\":\"o\",\"height\":3,"
    "\"within\":{\"name\":\"p\",\"height\":4}},\"heights\":[1,2.5],\"places\":[{\"name\":\"q\",\"height\":5}]"
    ","
    "\"names\":[\"a\",\"b\"]}";

static mcpw_schema *schema_of(const mcpw_described *type) {
    mcpw_buffer text = MCPW_BUFFER_INIT;
    mcpw_schema *schema = NULL;
    mcpw_error error = {0};
    CHECK(mcpw_described_schema(type, &text, &error) == MCPW_OK);
    CHECK_STRING(error.message, "");
    CHECK(mcpw_schema_compile(text.data, text.len, NULL, &schema, &error) == MCPW_OK);
    CHECK_STRING(error.message, "");
    mcpw_buffer_free(&text);
    return schema;
}

static mcpw_status decode(const char *text, all *out, mcpw_arena *arena, mcpw_error *error) {
    return mcpw_described_decode(&all_type, mcpw_json_from(text), arena, out, error);
}

static void a_value_comes_and_goes_unchanged(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer text = MCPW_BUFFER_INIT;
    mcpw_error error = {0};
    all value;
    CHECK(decode(full, &value, &arena, &error) == MCPW_OK);
    CHECK_STRING(error.message, "");
    CHECK(value.flag && value.small == -5 && value.large == 9007199254740993 && value.plain == 4000000000U);
    CHECK(value.over == SKY_CLOUDY && value.under == SKY_CLEAR && value.days.set && value.days.value == 7);
    CHECK(value.other != NULL && value.other->within != NULL && value.where.within == NULL);
    CHECK(value.heights.count == 2 && value.heights.items[1] > 2.4 && value.places.count == 1);
    CHECK_TEXT(value.names.items[1].ptr, value.names.items[1].len, "b");
    CHECK(mcpw_described_encode(&all_type, &value, &text, &error) == MCPW_OK);
    CHECK_TEXT(text.data, text.len, full);
    mcpw_buffer_free(&text);
    mcpw_arena_free(&arena);
}

static void what_is_absent_is_not_written(void) {
    static const char least[] =
        "{\"flag\":false,\"small\":0,\"large\":0,\"plain\":0,\"number\":0,\"text\":\"\",\"over\":\"clear\","
        "\"where\":{\"name\":\"\",\"height\":0},\"heights\":[],\"places\":[],\"names\":[]}";
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer text = MCPW_BUFFER_INIT;
    mcpw_error error = {0};
    all value;
    CHECK(decode(least, &value, &arena, &error) == MCPW_OK);
    CHECK(mcpw_described_encode(&all_type, &value, &text, &error) == MCPW_OK);
    CHECK_TEXT(text.data, text.len, least);
    value.over = SKY_NONE;
    CHECK(mcpw_described_encode(&all_type, &value, &text, &error) == MCPW_E_MISSING);
    mcpw_buffer_free(&text);
    mcpw_arena_free(&arena);
}

static void the_schema_of_a_small_struct_is_short(void) {
    mcpw_buffer text = MCPW_BUFFER_INIT;
    mcpw_error error;
    CHECK(mcpw_described_schema(&place_type, &text, &error) == MCPW_OK);
    CHECK_TEXT(
        text.data, text.len,
        "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\",\"description\":\"What it is "
        "called\"},\"height\":{\"type\":\"number\",\"minimum\":-100,\"maximum\":9000},\"within\":{\"$ref\":"
        "\"#\",\"description\":\"What it lies in\"}},\"required\":[\"name\",\"height\"]}");
    mcpw_buffer_free(&text);
}

/* The verdicts of the decoder and of the schema on a text. */
static void compare(const mcpw_schema *schema, const char *text, size_t len) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {0};
    all value;
    const mcpw_json json = mcpw_json_of(text, len);
    const bool fits = mcpw_schema_check(schema, text, len, &arena, NULL, NULL) == MCPW_OK;
    const bool read = mcpw_described_decode(&all_type, json, &arena, &value, &error) == MCPW_OK;
    if (!check_that(fits == read, __FILE__, __LINE__, "the schema and the decoder agree")) {
        (void)fprintf(stderr, "  %.*s\n  %s: %s\n", (int)len, text, error.path, error.message);
    }
    CHECK(read || (value.text.ptr == NULL && value.heights.items == NULL)); /* it is zeroed */
    mcpw_arena_free(&arena);
}

/* Every value is replaced by every other one, and every member left out. */
static void the_decoder_says_what_the_schema_says(void) {
    static const char *const others[] = {"null",
                                         "true",
                                         "0",
                                         "-1",
                                         "1.5",
                                         "1.0",
                                         "8",
                                         "2147483648",
                                         "4294967296",
                                         "9223372036854775807",
                                         "1e3",
                                         "9223372036854775808",
                                         "-101",
                                         "\"clear\"",
                                         "\"\\u0063lear\"",
                                         "\"x\"",
                                         "[]",
                                         "[1]",
                                         "[null]",
                                         "{}",
                                         "{\"name\":\"n\",\"height\":1}",
                                         "[{\"name\":\"n\",\"height\":1,\"more\":2}]"};
    mcpw_schema *const schema = schema_of(&all_type);
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json value;
    compare(schema, full, sizeof full - 1);
    CHECK(mcpw_json_iterate(mcpw_json_from(full), &it) == MCPW_OK);
    while (mcpw_json_next(&it, &key, &value)) {
        char text[2048];
        const int before = (int)(key.ptr - full);
        const char *const rest = value.ptr + value.len;
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            const int len = snprintf(text, sizeof text, "%.*s%.*s:%s%s", before, full, (int)key.len, key.ptr,
                                     others[i], rest);
            compare(schema, text, (size_t)len);
        }
        const int len = snprintf(text, sizeof text, "%.*s\"unknown\":1%s", before, full, rest);
        compare(schema, text, (size_t)len);
    }
    compare(schema, "[]", 2);
    compare(schema, "{", 1);
    mcpw_schema_free(schema);
}

static void errors_have_the_pointer(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error;
    place value;
    CHECK(mcpw_described_decode(
              &place_type,
              mcpw_json_from("{\"name\":\"n\",\"height\":1,\"within\":{\"name\":\"m\",\"height\":\"x\"}}"),
              &arena, &value, &error) == MCPW_E_TYPE);
    CHECK_STRING(error.path, "/within/height");
    CHECK(mcpw_described_decode(&place_type, mcpw_json_from("{\"name\":\"n\",\"height\":9001}"), &arena,
                                &value, &error) == MCPW_E_RANGE);
    CHECK_STRING(error.path, "/height");
    CHECK(mcpw_described_decode(&place_type, mcpw_json_from("{\"name\":\"n\"}"), &arena, &value, &error) ==
          MCPW_E_MISSING);
    CHECK_STRING(error.message, "missing required member \"height\"");
    mcpw_arena_free(&arena);
}

static void what_the_schema_refuses_is_not_written(void) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_error error;
    place value = {MCPW_STR("n"), 9001, NULL};
    CHECK(mcpw_described_encode(&place_type, &value, &out, &error) == MCPW_E_RANGE);
    CHECK_STRING(error.path, "/height");
    value.height = 1;
    value.name.ptr = NULL;
    CHECK(mcpw_described_encode(&place_type, &value, &out, &error) == MCPW_E_MISSING);
    value.name = (mcpw_str)MCPW_STR("n");
    value.within = &value; /* round and round */
    CHECK(mcpw_described_encode(&place_type, &value, &out, &error) == MCPW_E_DEPTH);
    CHECK(out.len == 0);
    mcpw_buffer_free(&out);
}

typedef struct odd {
    sky over;
    double number;
    char letter; /* no pointer is as small on any machine */
} odd;

static void a_description_that_does_not_fit_is_refused(void) {
    static const char *const none[] = {NULL};
    const mcpw_described_member bad[] = {
        MCPW_MEMBER_WORDS(odd, over, none, NULL),
        MCPW_MEMBER_RANGE(odd, number, 2, 1, NULL),
        MCPW_MEMBER_STRUCT(odd, number, &place_type, NULL),
        MCPW_MEMBER_POINTER_TO(odd, letter, &place_type, NULL),
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        mcpw_buffer text = MCPW_BUFFER_INIT;
        mcpw_error error;
        const mcpw_described type = {"odd", sizeof(odd), bad + i, 1};
        CHECK(mcpw_described_schema(&type, &text, &error) == MCPW_E_ARGUMENT);
        CHECK(error.path[0] == '/' && text.len == 0);
        mcpw_buffer_free(&text);
    }
    const mcpw_described namesake = {"place", sizeof(odd), bad, 0};
    const mcpw_described_member both[] = {MCPW_MEMBER_STRUCT(all, where, &place_type, NULL),
                                          {"odd", NULL, 0, sizeof(odd), MCPW_MEMBER_OBJECT,
                                           MCPW_MEMBER_OBJECT, false, false, 0, 0, NULL, &namesake, 0}};
    const mcpw_described type = {"both", sizeof(all), both, 2};
    mcpw_buffer text = MCPW_BUFFER_INIT;
    mcpw_error error;
    CHECK(mcpw_described_schema(&type, &text, &error) == MCPW_E_ARGUMENT);
    CHECK_STRING(error.message, "two structs are called place");
    mcpw_buffer_free(&text);
}

static void any_allocation_may_fail(void) {
    for (size_t n = 1;; n++) {
        counting memory = {.fail_at = n, .stingy = true};
        mcpw_arena arena = MCPW_ARENA_INIT;
        mcpw_buffer text = MCPW_BUFFER_INIT;
        mcpw_error error = {0};
        all value;
        arena.allocator = counting_allocator(&memory);
        text.allocator = arena.allocator;
        mcpw_status status = mcpw_described_schema(&all_type, &text, &error);
        mcpw_buffer_free(&text);
        status = status == MCPW_OK ? decode(full, &value, &arena, &error) : status;
        status = status == MCPW_OK ? mcpw_described_encode(&all_type, &value, &text, &error) : status;
        mcpw_buffer_free(&text);
        mcpw_arena_free(&arena);
        CHECK(memory.in_use == 0);
        if (memory.calls < n) {
            CHECK(status == MCPW_OK);
            return;
        }
        CHECK((status == MCPW_E_MEMORY || status == MCPW_E_ARENA) && error.code == status);
    }
}

int main(void) {
    RUN(a_value_comes_and_goes_unchanged);
    RUN(what_is_absent_is_not_written);
    RUN(the_schema_of_a_small_struct_is_short);
    RUN(the_decoder_says_what_the_schema_says);
    RUN(errors_have_the_pointer);
    RUN(what_the_schema_refuses_is_not_written);
    RUN(a_description_that_does_not_fit_is_refused);
    RUN(any_allocation_may_fail);
    return check_end();
}
