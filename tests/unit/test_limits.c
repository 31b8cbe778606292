/* SPDX-License-Identifier: MIT */
/* The codec's rows of the table of limits in SECURITY.md, each at one less, exactly, and one more. */
#include <mcpw/codec.h>
#include <mcpw/json.h>
#include <mcpw/message.h>

#include "arena_internal.h"
#include "check.h"
#include "walk.h"

enum { LIMIT = 20, TEXT_SIZE = 4096, LONGER = TEXT_SIZE + 64, VALUE_WORDS = 64 };

static mcpw_arena arena = MCPW_ARENA_INIT;

/* The verdicts of decoding and validating, which are one. */
static mcpw_status verdict(const char *name, const char *text, const mcpw_options *options) {
    uint64_t value[VALUE_WORDS];
    const mcpw_type *const type = mcpw_find_type("2025-11-25", name);
    mcpw_arena_reset(&arena);
    CHECK(type != NULL && type->size <= sizeof value);
    const mcpw_status status = mcpw_decode(type, text, strlen(text), &arena, value, options, NULL);
    CHECK(mcpw_validate(type, text, strlen(text), &arena, options, NULL) == status);
    return status;
}

/* head, `count` times item, with a comma between them where there is one, and tail. */
static const char *repeated(const char *head, const char *item, unsigned count, const char *comma,
                            const char *tail) {
    static char text[TEXT_SIZE];
    size_t len = (size_t)snprintf(text, sizeof text, "%s", head);
    for (unsigned i = 0; i < count; i++) {
        len += (size_t)snprintf(text + len, sizeof text - len, "%s", i != 0 ? comma : "");
        len += (size_t)snprintf(text + len, sizeof text - len, item, i); // NOLINT: takes one number or none
    }
    (void)snprintf(text + len, sizeof text - len, "%s", tail);
    return text;
}

static const char *nested(unsigned levels) {
    char opening[TEXT_SIZE / 2];
    memset(opening, '[', levels);
    opening[levels] = '\0';
    return repeated(opening, "]", levels, "", "");
}

/* data stands one level below the params. */
static mcpw_status nested_value(unsigned levels, unsigned max_depth) {
    char text[LONGER];
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.max_depth = max_depth;
    (void)snprintf(text, sizeof text, "{\"level\":\"info\",\"data\":%s}", nested(levels - 1));
    return verdict("LoggingMessageNotificationParams", text, &options);
}

static void depth(void) {
    const unsigned limits[] = {LIMIT, MCPW_DEFAULT_DEPTH, MCPW_MAX_DEPTH};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        CHECK(nested_value(limits[i] - 1, limits[i]) == MCPW_OK);
        CHECK(nested_value(limits[i], limits[i]) == MCPW_OK);
        CHECK(nested_value(limits[i] + 1, limits[i]) == MCPW_E_DEPTH);
    }
    CHECK(nested_value(MCPW_DEFAULT_DEPTH, 0) == MCPW_OK);
    CHECK(nested_value(MCPW_DEFAULT_DEPTH + 1, 0) == MCPW_E_DEPTH);
    CHECK(nested_value(2, MCPW_MAX_DEPTH - 1) == MCPW_OK);
    CHECK(nested_value(2, MCPW_MAX_DEPTH) == MCPW_OK);
    CHECK(nested_value(2, MCPW_MAX_DEPTH + 1) == MCPW_E_ARGUMENT);
}

static bool equal_to_itself(unsigned levels) {
    char other[LONGER];
    const char *const text = nested(levels);
    (void)snprintf(other, sizeof other, " %s", text);
    return mcpw_json_equal(mcpw_json_from(text), mcpw_json_from(other));
}

static void depth_of_equal_values(void) {
    CHECK(equal_to_itself(MCPW_MAX_DEPTH - 1));
    CHECK(equal_to_itself(MCPW_MAX_DEPTH));
    CHECK(!equal_to_itself(MCPW_MAX_DEPTH + 1));
}

static void bytes(void) {
    static const char text[] = "{\"uri\":\"file:///a\"}";
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.max_bytes = sizeof text; /* one byte more than the text */
    CHECK(verdict("Root", text, &options) == MCPW_OK);
    options.max_bytes--;
    CHECK(verdict("Root", text, &options) == MCPW_OK);
    options.max_bytes--;
    CHECK(verdict("Root", text, &options) == MCPW_E_SIZE);
}

static mcpw_status with_elements(const char *type, const char *head, const char *item, unsigned count,
                                 const char *tail) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    options.max_elements = LIMIT;
    return verdict(type, repeated(head, item, count, ",", tail), &options);
}

/* Items, entries and kept members count alike. */
static void elements(void) {
    for (unsigned count = LIMIT - 1; count <= LIMIT + 1; count++) {
        const mcpw_status want = count <= LIMIT ? MCPW_OK : MCPW_E_ELEMENTS;
        CHECK(with_elements("ListRootsResult", "{\"roots\":[", "{\"uri\":\"file:///%u\"}", count, "]}") ==
              want);
        CHECK(with_elements("GetPromptRequestParams", "{\"name\":\"n\",\"arguments\":{", "\"k%u\":\"\"",
                            count, "}}") == want);
        CHECK(with_elements("Root", "{\"uri\":\"file:///a\",", "\"k%u\":1", count, "}") == want);
    }
}

static mcpw_status in_arena(size_t limit, size_t *total) {
    uint64_t value[VALUE_WORDS];
    mcpw_arena small = MCPW_ARENA_INIT;
    small.limit = limit;
    const char *const text = repeated("{\"roots\":[", "{\"uri\":\"file:///%u\"}", LIMIT, ",", "]}");
    const mcpw_status status = mcpw_decode(mcpw_find_type("2025-11-25", "ListRootsResult"), text,
                                           strlen(text), &small, value, NULL, NULL);
    *total = small.total;
    mcpw_arena_free(&small);
    return status;
}

/* The least that is enough is found; what an arena holds never exceeds its limit. */
static void bytes_of_an_arena(void) {
    enum { PLENTY = 1 << 20 };
    size_t enough = PLENTY;
    size_t too_few = 1;
    size_t total = 0;
    while (enough - too_few > 1) {
        const size_t middle = too_few + (enough - too_few) / 2;
        const bool fits = in_arena(middle, &total) == MCPW_OK;
        CHECK(total <= middle);
        enough = fits ? middle : enough;
        too_few = fits ? too_few : middle;
    }
    CHECK(in_arena(enough - 1, &total) == MCPW_E_ARENA);
    CHECK(in_arena(enough, &total) == MCPW_OK && total == enough);
    CHECK(in_arena(enough + 1, &total) == MCPW_OK && total <= enough + 1);
}

/* Eight times the text and 4 KiB: what is taken off it together counts. */
static void text_that_is_read_again(void) {
    static const char text[] = "{\"uri\":\"file:///a\"}";
    enum { BUDGET = 8 * (sizeof text - 1) + 4096 };
    static const unsigned char bytes_read[BUDGET + 1];
    const mcpw_revision *const revision = mcpw_find_revision("2025-11-25");
    for (size_t spent = BUDGET - 1; spent <= BUDGET + 1; spent++) {
        mcpw_walk w;
        mcpw_arena_reset(&arena);
        CHECK(mcpw_walk_open(&w, revision, text, sizeof text - 1, &arena, NULL) == MCPW_OK);
        CHECK(mcpw_spend(&w, bytes_read, bytes_read + 1));
        CHECK(mcpw_spend(&w, bytes_read + 1, bytes_read + spent) == (spent <= BUDGET));
        CHECK(spent <= BUDGET || w.reader.status == MCPW_E_WORK);
    }
}

int main(void) {
    RUN(depth);
    RUN(depth_of_equal_values);
    RUN(bytes);
    RUN(elements);
    RUN(bytes_of_an_arena);
    RUN(text_that_is_read_again);
    mcpw_arena_free(&arena);
    return check_end();
}
