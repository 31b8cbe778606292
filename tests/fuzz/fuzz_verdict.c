/* SPDX-License-Identifier: MIT */
/*
 * Verdicts agree: validate and decode on a text, the first of all errors and the only one, validate_value and
 * encode on a struct, also on one whose raw values, names and numbers were spoiled. The header's last bytes:
 * how much of the text is used to spoil, where and how often, in which way.
 */
#include "fuzz_json.h"
#include "spoil.h"

#include <mcpw/detail/generated.h>

enum { TEXT_MASK = 63, TIMES_SHIFT = 6 };

typedef struct errors {
    size_t count;
    size_t most; /* 0: all of them */
    mcpw_error first;
} errors;

static bool on_error(void *user, const mcpw_error *error) {
    errors *const all = user;
    if (all->count++ == 0) {
        all->first = *error;
    }
    fuzz_check_error(error->code, error);
    return all->count != all->most;
}

static void check_same(const mcpw_error *a, const mcpw_error *b) {
    FUZZ_SAME(a->code, b->code, "two records");
    FUZZ_ASSERT(a->offset == b->offset && strcmp(a->path, b->path) == 0 &&
                strcmp(a->message, b->message) == 0);
}

static void check_all_errors(const fuzz_header *h, mcpw_status verdict, const mcpw_error *why, size_t most) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_options options = h->options;
    mcpw_error first = {0};
    errors all = {0, most, {0}};
    options.on_error = on_error;
    options.user = &all;
    const mcpw_status status = mcpw_validate(h->type, h->text, h->len, &arena, &options, &first);
    FUZZ_SAME(status, verdict, "all errors and the first");
    FUZZ_ASSERT((status == MCPW_OK) == (all.count == 0) || status == MCPW_E_SIZE);
    FUZZ_ASSERT(most == 0 || all.count <= most);
    if (status != MCPW_OK) {
        check_same(&first, why);
        if (all.count != 0) {
            check_same(&all.first, why);
        }
    }
    mcpw_arena_free(&arena);
}

/* Operations on a struct that may be invalid: nothing breaks, and all agree on it. */
static void check_struct(const fuzz_header *h, const void *value) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer text = MCPW_BUFFER_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_error why = {0};
    mcpw_error error = {0};
    void *const copy = fuzz_alloc(mcpw_type_size(h->type));
    options.flags = h->options.flags;
    options.max_depth = h->options.max_depth;
    const mcpw_status verdict = mcpw_validate_value(h->type, value, &arena, &options, &why);
    const mcpw_status written = mcpw_encode(h->type, value, &text, &options, &error);
    FUZZ_SAME(verdict, written, "validate_value and encode");
    const bool same = mcpw_equal(h->type, value, value);
    (void)same; /* broken raw values are equal to nothing: it must only survive them */
    if (mcpw_copy(h->type, value, &arena, copy, NULL) == MCPW_OK) {
        mcpw_buffer again = MCPW_BUFFER_INIT;
        FUZZ_SAME(mcpw_encode(h->type, copy, &again, &options, NULL), written, "encode of a copy");
        FUZZ_ASSERT(again.len == text.len && (text.len == 0 || memcmp(again.data, text.data, text.len) == 0));
        mcpw_buffer_free(&again);
    } else {
        FUZZ_ASSERT(written != MCPW_OK);
    }
    if (written == MCPW_OK) {
        FUZZ_ASSERT(fuzz_is_one_line(text.data, text.len));
        FUZZ_SAME(mcpw_validate(h->type, text.data, text.len, &arena, &options, &error), MCPW_OK,
                  error.message);
        FUZZ_SAME(mcpw_decode(h->type, text.data, text.len, &arena, copy, &options, NULL), MCPW_OK, "decode");
        FUZZ_ASSERT(mcpw_equal(h->type, value, copy));
    } else {
        check_same(&why, &error);
        fuzz_check_error(written, &error);
        FUZZ_ASSERT(text.len == 0);
    }
    free(copy);
    mcpw_buffer_free(&text);
    mcpw_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_header h = fuzz_read_header(data, size);
    fuzz_in in = {(const uint8_t *)h.text, h.len};
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_arena scratch = MCPW_ARENA_INIT;
    mcpw_error error = {0};
    mcpw_error why = {0};
    const mcpw_str odd = fuzz_take(&in, h.extra[0] & TEXT_MASK);
    char *const text = fuzz_copy(odd.ptr, odd.len);
    const mcpw_str spoiled = {text, odd.len};
    void *const value = fuzz_alloc(mcpw_type_size(h.type));
    h.text = (const char *)in.at;
    h.len = in.left;
    const mcpw_status status = mcpw_decode(h.type, h.text, h.len, &arena, value, &h.options, &error);
    const mcpw_status verdict = mcpw_validate(h.type, h.text, h.len, &scratch, &h.options, &why);
    FUZZ_SAME(status, verdict, "decode and validate");
    if (status != MCPW_OK) {
        check_same(&error, &why);
    }
    check_all_errors(&h, verdict, &why, 0);
    check_all_errors(&h, verdict, &why, h.extra[2]);
    if (status == MCPW_OK) {
        for (unsigned i = 0; i <= h.extra[0] >> TIMES_SHIFT; i++) {
            if (fuzz_spoil(h.type, value, h.extra[1] + i, h.extra[2] + i, spoiled)) {
                check_struct(&h, value);
            }
        }
    }
    free(value);
    free(text);
    mcpw_arena_free(&scratch);
    mcpw_arena_free(&arena);
    return 0;
}
