/* SPDX-License-Identifier: MIT */
/* The small grammars: base64, URI templates, formats under MCPW_STRICT, numbers read and printed. */
#include "fuzz.h"

#include "number.h"
#include "support/uri_template.h"

#include <mcpw/detail/generated.h>
#include <mcpw/detail/table.h>
#include <mcpw/json.h>
#include <mcpw/server.h>

#include <float.h>
#include <math.h>

enum { MODES = 5, BASE = 10, LONGEST_NUMBER = 800 };

/* ---- base64 ---- */

static void base64(mcpw_arena *arena, mcpw_str in) {
    mcpw_str bytes = {NULL, 0};
    mcpw_str again = {NULL, 0};
    const mcpw_str text = mcpw_base64_encode(arena, in.ptr, in.len);
    FUZZ_ASSERT(text.ptr != NULL);
    FUZZ_SAME(mcpw_base64_decode(arena, text, &bytes), MCPW_OK, "base64 of our own");
    FUZZ_ASSERT(bytes.len == in.len && (in.len == 0 || memcmp(bytes.ptr, in.ptr, in.len) == 0));
    if (mcpw_base64_decode(arena, in, &bytes) == MCPW_OK) { /* one text for each value */
        again = mcpw_base64_encode(arena, bytes.ptr, bytes.len);
        FUZZ_ASSERT(again.len == in.len && (in.len == 0 || memcmp(again.ptr, in.ptr, in.len) == 0));
    }
}

/* ---- URI templates ---- */

static void expand(const mcpw_uri_template *t, mcpw_arena *arena, mcpw_str text, const mcpw_str *values) {
    mcpw_uri_variable variables[MCPW_MAX_VARIABLES];
    mcpw_str uri = {NULL, 0};
    mcpw_str matched[MCPW_MAX_VARIABLES] = {{NULL, 0}};
    for (size_t i = 0; i < t->count; i++) {
        variables[i].name = t->parts[i].name;
        variables[i].value = values[i];
    }
    FUZZ_SAME(mcpw_uri_template_expand(arena, text, variables, t->count, &uri, NULL), MCPW_OK, "expansion");
    FUZZ_SAME(mcpw_uri_template_match(t, uri, arena, matched), MCPW_OK, "match of an expansion");
}

static void uri_template(mcpw_arena *arena, mcpw_str in, size_t split) {
    const mcpw_str text = {in.ptr, split < in.len ? split : in.len};
    const mcpw_str uri = {in.ptr + text.len, in.len - text.len};
    mcpw_str values[MCPW_MAX_VARIABLES] = {{NULL, 0}};
    mcpw_uri_template t;
    mcpw_error error = {0};
    const mcpw_status status = mcpw_uri_template_parse(&t, text, &error);
    fuzz_check_error(status, &error);
    if (status != MCPW_OK) {
        return;
    }
    FUZZ_ASSERT(t.count <= MCPW_MAX_VARIABLES);
    if (mcpw_uri_template_match(&t, uri, arena, values) == MCPW_OK) {
        for (size_t i = 0; i < t.count; i++) {
            FUZZ_ASSERT(values[i].len != 0 && strlen(values[i].ptr) == values[i].len);
        }
        expand(&t, arena, text, values);
    }
}

/* ---- formats ---- */

/* The verdict on a text with each check that the revision's tables hold: validate, decode, encode alike. */
static void formats(const mcpw_revision *revision, mcpw_arena *arena, mcpw_str in) {
    enum { GROWTH = 6, MORE = 16 };
    char *const room = fuzz_alloc(in.len * GROWTH + MORE);
    mcpw_json_writer writer;
    mcpw_json json = {NULL, 0, 0};
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.flags = MCPW_STRICT;
    mcpw_json_write_begin(&writer, room, in.len * GROWTH + MORE);
    mcpw_json_write_string(&writer, in.ptr, in.len);
    for (uint16_t i = 0; i < revision->check_count && mcpw_json_write_end(&writer, &json) == MCPW_OK; i++) {
        const mcpw_type type = {revision, "text", {MCPW_KIND_STRING, (uint8_t)i, 0}, sizeof(mcpw_str)};
        mcpw_buffer out = MCPW_BUFFER_INIT;
        mcpw_str value = {NULL, 0};
        mcpw_str bytes = {NULL, 0};
        const mcpw_status verdict = mcpw_validate(&type, json.ptr, json.len, arena, &options, NULL);
        FUZZ_SAME(mcpw_decode(&type, json.ptr, json.len, arena, &value, &options, NULL), verdict, "decode");
        FUZZ_SAME(mcpw_encode(&type, &in, &out, &options, NULL), verdict, "encode");
        FUZZ_SAME(mcpw_validate_value(&type, &in, arena, &options, NULL), verdict, "validate_value");
        if (verdict == MCPW_OK) {
            FUZZ_ASSERT(mcpw_str_equal(value, in));
        }
        if (revision->checks[i].format == MCPW_FORMAT_BASE64 && revision->checks[i].flags == 0) {
            FUZZ_ASSERT((mcpw_base64_decode(arena, in, &bytes) == MCPW_OK) == (verdict == MCPW_OK));
        }
        mcpw_buffer_free(&out);
    }
    free(room);
}

/* ---- numbers ---- */

static bool is_finite(double v) { return v <= DBL_MAX && v >= -DBL_MAX; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static size_t significant_digits(const char *text, size_t len) {
    size_t count = 0;
    size_t zeros = 0;
    for (size_t i = 0; i < len && text[i] != 'e' && text[i] != 'E'; i++) {
        if (text[i] == '0' && count != 0) {
            zeros++;
        } else if (is_digit(text[i]) && text[i] != '0') {
            count += zeros + 1;
            zeros = 0;
        }
    }
    return count;
}

/* Reads back, and no shorter decimal does; a whole number below 1e17 is written with all its digits. */
static void print_double(double value) {
    enum { EXACT = 17 };
    const double whole = 1e17;
    char text[MCPW_DOUBLE_SIZE + 1];
    char shortest[MCPW_DOUBLE_SIZE + 1];
    double back = 0;
    const mcpw_json json = mcpw_json_of(text, mcpw_format_double(text, value));
    FUZZ_ASSERT(json.len <= MCPW_DOUBLE_SIZE && mcpw_json_check(json, 0, NULL) == MCPW_OK);
    FUZZ_SAME(mcpw_parse_double(text, json.len, &back), MCPW_OK, "a number of our own");
    FUZZ_ASSERT(memcmp(&back, &value, sizeof back) == 0 ||
                (back >= 0 && back <= 0 && value >= 0 && value <= 0));
    for (int digits = 1; digits <= EXACT; digits++) {
        (void)snprintf(shortest, sizeof shortest, "%.*e", digits - 1, value);
        back = strtod(shortest, NULL);
        if (!(back < value || back > value)) {
            break;
        }
    }
    FUZZ_ASSERT((fabs(value) < whole && !(value < trunc(value) || value > trunc(value))) ||
                significant_digits(text, json.len) <= significant_digits(shortest, strlen(shortest)));
}

static void print(mcpw_str in) {
    char text[MCPW_INT_SIZE + 1] = {0};
    char want[MCPW_INT_SIZE + 2];
    double real = 0;
    int64_t integer = 0;
    int64_t back = 0;
    memcpy(&real, in.ptr, in.len < sizeof real ? in.len : sizeof real);
    memcpy(&integer, in.ptr, in.len < sizeof integer ? in.len : sizeof integer);
    if (is_finite(real)) {
        print_double(real);
    }
    print_double((double)integer);
    const size_t len = mcpw_format_int(text, integer);
    (void)snprintf(want, sizeof want, "%lld", (long long)integer);
    FUZZ_ASSERT(len == strlen(want) && memcmp(text, want, len) == 0);
    FUZZ_SAME(mcpw_parse_int64(text, len, &back), MCPW_OK, "an integer of our own");
    FUZZ_ASSERT(back == integer);
}

static int sign(int n) { return (n > 0) - (n < 0); }

/* A number that the grammar allows, and one nearby, against the C library. */
static void read_number(mcpw_str in) {
    char text[LONGEST_NUMBER + 1];
    const size_t len = in.len < LONGEST_NUMBER ? in.len : LONGEST_NUMBER;
    const mcpw_json json = {text, len, 0};
    double real = 0;
    int64_t integer = 0;
    if (len == 0 || !(is_digit(in.ptr[0]) || in.ptr[0] == '-') || !is_digit(in.ptr[len - 1])) {
        return;
    }
    memcpy(text, in.ptr, len);
    text[len] = '\0';
    if (mcpw_json_check(json, 0, NULL) != MCPW_OK) {
        return;
    }
    const double want = strtod(text, NULL);
    const mcpw_status status = mcpw_parse_double(text, len, &real);
    FUZZ_SAME(status, is_finite(want) ? MCPW_OK : MCPW_E_OVERFLOW, "read of a number");
    FUZZ_ASSERT(status != MCPW_OK || !(real < want || real > want));
    if (mcpw_parse_int64(text, len, &integer) == MCPW_OK) {
        char plain[MCPW_INT_SIZE];
        const size_t size = mcpw_format_int(plain, integer);
        FUZZ_ASSERT(mcpw_compare_decimal(text, len, plain, size) == 0);
    }
    /* Against its own first half: as strtod has it, where that can tell them apart. */
    for (size_t half = len / 2; half != 0; half--) {
        const mcpw_json other = mcpw_json_of(text, half);
        double part = 0;
        if (mcpw_json_check(other, 0, NULL) == MCPW_OK && mcpw_parse_double(text, half, &part) == MCPW_OK) {
            const int order = sign(mcpw_compare_decimal(text, len, text, half));
            FUZZ_ASSERT(order == -sign(mcpw_compare_decimal(text, half, text, len)));
            if (status == MCPW_OK && (real < part || real > part)) {
                FUZZ_ASSERT(order == (real > part ? 1 : -1));
            }
            break;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const fuzz_header h = fuzz_read_header(data, size);
    mcpw_arena arena = MCPW_ARENA_INIT;
    char *const copy = fuzz_copy(h.text, h.len);
    const mcpw_str in = {copy, h.len};
    switch (h.definition % MODES) {
    case 0:
        base64(&arena, in);
        break;
    case 1:
        uri_template(&arena, in, h.extra[0]);
        break;
    case 2:
        formats(h.revision, &arena, in);
        break;
    case 3:
        print(in);
        break;
    default:
        read_number(in);
        break;
    }
    free(copy);
    mcpw_arena_free(&arena);
    return 0;
}
