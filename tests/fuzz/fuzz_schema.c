/* SPDX-License-Identifier: MIT */
/*
 * JSON Schema at run time. The input: a byte for dialect and flags, the text of a schema, a line break, the
 * text of a value. Whatever they are: a schema compiles or the record says why not, a check ends, the same
 * text gets the same verdict twice, and collecting all errors finds the one that is found first.
 */
#include "fuzz.h"

#include <mcpw/schema.h>

/* An engine for patterns in which every byte stands for itself. */
static mcpw_status plain_compile(const char *pattern, size_t len, const mcpw_allocator *allocator, void **out,
                                 char *message) {
    mcpw_str *const copy = fuzz_alloc(sizeof *copy);
    (void)allocator;
    if (len != 0 && pattern[0] == '(') {
        free(copy);
        message[0] = '\0';
        return MCPW_E_FORMAT;
    }
    copy->ptr = fuzz_copy(pattern, len);
    copy->len = len;
    *out = copy;
    return MCPW_OK;
}

static mcpw_status plain_match(const void *pattern, const char *text, size_t len, uint32_t limit,
                               mcpw_arena *scratch) {
    const mcpw_str *const want = pattern;
    (void)scratch;
    (void)limit;
    for (size_t i = 0; i + want->len <= len; i++) {
        if (want->len == 0 || memcmp(text + i, want->ptr, want->len) == 0) {
            return MCPW_OK;
        }
    }
    return MCPW_E_VALUE;
}

static void plain_free(void *pattern) {
    mcpw_str *const copy = pattern;
    free((void *)(uintptr_t)copy->ptr);
    free(copy);
}

static bool count_errors(void *user, const mcpw_error *error) {
    enum { MOST = 64 };
    size_t *const count = user;
    fuzz_check_error(error->code, error);
    return ++*count < MOST;
}

static bool is_given_up(mcpw_status status) { return status == MCPW_E_WORK || status == MCPW_E_DEPTH; }

static void check(const mcpw_schema *schema, const char *text, size_t len) {
    mcpw_arena scratch = MCPW_ARENA_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_error error = {MCPW_OK, 0, "", ""};
    mcpw_error first = {MCPW_OK, 0, "", ""};
    size_t errors = 0;
    const mcpw_status status = mcpw_schema_check(schema, text, len, &scratch, NULL, &error);
    fuzz_check_error(status, &error);
    FUZZ_ASSERT(status == MCPW_OK || error.offset <= len);
    FUZZ_SAME(mcpw_schema_check(schema, text, len, &scratch, NULL, NULL), status, "the same check again");
    options.on_error = count_errors;
    options.user = &errors;
    const mcpw_status all = mcpw_schema_check(schema, text, len, &scratch, &options, &first);
    fuzz_check_error(all, &first);
    FUZZ_ASSERT((all == MCPW_OK) == (errors == 0));
    if (!is_given_up(status) && !is_given_up(all)) {
        FUZZ_SAME(all, status, "all errors and the first");
        FUZZ_ASSERT(strcmp(first.path, error.path) == 0 && strcmp(first.message, error.message) == 0);
    }
    mcpw_arena_free(&scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { DIALECTS = 3, ASSERT_BIT = 4, ENGINE_BIT = 8 };
    static const mcpw_pattern_engine engine = {
        .compile = plain_compile, .match = plain_match, .free = plain_free};
    mcpw_schema_options options = MCPW_SCHEMA_OPTIONS_INIT;
    mcpw_schema *schema = NULL;
    mcpw_error error = {MCPW_OK, 0, "", ""};
    fuzz_in in = {data, size};
    const unsigned flags = fuzz_byte(&in);
    const uint8_t *const line = in.left != 0 ? memchr(in.at, '\n', in.left) : NULL;
    const size_t len = line != NULL ? (size_t)(line - in.at) : in.left;
    char *const text = fuzz_copy((const char *)in.at, len);
    const size_t rest = line != NULL ? in.left - len - 1 : 0;
    char *const value = fuzz_copy(line != NULL ? (const char *)line + 1 : "", rest);
    options.dialect = (mcpw_schema_dialect)(1 + flags % DIALECTS);
    options.flags = (flags & ASSERT_BIT) != 0 ? MCPW_SCHEMA_ASSERT_FORMATS : 0;
    options.patterns = (flags & ENGINE_BIT) != 0 ? NULL : &engine;
    const mcpw_status status = mcpw_schema_compile(text, len, &options, &schema, &error);
    fuzz_check_error(status, &error);
    FUZZ_ASSERT((status == MCPW_OK) == (schema != NULL));
    free(text); /* the schema stands on its own */
    if (schema != NULL) {
        check(schema, value, rest);
    }
    mcpw_schema_free(schema);
    free(value);
    return 0;
}
