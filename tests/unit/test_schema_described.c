/* SPDX-License-Identifier: MIT */
/* Structs that are described by their members: their schemas, and their values from JSON and to it. */
#include <mcpw/codec.h>
#include <mcpw/described.h>
#include <mcpw/detail/field.h>
#include <mcpw/schema.h>

#include <mcpw/json.h>

#include <math.h>
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

/* Decodes by a type that is made in the same arena. */
static mcpw_status decode_as(const mcpw_described *described, const char *text, size_t len, mcpw_arena *arena,
                             void *out, mcpw_error *error) {
    const mcpw_type *const type = mcpw_described_type(described, arena, error);
    return type != NULL ? mcpw_decode(type, text, len, arena, out, NULL, error) : error->code;
}

static mcpw_status encode_as(const mcpw_described *described, const void *value, mcpw_buffer *out,
                             mcpw_error *error) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    arena.allocator = out->allocator;
    const mcpw_type *const type = mcpw_described_type(described, &arena, error);
    const mcpw_status status = type != NULL ? mcpw_encode(type, value, out, NULL, error) : error->code;
    mcpw_arena_free(&arena);
    return status;
}

static mcpw_status decode(const char *text, all *out, mcpw_arena *arena, mcpw_error *error) {
    return decode_as(&all_type, text, strlen(text), arena, out, error);
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
    CHECK(encode_as(&all_type, &value, &text, &error) == MCPW_OK);
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
    CHECK(encode_as(&all_type, &value, &text, &error) == MCPW_OK);
    CHECK_TEXT(text.data, text.len, least);
    value.over = SKY_NONE;
    CHECK(encode_as(&all_type, &value, &text, &error) == MCPW_E_MISSING);
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
    const bool fits = mcpw_schema_check(schema, text, len, &arena, NULL, NULL) == MCPW_OK;
    const bool read = decode_as(&all_type, text, len, &arena, &value, &error) == MCPW_OK;
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

static mcpw_status decode_place(const char *text, mcpw_error *error) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    place value;
    const mcpw_status status = decode_as(&place_type, text, strlen(text), &arena, &value, error);
    mcpw_arena_free(&arena);
    return status;
}

static void errors_have_the_pointer(void) {
    mcpw_error error;
    CHECK(decode_place("{\"name\":\"n\",\"height\":1,\"within\":{\"name\":\"m\",\"height\":\"x\"}}",
                       &error) == MCPW_E_TYPE);
    CHECK_STRING(error.path, "/within/height");
    CHECK(decode_place("{\"name\":\"n\",\"height\":9001}", &error) == MCPW_E_RANGE);
    CHECK_STRING(error.path, "/height");
    CHECK_STRING(error.message, "expected at least -100 and at most 9000");
    CHECK(decode_place("{\"name\":\"n\"}", &error) == MCPW_E_MISSING);
    CHECK_STRING(error.message, "missing required member \"height\"");
    CHECK(decode_place("{\"name\":\"n\",\"height\":1,\"height\":2}", &error) == MCPW_E_DUPLICATE);
}

static void what_the_schema_refuses_is_not_written(void) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_error error;
    place value = {MCPW_STR("n"), 9001, NULL};
    CHECK(encode_as(&place_type, &value, &out, &error) == MCPW_E_RANGE);
    CHECK_STRING(error.path, "/height");
    value.height = 1;
    value.name.ptr = NULL;
    CHECK(encode_as(&place_type, &value, &out, &error) == MCPW_E_MISSING);
    value.name = (mcpw_str)MCPW_STR("n");
    value.within = &value; /* round and round */
    CHECK(encode_as(&place_type, &value, &out, &error) == MCPW_E_DEPTH);
    CHECK(out.len == 0);
    mcpw_buffer_free(&out);
}

typedef struct numbers {
    int small;
    unsigned plain;
    long long large;
    int few; /* from 2 to 5 */
    double share;
    struct {
        const int *items;
        size_t count;
    } list;
} numbers;

static const mcpw_described_member number_members[] = {
    MCPW_MEMBER(numbers, small, NULL),
    MCPW_MEMBER(numbers, plain, NULL),
    MCPW_MEMBER(numbers, large, NULL),
    MCPW_MEMBER_RANGE(numbers, few, 1.5, 5.5, NULL),
    MCPW_MEMBER_RANGE(numbers, share, -0.25, 0.75, NULL),
    MCPW_MEMBER_LIST(numbers, list, NULL),
};
static const mcpw_described number_type = MCPW_DESCRIBED(numbers, number_members);

static void integers_have_their_own_bounds_or_closer_ones(void) {
    static const struct {
        const char *text;
        mcpw_status status;
    } cases[] = {
        {"{\"small\":-2147483648,\"plain\":4294967295,\"large\":-9223372036854775808,\"few\":2,\"share\":-0."
         "25,"
         "\"list\":[2147483647,-1]}",
         MCPW_OK},
        {"{\"small\":2147483648,\"plain\":0,\"large\":0,\"few\":2,\"share\":0,\"list\":[]}", MCPW_E_RANGE},
        {"{\"small\":0,\"plain\":-1,\"large\":0,\"few\":2,\"share\":0,\"list\":[]}", MCPW_E_RANGE},
        {"{\"small\":0,\"plain\":0,\"large\":0,\"few\":1,\"share\":0,\"list\":[]}", MCPW_E_RANGE},
        {"{\"small\":0,\"plain\":0,\"large\":0,\"few\":6,\"share\":0,\"list\":[]}", MCPW_E_RANGE},
        {"{\"small\":0,\"plain\":0,\"large\":0,\"few\":5,\"share\":0.76,\"list\":[]}", MCPW_E_RANGE},
        {"{\"small\":0,\"plain\":0,\"large\":0,\"few\":5,\"share\":0.75,\"list\":[-2147483649]}",
         MCPW_E_RANGE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mcpw_arena arena = MCPW_ARENA_INIT;
        mcpw_buffer out = MCPW_BUFFER_INIT;
        mcpw_error error = {0};
        numbers value;
        const char *const text = cases[i].text;
        CHECK(decode_as(&number_type, text, strlen(text), &arena, &value, &error) == cases[i].status);
        if (cases[i].status == MCPW_OK) {
            CHECK(encode_as(&number_type, &value, &out, &error) == MCPW_OK);
            CHECK_TEXT(out.data, out.len, text);
            value.few = 6;
            CHECK(encode_as(&number_type, &value, &out, &error) == MCPW_E_RANGE);
        }
        mcpw_buffer_free(&out);
        mcpw_arena_free(&arena);
    }
}

static void an_empty_list_may_be_null(void) {
    mcpw_buffer out = MCPW_BUFFER_INIT;
    mcpw_error error;
    numbers value = {0, 0, 0, 2, 0, {NULL, 0}};
    CHECK(encode_as(&number_type, &value, &out, &error) == MCPW_OK);
    CHECK_TEXT(out.data, out.len, "{\"small\":0,\"plain\":0,\"large\":0,\"few\":2,\"share\":0,\"list\":[]}");
    value.list.count = 1;
    CHECK(encode_as(&number_type, &value, &out, &error) == MCPW_E_ARGUMENT);
    mcpw_buffer_free(&out);
}

/* The handle is one like those of generated types. */
static void values_are_compared_copied_and_looked_into(void) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error;
    const mcpw_type *const type = mcpw_described_type(&number_type, &arena, &error);
    static const int items[] = {7};
    numbers value = {-3, 4000000000U, 0, 2, 0, {items, 1}};
    numbers copy;
    double number = 0;
    CHECK(type != NULL);
    CHECK_STRING(mcpw_type_name(type), "numbers");
    CHECK(mcpw_copy(type, &value, &arena, &copy, &error) == MCPW_OK && copy.list.items != items);
    CHECK(mcpw_equal(type, &value, &copy));
    copy.small = 3;
    CHECK(!mcpw_equal(type, &value, &copy));
    CHECK(mcpw_field_number(mcpw_field_get(mcpw_field_of(type, &value), "small"), &number) && number == -3);
    CHECK(mcpw_field_number(mcpw_field_get(mcpw_field_of(type, &value), "plain"), &number) &&
          number == 4000000000.0);
    mcpw_arena_free(&arena);
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
        MCPW_MEMBER_RANGE(odd, number, 0, HUGE_VAL, NULL),
        MCPW_MEMBER_STRUCT(odd, number, &place_type, NULL),
        MCPW_MEMBER_POINTER_TO(odd, letter, &place_type, NULL),
        {NULL, NULL, 0, sizeof(int), MCPW_MEMBER_INTEGER, MCPW_MEMBER_INTEGER, false, false, 0, 0, NULL, NULL,
         0},
        {"no_type", NULL, 0, sizeof(void *), MCPW_MEMBER_POINTER, MCPW_MEMBER_POINTER, false, false, 0, 0,
         NULL, NULL, 0},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        mcpw_buffer text = MCPW_BUFFER_INIT;
        mcpw_error error;
        const mcpw_described type = {"odd", sizeof(odd), bad + i, 1};
        CHECK(mcpw_described_schema(&type, &text, &error) == MCPW_E_ARGUMENT);
        CHECK((error.path[0] == '/' || bad[i].name == NULL) && text.len == 0);
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

static void what_the_tables_cannot_hold_is_refused(void) {
    enum { TOO_MANY = 65, TOO_LONG = 251 };
    static const char *const quoted[] = {"a\"b", NULL};
    static char word[TOO_LONG + 1];
    static const char *const long_words[] = {word, NULL};
    static mcpw_described_member many[TOO_MANY];
    static char names[TOO_MANY][2];
    mcpw_described_member list[] = {MCPW_MEMBER_LIST(numbers, list, NULL)};
    const mcpw_described_member words[] = {MCPW_MEMBER_WORDS(odd, over, quoted, NULL)};
    const mcpw_described_member longest[] = {MCPW_MEMBER_WORDS(odd, over, long_words, NULL)};
    const mcpw_described types[] = {{"many", sizeof(numbers), many, TOO_MANY},
                                    {"list", sizeof(numbers), list, 1},
                                    {"words", sizeof(odd), words, 1},
                                    {"longest", sizeof(odd), longest, 1},
                                    {"large", (size_t)UINT16_MAX + 1, number_members, 1}};
    memset(word, 'x', TOO_LONG);
    for (size_t i = 0; i < TOO_MANY; i++) {
        many[i] = number_members[0];
        names[i][0] = (char)('0' + i);
        many[i].name = names[i];
    }
    list[0].count_offset = 0;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        mcpw_arena arena = MCPW_ARENA_INIT;
        mcpw_error error = {0};
        CHECK(mcpw_described_type(types + i, &arena, &error) == NULL);
        CHECK(error.code == MCPW_E_ARGUMENT && error.message[0] != '\0');
        mcpw_arena_free(&arena);
    }
}

/* The small library's arenas begin with blocks that the allocator does not count as large. An arena that gets
 * no such block asks for a smaller one, so memory has to stay out for a failure to be seen. */
static void any_allocation_may_fail(void) {
    for (size_t n = 1;; n++) {
        counting memory = {.fail_at = n, .stays_out = true, .stingy = true};
        mcpw_arena arena = MCPW_ARENA_INIT;
        mcpw_buffer text = MCPW_BUFFER_INIT;
        mcpw_error error = {0};
        all value;
        arena.allocator = counting_allocator(&memory);
        text.allocator = arena.allocator;
        mcpw_status status = mcpw_described_schema(&all_type, &text, &error);
        mcpw_buffer_free(&text);
        status = status == MCPW_OK ? decode(full, &value, &arena, &error) : status;
        status = status == MCPW_OK ? encode_as(&all_type, &value, &text, &error) : status;
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
    RUN(integers_have_their_own_bounds_or_closer_ones);
    RUN(an_empty_list_may_be_null);
    RUN(values_are_compared_copied_and_looked_into);
    RUN(a_description_that_does_not_fit_is_refused);
    RUN(what_the_tables_cannot_hold_is_refused);
    RUN(any_allocation_may_fail);
    return check_end();
}
