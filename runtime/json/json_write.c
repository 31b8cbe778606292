/* SPDX-License-Identifier: MIT */
/* Writing JSON into a fixed buffer of the caller's, or into one that grows. */
#include <mcpw/json.h>

#include "block_runs.h"
#include "copy_plain.h"
#include "number.h"
#include "runs.h"
#include "scanner.h"
#include "seal.h"
#include "space.h"

enum {
    PIECE = 64,       /* bytes of a text that are written at once */
    AROUND = 4,       /* bytes around a string: a comma, two quotes and a colon */
    USUAL_LEVELS = 32 /* of a raw value */
};

void mcpw_json_write_begin(mcpw_json_writer *w, char *data, size_t capacity) {
    memset(w, 0, sizeof *w);
    w->data = data;
    w->capacity = data != NULL ? capacity : 0;
}

void mcpw_json_write_into(mcpw_json_writer *w, mcpw_buffer *out) {
    mcpw_json_write_begin(w, out->data != NULL ? out->data + out->len : NULL, out->capacity - out->len);
    w->out = out;
    w->begin = out->len;
}

static bool fail(mcpw_json_writer *w, mcpw_status status) {
    if (w->status == MCPW_OK) {
        w->status = status;
    }
    return false;
}

/* Makes room for len more bytes. */
static MCPW_NOINLINE bool grow(mcpw_json_writer *w, size_t len) {
    if (w->out == NULL) {
        return fail(w, MCPW_E_SIZE);
    }
    w->out->len = w->begin + w->len;
    const mcpw_status status = mcpw_buffer_reserve(w->out, len);
    w->out->len = w->begin;
    if (status != MCPW_OK) {
        return fail(w, status);
    }
    w->data = w->out->data + w->begin;
    w->capacity = w->out->capacity - w->begin;
    return true;
}

static void put(mcpw_json_writer *w, const char *text, size_t len) {
    if (w->status != MCPW_OK) {
        return;
    }
    if (len > w->capacity - w->len && !grow(w, len)) {
        return;
    }
    memcpy(w->data + w->len, text, len);
    w->len += len;
}

static MCPW_NOINLINE void put_slowly(mcpw_json_writer *w, char c) { put(w, &c, 1); }

static inline void put_byte(mcpw_json_writer *w, char c) {
    if (MCPW_COMPACT || w->status != MCPW_OK || w->len == w->capacity) {
        put_slowly(w, c);
    } else {
        w->data[w->len++] = c;
    }
}

/* The lowest bit of is_object and has_items is that of the innermost level; outside of all levels it is 0. */
static bool in_object(const mcpw_json_writer *w) { return (w->is_object & 1U) != 0; }

/* Whether a name or value may stand here, and whether a comma comes before it. */
static inline bool may_begin(mcpw_json_writer *w, bool is_key, bool *comma) {
    if (w->status != MCPW_OK) {
        return false;
    }
    const bool after_key = w->after_key;
    const bool allowed = after_key ? !is_key : in_object(w) == is_key && (w->depth != 0 || w->len == 0);
    w->after_key = false;
    if (!allowed) {
        return fail(w, MCPW_E_ARGUMENT);
    }
    *comma = !after_key && (w->has_items & 1U) != 0;
    w->has_items |= !after_key;
    return true;
}

/* The same. If so, puts the comma before it. */
static bool begin_item(mcpw_json_writer *w, bool is_key) {
    bool comma = false;
    if (!may_begin(w, is_key, &comma)) {
        return false;
    }
    if (comma) {
        put_byte(w, ',');
    }
    return w->status == MCPW_OK;
}

/* Notes that the value nests as deep as the open levels and `more`. */
static void nest(mcpw_json_writer *w, unsigned more) {
    w->levels = w->depth + more > w->levels ? w->depth + more : w->levels;
}

static void open_level(mcpw_json_writer *w, bool object) {
    if (!begin_item(w, false)) {
        return;
    }
    if (w->depth == MCPW_JSON_WRITE_DEPTH) {
        (void)fail(w, MCPW_E_DEPTH);
        return;
    }
    put_byte(w, object ? '{' : '[');
    w->depth++;
    nest(w, 0);
    w->is_object = w->is_object << 1 | object;
    w->has_items <<= 1;
}

void mcpw_json_write_object(mcpw_json_writer *w) { open_level(w, true); }

void mcpw_json_write_array(mcpw_json_writer *w) { open_level(w, false); }

void mcpw_json_write_close(mcpw_json_writer *w) {
    if (w->status != MCPW_OK) {
        return;
    }
    if (w->depth == 0 || w->after_key) {
        (void)fail(w, MCPW_E_ARGUMENT);
        return;
    }
    put_byte(w, in_object(w) ? '}' : ']');
    w->depth--;
    w->is_object >>= 1;
    w->has_items >>= 1;
}

/* The end of a piece of text that is at most PIECE bytes long and does not end within a character. */
static const unsigned char *piece_end(const unsigned char *from, const unsigned char *end) {
    if (end - from <= PIECE) {
        return end;
    }
    end = from + PIECE;
    for (int i = 1; i < MCPW_CHARACTER_SIZE && mcpw_is_continuation(*end); i++) {
        end--;
    }
    return end;
}

/* From the first special byte of a string on: by pieces, as what is written beyond their end finds no room
 * where the buffer ends. */
static MCPW_NOINLINE void put_rest(mcpw_json_writer *w, const unsigned char *from, const unsigned char *end) {
    const mcpw_runs *const runs = mcpw_runs_here();
    unsigned char escaped[PIECE * MCPW_ESCAPE_SIZE + MCPW_PUT_SLACK];
    while (from != end && w->status == MCPW_OK) {
        unsigned char *to = escaped;
        from = runs->put(&to, from, piece_end(from, end), escaped + PIECE * MCPW_ESCAPE_SIZE);
        if (from == NULL) {
            (void)fail(w, MCPW_E_UTF8);
            return;
        }
        put(w, (const char *)escaped, (size_t)(to - escaped));
    }
}

/* A string with its quotes, with a comma before it and a colon after it where those are due. False: nothing
 * is written, because the text is not plain or long, or finds no room. */
static inline bool put_plain(mcpw_json_writer *w, const char *text, size_t len, bool comma, bool colon) {
    if (len > MCPW_COPY_PLAIN_MOST ||
        (len + AROUND > w->capacity - w->len && (w->out == NULL || !grow(w, len + AROUND)))) {
        return false;
    }
    char *to = w->data + w->len;
    *to = ',';
    to += comma;
    *to++ = '"';
    if (mcpw_copy_plain_text((unsigned char *)to, (const unsigned char *)text, len) != 0) {
        return false;
    }
    to += len;
    *to++ = '"';
    *to = ':';
    w->len = (size_t)(to - w->data) + colon;
    return true;
}

/* A string with its quotes. */
static MCPW_NOINLINE void put_quoted(mcpw_json_writer *w, const char *text, size_t len, bool comma,
                                     bool colon) {
    const unsigned char *const from = (const unsigned char *)text;
    const size_t plain = len != 0 ? (size_t)(mcpw_block_scan(from, from + len) - from) : 0;
    if (comma) {
        put_byte(w, ',');
    }
    put_byte(w, '"');
    if (plain != 0) {
        put(w, text, plain);
    }
    if (plain != len) {
        put_rest(w, from + plain, from + len);
    }
    put_byte(w, '"');
    if (colon) {
        put_byte(w, ':');
    }
}

/* The same in either way. */
static inline void put_string(mcpw_json_writer *w, const char *text, size_t len, bool is_key) {
    bool comma = false;
    if (!may_begin(w, is_key, &comma)) {
        return;
    }
    if (MCPW_COMPACT || !put_plain(w, text, len, comma, is_key)) {
        put_quoted(w, text, len, comma, is_key);
    }
    w->after_key = is_key;
}

void mcpw_json_write_key(mcpw_json_writer *w, const char *name) {
    if (name == NULL) {
        (void)fail(w, MCPW_E_ARGUMENT);
        return;
    }
    put_string(w, name, strlen(name), true);
}

void mcpw_json_write_name(mcpw_json_writer *w, const char *name, size_t len) {
    if (name == NULL) {
        (void)fail(w, MCPW_E_ARGUMENT);
        return;
    }
    put_string(w, name, len, true);
}

void mcpw_json_write_string(mcpw_json_writer *w, const char *text, size_t len) {
    if (text == NULL && len != 0) {
        (void)fail(w, MCPW_E_ARGUMENT);
        return;
    }
    put_string(w, text, len, false);
}

void mcpw_json_write_int(mcpw_json_writer *w, int64_t value) {
    char text[MCPW_INT_SIZE];
    if (!begin_item(w, false)) {
        return;
    }
    if (!MCPW_COMPACT && w->capacity - w->len >= sizeof text) {
        w->len += mcpw_format_int(w->data + w->len, value);
    } else {
        put(w, text, mcpw_format_int(text, value));
    }
}

void mcpw_json_write_double(mcpw_json_writer *w, double value) {
    char text[MCPW_DOUBLE_SIZE];
    if (!(value - value == 0)) { /* an infinity or no number */
        (void)fail(w, MCPW_E_VALUE);
        return;
    }
    if (begin_item(w, false)) {
        put(w, text, mcpw_format_double(text, value));
    }
}

void mcpw_json_write_bool(mcpw_json_writer *w, bool value) {
    if (begin_item(w, false)) {
        put(w, value ? "true" : "false", value ? 4 : 5);
    }
}

void mcpw_json_write_null(mcpw_json_writer *w) {
    if (begin_item(w, false)) {
        put(w, "null", 4);
    }
}

/* Writes the text of a value without the white space between its tokens, so that no line break gets in. */
static void put_compact(mcpw_json_writer *w, mcpw_json value) {
    const unsigned char *p = (const unsigned char *)value.ptr;
    const unsigned char *const end = p + value.len;
    while (p < end) {
        const unsigned char *const run = p;
        p = mcpw_find_space(p, end);
        put(w, (const char *)run, (size_t)(p - run));
        p = mcpw_pass_space(p, end);
    }
}

/* Whether a text is one value that nests at most so deep. *found tells whether there is white space in it. */
static mcpw_status scan_raw(mcpw_json value, unsigned depth, bool *found) {
    const unsigned char *const begin = (const unsigned char *)value.ptr;
    mcpw_scanner s;
    if (begin == NULL) {
        return MCPW_E_SYNTAX;
    }
    mcpw_scanner_open(&s, begin + value.len, depth);
    const unsigned char *p = mcpw_scan_value(&s, mcpw_scan_space(&s, begin));
    if (p == NULL) {
        return s.status;
    }
    p = mcpw_scan_space(&s, p);
    *found = s.saw_space;
    return p == s.end ? MCPW_OK : MCPW_E_SYNTAX;
}

/* The same, with the levels that it may have: few, unless it needs more. */
static mcpw_status check_raw(mcpw_json value, unsigned *levels, bool *found) {
    const mcpw_status status = scan_raw(value, USUAL_LEVELS, found);
    if (status == MCPW_E_DEPTH) {
        return scan_raw(value, *levels, found);
    }
    *levels = USUAL_LEVELS;
    return status;
}

void mcpw_json_write_raw(mcpw_json_writer *w, mcpw_json value) {
    if (w->status != MCPW_OK) {
        return;
    }
    bool has_space = true;
    unsigned levels = MCPW_DEFAULT_DEPTH;
    mcpw_status status = MCPW_OK;
    if (mcpw_is_sealed(value, 0)) {
        levels = mcpw_seal_levels(value);
    } else if (MCPW_COMPACT) {
        status = mcpw_json_check(value, 0, NULL);
    } else {
        status = check_raw(value, &levels, &has_space);
    }
    if (status != MCPW_OK) {
        (void)fail(w, status);
        return;
    }
    if (begin_item(w, false)) {
        nest(w, levels);
        if (has_space) {
            put_compact(w, value);
        } else {
            put(w, value.ptr, value.len);
        }
    }
}

mcpw_status mcpw_json_write_end(mcpw_json_writer *w, mcpw_json *out) {
    if (w->status == MCPW_OK && (w->depth != 0 || w->len == 0)) {
        w->status = MCPW_E_ARGUMENT;
    }
    if (w->status == MCPW_OK) {
        *out = (mcpw_json){w->data, w->len, mcpw_seal_of(w->data, w->len, w->levels, 0)};
        if (w->out != NULL) {
            w->out->len += w->len;
        }
    }
    return w->status;
}
