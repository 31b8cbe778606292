/* SPDX-License-Identifier: MIT */
/* The parts of writing that know no tables: room, strings, raw text. */
#include "write.h"

#include "../base/arena_internal.h"
#include "../json/space.h"
#include "keys.h"
#include "raw_seal.h"
#include "validate.h"
#include "value.h"

MCPW_COLD unsigned char *mcpw_write_stop(mcpw_writer *w, mcpw_status status) {
    w->status = mcpw_error_status(w->error, status);
    return NULL;
}

#if !defined(MCPW_NO_ERROR_TEXT)
MCPW_COLD unsigned char *mcpw_write_fail(mcpw_writer *w, mcpw_status status, const char *text) {
    w->status = status;
    mcpw_error_text(w->error, status, 0, text);
    return NULL;
}
#endif

static_assert(MCPW_NAME_BYTES + MCPW_KEY_QUOTES + 2 * MCPW_COPY_BLOCK + MCPW_MAX_DEPTH <= MCPW_ROOM,
              "a name has room, and so have the brackets after it");

static void set_limit(mcpw_writer *w) {
    w->limit = (unsigned char *)w->out->data + (w->out->capacity - MCPW_ROOM);
}

MCPW_NOINLINE unsigned char *mcpw_write_grow(mcpw_writer *w, unsigned char *p, size_t n) {
    const size_t used = (size_t)(p - (unsigned char *)w->out->data);
    const size_t before = w->out->len;
    mcpw_status status = MCPW_E_MEMORY;
    if (n <= SIZE_MAX / 2) {
        w->out->len = used;
        status = mcpw_buffer_reserve(w->out, n + MCPW_ROOM);
        w->out->len = before;
    }
    if (status != MCPW_OK) {
        return mcpw_write_stop(w, status);
    }
    set_limit(w);
    return (unsigned char *)w->out->data + used;
}

unsigned char *mcpw_write_open(mcpw_writer *w, const mcpw_revision *revision, mcpw_buffer *out,
                               const mcpw_options *options, mcpw_error *error) {
    memset(w, 0, sizeof *w);
    w->revision = revision;
    w->pool = revision->pool;
    w->out = out;
    w->begin = out->len;
    w->options = options;
    w->error = error;
    w->depth = MCPW_DEFAULT_DEPTH;
    if (options != NULL) {
        w->flags = options->flags;
        w->depth = options->max_depth != 0 ? options->max_depth : MCPW_DEFAULT_DEPTH;
    }
    if (w->depth > MCPW_MAX_DEPTH) {
        static_assert(MCPW_MAX_DEPTH == 512, "the text says so");
        return mcpw_write_fail(w, MCPW_E_ARGUMENT, "max_depth is larger than 512");
    }
    if (!MCPW_KNOWS_FORMATS && (w->flags & MCPW_STRICT) != 0) {
        return mcpw_write_fail(w, MCPW_E_ARGUMENT, "this build has no MCPW_STRICT");
    }
    if (MCPW_COMPACT || out->capacity - out->len < MCPW_ROOM) {
        const mcpw_status status = mcpw_buffer_reserve(out, MCPW_ROOM);
        if (status != MCPW_OK) {
            return mcpw_write_stop(w, status);
        }
    }
    set_limit(w);
    return (unsigned char *)out->data + out->len;
}

mcpw_status mcpw_write_close(mcpw_writer *w, const unsigned char *p) {
    if (p == NULL) {
        w->out->len = w->begin;
        return w->status;
    }
    w->out->len = (size_t)(p - (unsigned char *)w->out->data);
    return MCPW_OK;
}

/* ---- strings ---- */

MCPW_NOINLINE unsigned char *mcpw_write_string_rest(mcpw_writer *w, unsigned char *p, const unsigned char *s,
                                                    size_t n) {
    static_assert(MCPW_PUT_SLACK <= MCPW_ROOM / 2, "the room that there always is pays for the slack");
    const mcpw_runs *const runs = mcpw_write_runs(w);
    const unsigned char *const end = s + n;
    while (MCPW_LIKELY((s = runs->put(&p, s, end, w->limit + MCPW_ROOM / 2)) != NULL)) {
        if (MCPW_LIKELY(s == end)) {
            *p = '"';
            return mcpw_room(w, p + 1, 0); /* escapes may have used what brackets need */
        }
        p = mcpw_write_grow(w, p, (size_t)(end - s));
        if (p == NULL) {
            return NULL;
        }
    }
    return mcpw_write_stop(w, MCPW_E_UTF8);
}

MCPW_NOINLINE unsigned char *mcpw_write_word(mcpw_writer *w, unsigned char *p, const char *text, size_t n) {
    p = mcpw_room(w, p, n);
    if (p == NULL) {
        return NULL;
    }
    memcpy(p, text, n);
    return p + n;
}

/* ---- raw text ---- */

unsigned char *mcpw_write_dense(unsigned char *text, const unsigned char *end) {
    unsigned char *to = text;
    for (const unsigned char *from = text; from < end; from = mcpw_pass_space(from, end)) {
        const unsigned char *const run = from;
        from = mcpw_find_space(from, end);
        memmove(to, run, (size_t)(from - run));
        to += from - run;
    }
    return to;
}

/* Whether a raw value may be anything, or any object. */
MCPW_INLINE bool is_any(mcpw_ref ref) {
    return (ref.kind == MCPW_KIND_JSON || ref.kind == MCPW_KIND_JSON_OBJECT) && ref.check == 0;
}

/* Whether a raw value is known to be what ref says, and may be written where the writer stands. Bounds of its
 * own and what is strict are always looked at. */
MCPW_INLINE bool is_known(const mcpw_writer *w, mcpw_ref ref, mcpw_json json) {
    return mcpw_is_sealed(json, mcpw_seal_what(w->revision, ref)) && mcpw_seal_levels(json) <= w->depth &&
           (w->flags & MCPW_STRICT) == 0 &&
           (ref.kind == MCPW_KIND_SHAPED ||
            (is_any(ref) && (ref.kind == MCPW_KIND_JSON || json.ptr[0] == '{')));
}

/* Whether a text, after which MCPW_TAIL bytes are free, is a value that may be anything, or any object. If
 * it is not, mcpw_check_text says so again, with the reason. */
static bool is_any_value(const mcpw_writer *w, mcpw_ref ref, unsigned char *text, size_t len,
                         bool *line_breaks) {
    mcpw_reader r;
    if (MCPW_COMPACT || !is_any(ref) || (w->flags & MCPW_STRICT) != 0) {
        return false;
    }
    mcpw_reader_open_in_place(&r, (char *)text, len, w->depth);
    unsigned char *p = mcpw_space(&r, text);
    if (ref.kind == MCPW_KIND_JSON_OBJECT && *p != '{') {
        return false;
    }
    p = mcpw_skip_value(&r, p);
    if (p == NULL || mcpw_space(&r, p) != text + len) {
        return false;
    }
    *line_breaks = r.saw_line_break;
    return true;
}

unsigned char *mcpw_write_raw(mcpw_writer *w, unsigned char *p, mcpw_ref ref, mcpw_json json) {
    bool line_breaks = false;
    if (json.ptr == NULL) {
        return mcpw_write_fail(w, MCPW_E_MISSING, "value is absent");
    }
    p = mcpw_room(w, p, json.len);
    if (MCPW_UNLIKELY(p == NULL)) {
        return NULL;
    }
    memcpy(p, json.ptr, json.len);
    if (!MCPW_COMPACT && MCPW_LIKELY(is_known(w, ref, json))) {
        return p + json.len;
    }
    mcpw_status status = MCPW_OK;
    if (!is_any_value(w, ref, p, json.len, &line_breaks)) {
        status = mcpw_check_text(w->revision, ref, (char *)p, json.len, w->depth, w->out->allocator,
                                 w->options, w->error, &line_breaks);
    }
    if (MCPW_UNLIKELY(status != MCPW_OK)) {
        w->status = status;
        if (w->error != NULL) {
            w->error->offset = 0;
        }
        return NULL;
    }
    return MCPW_UNLIKELY(line_breaks) ? mcpw_write_dense(p, p + json.len) : p + json.len;
}

/* ---- names ---- */

bool mcpw_write_unique(mcpw_writer *w, const void *items, size_t count, size_t size) {
    mcpw_arena scratch = MCPW_ARENA_INIT;
    if (count < 2) {
        return true;
    }
    scratch.allocator = w->out->allocator;
    const mcpw_status status = mcpw_names_differ(&scratch, items, count, size);
    mcpw_arena_free(&scratch);
    if (status != MCPW_OK) {
        (void)mcpw_write_stop(w, status);
    }
    return status == MCPW_OK;
}
