/* SPDX-License-Identifier: MIT */
/* Decode of every type: what it accepts can be written, reads back as the same value, and can be copied. */
#include "fuzz_json.h"
#include <mcpw/detail/field.h>
#include <mcpw/detail/generated.h>
#include <mcpw/detail/reflect.h>

/* A text that is freed as soon as it was decoded. */
static mcpw_status decode(const fuzz_header *h, const char *text, size_t len, mcpw_arena *arena, void *out,
                          const mcpw_options *options, mcpw_error *error) {
    char *const copy = fuzz_copy(text, len);
    const mcpw_status status = mcpw_decode(h->type, copy, len, arena, out, options, error);
    free(copy);
    return status;
}

static void check_failure(const fuzz_header *h, mcpw_status status, const mcpw_error *error,
                          const unsigned char *value) {
    fuzz_check_error(status, error);
    FUZZ_ASSERT(error->offset <= h->len);
    for (size_t i = 0; i < mcpw_type_size(h->type); i++) {
        FUZZ_ASSERT(value[i] == 0);
    }
}

static void check_copy(const fuzz_header *h, const void *value, const mcpw_buffer *text,
                       const mcpw_options *options) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer again = MCPW_BUFFER_INIT;
    void *const copy = fuzz_alloc(mcpw_type_size(h->type));
    FUZZ_SAME(mcpw_copy(h->type, value, &arena, copy, NULL), MCPW_OK, "copy");
    FUZZ_ASSERT(mcpw_equal(h->type, value, copy) && mcpw_equal(h->type, copy, value));
    FUZZ_SAME(mcpw_encode(h->type, copy, &again, options, NULL), MCPW_OK, "encode of a copy");
    FUZZ_ASSERT(again.len == text->len && memcmp(again.data, text->data, text->len) == 0);
    free(copy);
    mcpw_buffer_free(&again);
    mcpw_arena_free(&arena);
}

static void round_trip(const fuzz_header *h, const void *value) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer text = MCPW_BUFFER_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_error error = {0};
    void *const again = fuzz_alloc(mcpw_type_size(h->type));
    options.flags = h->options.flags;
    options.max_depth = h->options.max_depth;
    FUZZ_ASSERT(mcpw_equal(h->type, value, value));
    const mcpw_status written = mcpw_encode(h->type, value, &text, &options, &error);
    if (written == MCPW_E_VALUE && (options.flags & MCPW_ALLOW_UNKNOWN) != 0 &&
        mcpw_type_ref(h->type).kind !=
            MCPW_KIND_STRUCT) { /* an unknown enum value that no struct's extra keeps */
        free(again);
        mcpw_buffer_free(&text);
        return;
    }
    FUZZ_SAME(written, MCPW_OK, error.message);
    FUZZ_ASSERT(fuzz_is_one_line(text.data, text.len));
    FUZZ_SAME(mcpw_validate_value(h->type, value, &arena, &options, NULL), MCPW_OK, "verdict on a struct");
    if ((options.flags & (MCPW_PEER_DEFAULTS | MCPW_NULL_IS_ABSENT)) == 0) {
        const mcpw_json before = mcpw_json_of(h->text, h->len);
        const mcpw_json after = mcpw_json_of(text.data, text.len);
        FUZZ_ASSERT(fuzz_same_json(before, after));
    }
    FUZZ_SAME(decode(h, text.data, text.len, &arena, again, &options, &error), MCPW_OK, error.message);
    FUZZ_ASSERT(mcpw_equal(h->type, value, again) && mcpw_equal(h->type, again, value));
    check_copy(h, value, &text, &options);
    const size_t len = text.len;
    FUZZ_SAME(mcpw_encode(h->type, again, &text, &options, NULL), MCPW_OK, "second encode");
    FUZZ_ASSERT(text.len == 2 * len && memcmp(text.data, text.data + len, len) == 0);
    free(again);
    mcpw_buffer_free(&text);
    mcpw_arena_free(&arena);
}

/* Members may stand in any order: the verdict and the value stay the same. Retries of unions cost more in one
 * order than in another, and limits of the caller's strike at another place. */
static void check_order(const fuzz_header *h, const void *value) {
    const mcpw_json text = mcpw_json_of(h->text, h->len);
    if (fuzz_has_duplicates(text)) {
        return;
    }
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {0};
    size_t len = 0;
    char *const reversed = fuzz_reversed(text, &len);
    void *const other = fuzz_alloc(mcpw_type_size(h->type));
    const mcpw_status status = mcpw_decode(h->type, reversed, len, &arena, other, &h->options, &error);
    if (status != MCPW_E_WORK) {
        FUZZ_SAME(status, MCPW_OK, error.message);
        FUZZ_ASSERT(mcpw_equal(h->type, value, other) && mcpw_equal(h->type, other, value));
    }
    free(reversed);
    free(other);
    mcpw_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const fuzz_header h = fuzz_read_header(data, size);
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {0};
    void *const value = fuzz_alloc(mcpw_type_size(h.type));
    const mcpw_status status = decode(&h, h.text, h.len, &arena, value, &h.options, &error);
    if (status == MCPW_OK) {
        round_trip(&h, value);
        check_order(&h, value);
    } else {
        check_failure(&h, status, &error, value);
    }
    free(value);
    mcpw_arena_free(&arena);
    return 0;
}
