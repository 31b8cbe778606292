/* SPDX-License-Identifier: MIT */
/* The engine for patterns that is made of PCRE2. */
#include <mcpw/pcre2.h>

#include <stdio.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "../base/utf8.h"
#include "ecma.h"

enum {
    HEAP_KIBIBYTES = 20000, /* that a match without JIT may take */
    MOST_NESTED = 200,      /* parentheses */
    LEAST_CODE = 16384,     /* bytes that any pattern may become, as what is repeated by a count is copied, */
    CODE_A_BYTE = 64,       /* and those for each byte of it */
    HEADER = 16,            /* before a piece of memory: its size */
    FIRST_PLACES = 4096,    /* where a match may begin, that the first call tries; */
    LEAST_SHARE = 4,        /* steps for each of them, at least, */
    CALL_STEPS = 32         /* and those that a call itself counts for */
};

typedef struct pattern {
    mcpw_allocator allocator;
    pcre2_code *code;
    bool is_anchored; /* it matches at the start of a text or not at all */
} pattern;

/* ---- memory ---- */

static void *resize(const mcpw_allocator *allocator, void *ptr, size_t old_size, size_t new_size) {
    /* A buffer knows how to get memory by an allocator, whatever that is. */
    mcpw_buffer buffer = MCPW_BUFFER_INIT;
    if (allocator->resize != NULL) {
        return allocator->resize(allocator->user, ptr, old_size, new_size);
    }
    if (new_size == 0) {
        buffer.data = ptr;
        buffer.capacity = old_size;
        mcpw_buffer_free(&buffer);
        return NULL;
    }
    return mcpw_buffer_reserve(&buffer, new_size) == MCPW_OK ? buffer.data : NULL;
}

static void *take(size_t size, void *user) {
    unsigned char *const piece = resize(user, NULL, 0, size + HEADER);
    if (piece == NULL) {
        return NULL;
    }
    memcpy(piece, &size, sizeof size);
    return piece + HEADER;
}

static void give_back(void *ptr, void *user) {
    if (ptr != NULL) {
        size_t size = 0;
        unsigned char *const piece = (unsigned char *)ptr - HEADER;
        memcpy(&size, piece, sizeof size);
        (void)resize(user, piece, size + HEADER, 0);
    }
}

/* During a match all memory is the arena's, and goes with what the caller rewinds. */
static void *take_scratch(size_t size, void *arena) { return mcpw_arena_alloc(arena, size); }

static void leave_scratch(void *ptr, void *arena) {
    (void)ptr;
    (void)arena;
}

/* ---- compiling ---- */

static void free_pattern(void *compiled) {
    pattern *const p = compiled;
    const mcpw_allocator allocator = p->allocator;
    pcre2_code_free(p->code);
    give_back(p, (void *)(uintptr_t)&allocator);
}

static mcpw_status compile_code(pattern *p, const mcpw_buffer *text, pcre2_general_context *general,
                                char *message) {
    const uint32_t options = PCRE2_UTF | PCRE2_NO_UTF_CHECK | PCRE2_DOLLAR_ENDONLY | PCRE2_ALLOW_EMPTY_CLASS |
                             PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_BACKSLASH_C | PCRE2_USE_OFFSET_LIMIT;
    uint32_t all = 0;
    int code = 0;
    PCRE2_SIZE at = 0;
    pcre2_compile_context *const context = pcre2_compile_context_create(general);
    if (context == NULL) {
        return MCPW_E_MEMORY;
    }
    (void)pcre2_set_parens_nest_limit(context, MOST_NESTED);
    p->code = pcre2_compile((PCRE2_SPTR)(text->data != NULL ? text->data : ""), text->len, options, &code,
                            &at, context);
    pcre2_compile_context_free(context);
    if (p->code == NULL) {
        (void)pcre2_get_error_message(code, (PCRE2_UCHAR *)message, MCPW_ERROR_MESSAGE_SIZE);
        return code == PCRE2_ERROR_HEAP_FAILED ? MCPW_E_MEMORY : MCPW_E_FORMAT;
    }
    size_t size = 0;
    (void)pcre2_pattern_info(p->code, PCRE2_INFO_SIZE, &size);
    if (size > LEAST_CODE + CODE_A_BYTE * text->len) {
        return MCPW_E_SIZE;
    }
    (void)pcre2_pattern_info(p->code, PCRE2_INFO_ALLOPTIONS, &all);
    p->is_anchored = (all & PCRE2_ANCHORED) != 0;
    (void)pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE); /* without it matching is slower, no more */
    return MCPW_OK;
}

static mcpw_status fill(pattern *p, const mcpw_buffer *text, char *message) {
    pcre2_general_context *const general = pcre2_general_context_create(take, give_back, &p->allocator);
    if (general == NULL) {
        return MCPW_E_MEMORY;
    }
    const mcpw_status status = compile_code(p, text, general, message);
    pcre2_general_context_free(general);
    return status;
}

static mcpw_status compile(const char *text, size_t len, const mcpw_allocator *allocator, void **out,
                           char *message) {
    const mcpw_str source = {text, len};
    const char *why = "";
    size_t at = 0;
    mcpw_allocator memory = *allocator;
    mcpw_buffer translated = MCPW_BUFFER_INIT;
    translated.allocator = memory;
    *out = NULL;
    mcpw_status status = mcpw_ecma_translate(source, &translated, &why, &at);
    (void)snprintf(message, MCPW_ERROR_MESSAGE_SIZE, "%s at %zu", why, at);
    if (status == MCPW_OK) {
        pattern *const p = take(sizeof *p, &memory);
        status = MCPW_E_MEMORY;
        if (p != NULL) {
            p->allocator = memory;
            p->code = NULL;
            p->is_anchored = false;
            status = fill(p, &translated, message);
            if (status == MCPW_OK) {
                *out = p;
            } else {
                free_pattern(p);
            }
        }
    }
    mcpw_buffer_free(&translated);
    return status;
}

/* ---- matching ---- */

/* A search for all places of a text where a match may begin. */
typedef struct search {
    const pattern *p;
    const unsigned char *text;
    size_t len;
    pcre2_general_context *general;
    pcre2_match_context *context;
} search;

/* Tries all places from start on, or those up to the offset limit, with so many steps for each. */
static int try_places(const search *s, size_t start, uint32_t share) {
    const pcre2_code *const code = s->p->code;
    pcre2_match_data *const data = pcre2_match_data_create(1, s->general);
    if (data == NULL) {
        return PCRE2_ERROR_NOMEMORY;
    }
    (void)pcre2_set_match_limit(s->context, share);
    (void)pcre2_set_depth_limit(s->context, share);
    const int result = pcre2_match(code, s->text, s->len, start, PCRE2_NO_UTF_CHECK, data, s->context);
    return result != PCRE2_ERROR_JIT_STACKLIMIT
               ? result
               : pcre2_match(code, s->text, s->len, start, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, data,
                             s->context);
}

static void set_last_place(const search *s, size_t last) {
    while (last < s->len && mcpw_is_continuation(s->text[last])) {
        last--;
    }
    (void)pcre2_set_offset_limit(s->context, last);
}

/* The first character from a place on. */
static size_t after(const search *s, size_t place) {
    while (place < s->len && mcpw_is_continuation(s->text[place])) {
        place++;
    }
    return place;
}

static uint64_t share_of(uint64_t steps, size_t places) {
    const uint64_t share = steps / places / 2; /* the other half is for places that take more */
    return share > LEAST_SHARE ? share : LEAST_SHARE;
}

static bool takes_more(int result) {
    return result == PCRE2_ERROR_MATCHLIMIT || result == PCRE2_ERROR_DEPTHLIMIT;
}

/* PCRE2 counts the steps of each place from 0 on, and does not tell the count. So each place of a call has a
 * share, and all shares are charged. A place that takes more is tried alone, with more and more steps. The
 * calls after it begin small, so that not much is charged in vain. */
static int try_in_parts(const search *s, uint64_t left, size_t places, mcpw_arena *scratch) {
    const mcpw_mark mark = mcpw_arena_mark(scratch);
    int result = PCRE2_ERROR_NOMATCH;
    uint64_t share = share_of(left, s->len + 1);
    for (size_t start = 0; start <= s->len;) {
        places = places < s->len + 1 - start ? places : s->len + 1 - start;
        const uint64_t price = places * share + CALL_STEPS;
        if (price > left) {
            return PCRE2_ERROR_MATCHLIMIT;
        }
        left -= price;
        set_last_place(s, start + places - 1);
        result = try_places(s, start, (uint32_t)share);
        if (result == PCRE2_ERROR_NOMATCH) {
            start = after(s, start + places);
            const uint64_t fair = start <= s->len ? share_of(left, s->len + 1 - start) : share;
            share = share < fair ? share : fair;
            places *= 2;
        } else if (takes_more(result)) {
            share *= places == 1 ? 2 : 1;
            places = 1;
        } else {
            break;
        }
        mcpw_arena_rewind(scratch, mark);
    }
    return result;
}

/* Most texts are short, and are done in one call. */
static int try_all(const search *s, uint64_t steps, mcpw_arena *scratch) {
    if (s->len >= FIRST_PLACES) {
        return try_in_parts(s, steps, FIRST_PLACES, scratch);
    }
    const uint64_t share = share_of(steps, s->len + 1);
    const int result = try_places(s, 0, (uint32_t)share);
    return takes_more(result) ? try_in_parts(s, steps / 2, 1, scratch) : result;
}

static mcpw_status match(const void *compiled, const char *text, size_t len, uint32_t limit,
                         mcpw_arena *scratch) {
    search s = {compiled, (const unsigned char *)text, len, NULL, NULL};
    s.general = pcre2_general_context_create(take_scratch, leave_scratch, scratch);
    s.context = s.general != NULL ? pcre2_match_context_create(s.general) : NULL;
    if (s.context == NULL) {
        return MCPW_E_MEMORY;
    }
    (void)pcre2_set_heap_limit(s.context, HEAP_KIBIBYTES);
    const int result = s.p->is_anchored ? try_places(&s, 0, limit) : try_all(&s, limit, scratch);
    if (result >= 0) {
        return MCPW_OK;
    }
    return result == PCRE2_ERROR_NOMATCH    ? MCPW_E_VALUE
           : result == PCRE2_ERROR_NOMEMORY ? MCPW_E_MEMORY
                                            : MCPW_E_WORK;
}

const mcpw_pattern_engine *mcpw_pcre2(void) {
    static const mcpw_pattern_engine engine = {.compile = compile, .match = match, .free = free_pattern};
    return &engine;
}
