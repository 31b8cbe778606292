/* SPDX-License-Identifier: MIT */
/*
 * Raw values: the grammar against a parser of RFC 8259 written for nothing but that, every reading function
 * on any text, and, where the text is JSON, what the writer makes of what was read.
 */
#include <mcpw/detail/field.h>
#include <mcpw/detail/reflect.h>

#include "fuzz_json.h"

/* ---- the grammar once more, by the book, a byte at a time ---- */

typedef struct grammar {
    const unsigned char *at;
    const unsigned char *end;
    unsigned depth;
    unsigned deepest;
} grammar;

static bool value(grammar *g);

static bool eat(grammar *g, unsigned char c) {
    if (g->at == g->end || *g->at != c) {
        return false;
    }
    g->at++;
    return true;
}

static void space(grammar *g) {
    while (g->at != g->end && (*g->at == ' ' || *g->at == '\t' || *g->at == '\n' || *g->at == '\r')) {
        g->at++;
    }
}

static bool digits(grammar *g) {
    const unsigned char *const start = g->at;
    while (g->at != g->end && *g->at >= '0' && *g->at <= '9') {
        g->at++;
    }
    return g->at != start;
}

static bool number(grammar *g) {
    (void)eat(g, '-');
    if (!eat(g, '0') && !digits(g)) {
        return false;
    }
    if (eat(g, '.') && !digits(g)) {
        return false;
    }
    if (eat(g, 'e') || eat(g, 'E')) {
        (void)(eat(g, '+') || eat(g, '-'));
        return digits(g);
    }
    return true;
}

static bool code_unit(grammar *g, unsigned *out) {
    *out = 0;
    for (int i = 0; i < 4; i++) {
        const char *const all = "0123456789abcdef";
        const int c = g->at != g->end ? *g->at++ : 0;
        const char *const found = c != 0 ? strchr(all, c >= 'A' && c <= 'F' ? c + ('a' - 'A') : c) : NULL;
        if (found == NULL) {
            return false;
        }
        *out = *out * 16 + (unsigned)(found - all);
    }
    return true;
}

static bool escape(grammar *g) {
    unsigned unit = 0;
    if (g->at == g->end) {
        return false;
    }
    const int c = *g->at++;
    if (c != 'u') {
        return c != 0 && strchr("\"\\/bfnrt", c) != NULL;
    }
    if (!code_unit(g, &unit)) {
        return false;
    }
    if (unit >= 0xd800 && unit < 0xdc00) {
        return eat(g, '\\') && eat(g, 'u') && code_unit(g, &unit) && unit >= 0xdc00 && unit < 0xe000;
    }
    return unit < 0xdc00 || unit >= 0xe000;
}

static bool character(grammar *g) {
    const unsigned c = *g->at++;
    unsigned point = c & 0x3f;
    int more = 0;
    if (c < 0x80) {
        return c >= 0x20;
    }
    if (c >= 0xc2 && c < 0xe0) {
        point = c & 0x1f;
        more = 1;
    } else if (c >= 0xe0 && c < 0xf0) {
        point = c & 0x0f;
        more = 2;
    } else if (c >= 0xf0 && c < 0xf5) {
        point = c & 0x07;
        more = 3;
    } else {
        return false;
    }
    for (int i = 0; i < more; i++) {
        if (g->at == g->end || (*g->at & 0xc0) != 0x80) {
            return false;
        }
        point = point << 6 | (*g->at++ & 0x3fU);
    }
    return more == 1 || (more == 2 && point >= 0x800 && (point < 0xd800 || point > 0xdfff)) ||
           (more == 3 && point >= 0x10000 && point <= 0x10ffff);
}

static bool string(grammar *g) {
    if (!eat(g, '"')) {
        return false;
    }
    while (g->at != g->end && *g->at != '"') {
        if (eat(g, '\\') ? !escape(g) : !character(g)) {
            return false;
        }
    }
    return eat(g, '"');
}

static bool container(grammar *g, unsigned char close, bool members) {
    if (++g->depth > g->deepest) {
        g->deepest = g->depth;
    }
    space(g);
    if (!eat(g, close)) {
        do {
            space(g);
            if (members) {
                if (!string(g)) {
                    return false;
                }
                space(g);
                if (!eat(g, ':')) {
                    return false;
                }
            }
            if (!value(g)) {
                return false;
            }
        } while (eat(g, ','));
        if (!eat(g, close)) {
            return false;
        }
    }
    g->depth--;
    return true;
}

static bool word(grammar *g, const char *text) {
    while (*text != '\0') {
        if (!eat(g, (unsigned char)*text++)) {
            return false;
        }
    }
    return true;
}

static bool value(grammar *g) {
    bool ok = false;
    space(g);
    switch (g->at != g->end ? *g->at : 0) {
    case '{':
        g->at++;
        ok = container(g, '}', true);
        break;
    case '[':
        g->at++;
        ok = container(g, ']', false);
        break;
    case '"':
        ok = string(g);
        break;
    case 't':
        ok = word(g, "true");
        break;
    case 'f':
        ok = word(g, "false");
        break;
    case 'n':
        ok = word(g, "null");
        break;
    default:
        ok = number(g);
        break;
    }
    space(g);
    return ok;
}

/* ---- reading all of a value, and writing it again ---- */

typedef struct copier {
    mcpw_arena arena;
    mcpw_json_writer writer;
    unsigned depth;
} copier;

static mcpw_status copy_value(copier *c, mcpw_json v);

static mcpw_status copy_items(copier *c, mcpw_json v, bool object) {
    mcpw_json_iter it;
    mcpw_json key = {NULL, 0, 0};
    mcpw_json item = {NULL, 0, 0};
    mcpw_str name = {NULL, 0};
    mcpw_status status = mcpw_json_iterate(v, &it);
    while (status == MCPW_OK && mcpw_json_next(&it, &key, &item)) {
        if (object) {
            status = mcpw_json_string(key, &c->arena, &name);
            if (status == MCPW_OK && memchr(name.ptr, 0, name.len) == NULL) {
                const mcpw_str ended = mcpw_arena_str(&c->arena, name.ptr, name.len);
                mcpw_json_write_key(&c->writer, ended.ptr);
            } else if (status == MCPW_OK) { /* the writer's keys are C strings */
                c->writer.status = MCPW_E_ARGUMENT;
            }
        }
        status = status == MCPW_OK ? copy_value(c, item) : status;
    }
    return status == MCPW_OK ? it.status : status;
}

static mcpw_status copy_scalar(copier *c, mcpw_json v, mcpw_json_kind kind) {
    mcpw_str text = {NULL, 0};
    int64_t integer = 0;
    double real = 0;
    bool yes = false;
    mcpw_status status = MCPW_OK;
    if (kind == MCPW_JSON_STRING) {
        status = mcpw_json_string(v, &c->arena, &text);
        mcpw_json_write_string(&c->writer, text.ptr != NULL ? text.ptr : "", text.len);
    } else if (kind == MCPW_JSON_NUMBER) {
        status = mcpw_json_int(v, &integer);
        if (status == MCPW_OK) {
            mcpw_json_write_int(&c->writer, integer);
        } else if (status == MCPW_E_TYPE || status == MCPW_E_OVERFLOW) {
            status = mcpw_json_double(v, &real);
            status = status == MCPW_E_OVERFLOW ? MCPW_OK : status;
            mcpw_json_write_raw(&c->writer, v);
        }
    } else if (kind == MCPW_JSON_BOOLEAN) {
        status = mcpw_json_bool(v, &yes);
        mcpw_json_write_bool(&c->writer, yes);
    } else {
        status = mcpw_json_check(v, 0, NULL);
        mcpw_json_write_null(&c->writer);
    }
    return status;
}

static mcpw_status copy_value(copier *c, mcpw_json v) {
    const mcpw_json_kind kind = mcpw_json_kind_of(v);
    mcpw_status status = MCPW_OK;
    if (kind != MCPW_JSON_ARRAY && kind != MCPW_JSON_OBJECT) {
        return copy_scalar(c, v, kind);
    }
    if (c->depth == MCPW_DEFAULT_DEPTH) {
        return MCPW_E_DEPTH;
    }
    c->depth++;
    if (kind == MCPW_JSON_OBJECT) {
        mcpw_json_write_object(&c->writer);
    } else {
        mcpw_json_write_array(&c->writer);
    }
    status = copy_items(c, v, kind == MCPW_JSON_OBJECT);
    mcpw_json_write_close(&c->writer);
    c->depth--;
    return status;
}

/* Reads all of it and writes it into room of that size. */
static mcpw_status copy(mcpw_json v, char *room, size_t size, mcpw_json *out, mcpw_status *written) {
    copier c = {MCPW_ARENA_INIT, {0}, 0};
    mcpw_json_write_begin(&c.writer, room, size);
    const mcpw_status status = copy_value(&c, v);
    *written = mcpw_json_write_end(&c.writer, out);
    mcpw_arena_free(&c.arena);
    return status;
}

/* ---- the target ---- */

static void check_valid(const fuzz_header *h, mcpw_json v, unsigned deepest) {
    enum { GROWTH = 6, MORE = 64 };
    const size_t enough = v.len * GROWTH + MORE;
    const size_t few = h->extra[1] < enough ? h->extra[1] : enough;
    char *const room = fuzz_alloc(enough);
    char *const small = fuzz_alloc(few);
    mcpw_json out = {NULL, 0, 0};
    mcpw_json cut = {NULL, 0, 0};
    mcpw_status written = MCPW_OK;
    FUZZ_ASSERT(mcpw_json_equal(v, v));
    FUZZ_SAME(copy(v, room, enough, &out, &written), MCPW_OK, "reading of a valid value");
    if (written == MCPW_OK) {
        FUZZ_SAME(mcpw_json_check(out, 0, NULL), MCPW_OK, "what was written");
        FUZZ_ASSERT(mcpw_json_equal(v, out) && mcpw_json_equal(out, v));
    } else {
        FUZZ_ASSERT(written == MCPW_E_ARGUMENT || deepest > MCPW_JSON_WRITE_DEPTH);
    }
    FUZZ_SAME(copy(v, small, few, &cut, &written), MCPW_OK, "reading of a valid value");
    FUZZ_ASSERT(written != MCPW_OK || (cut.len == out.len && memcmp(cut.ptr, out.ptr, out.len) == 0));
    free(room);
    free(small);
}

/* Members may stand in any order. */
static void check_order(mcpw_json v) {
    if (!fuzz_has_duplicates(v)) {
        mcpw_json other = {NULL, 0, 0};
        other.ptr = fuzz_reversed(v, &other.len);
        FUZZ_ASSERT(mcpw_json_equal(v, other) && mcpw_json_equal(other, v));
        free((char *)(uintptr_t)other.ptr);
    }
}

/* Every function may be called with text that is no JSON. */
static void check_invalid(mcpw_json v, mcpw_status verdict) {
    enum { GROWTH = 6, MORE = 64 };
    char *const room = fuzz_alloc(v.len * GROWTH + MORE);
    mcpw_json out = {NULL, 0, 0};
    mcpw_status written = MCPW_OK;
    int64_t integer = 0;
    double real = 0;
    bool yes = false;
    FUZZ_ASSERT(!mcpw_json_equal(v, v) || verdict == MCPW_E_DEPTH);
    FUZZ_ASSERT(copy(v, room, v.len * GROWTH + MORE, &out, &written) != MCPW_OK);
    FUZZ_ASSERT(mcpw_json_int(v, &integer) != MCPW_OK && mcpw_json_double(v, &real) != MCPW_OK);
    FUZZ_ASSERT(mcpw_json_bool(v, &yes) != MCPW_OK);
    (void)mcpw_json_count(v);
    (void)!mcpw_json_get(v, "method", &out);
    (void)!mcpw_json_get(v, "", &out);
    (void)!mcpw_json_at(v, 1, &out);
    free(room);
}

/* The engine's way through raw values: decode, validate and skip alike. */
static void check_engine(const fuzz_header *h, mcpw_json v, mcpw_status verdict) {
    static const mcpw_ref of_any = {MCPW_KIND_JSON, 0, 0};
    static const mcpw_ref of_object = {MCPW_KIND_JSON_OBJECT, 0, 0};
    mcpw_type_room rooms[2];
    const mcpw_type *const any = mcpw_type_make(&rooms[0], h->revision, of_any, "any");
    const mcpw_type *const object = mcpw_type_make(&rooms[1], h->revision, of_object, "object");
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_json out = {NULL, 0, 0};
    FUZZ_SAME(mcpw_decode(any, v.ptr, v.len, &arena, &out, NULL, NULL), verdict, "decode and check");
    if (verdict == MCPW_OK) {
        FUZZ_ASSERT(mcpw_json_equal(v, out));
    }
    FUZZ_SAME(mcpw_validate(any, v.ptr, v.len, &arena, NULL, NULL), verdict, "validate and check");
    const bool is_object = mcpw_validate(object, v.ptr, v.len, &arena, NULL, NULL) == MCPW_OK;
    FUZZ_ASSERT(is_object == (verdict == MCPW_OK && mcpw_json_kind_of(v) == MCPW_JSON_OBJECT));
    FUZZ_ASSERT((mcpw_decode(object, v.ptr, v.len, &arena, &out, NULL, NULL) == MCPW_OK) == is_object);
    mcpw_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const fuzz_header h = fuzz_read_header(data, size);
    grammar g = {(const unsigned char *)h.text, (const unsigned char *)h.text + h.len, 0, 0};
    const mcpw_json v = mcpw_json_of(h.text, h.len);
    mcpw_error error = {0};
    const unsigned depth = h.extra[0] % MCPW_MAX_DEPTH;
    const bool valid = value(&g) && g.at == g.end;
    const mcpw_status verdict = mcpw_json_check(v, 0, &error);
    fuzz_check_error(verdict, &error);
    FUZZ_ASSERT((verdict == MCPW_OK) == (valid && g.deepest <= MCPW_DEFAULT_DEPTH));
    if (depth != 0) {
        FUZZ_ASSERT((mcpw_json_check(v, depth, NULL) == MCPW_OK) == (valid && g.deepest <= depth));
    }
    check_engine(&h, v, verdict);
    if (verdict == MCPW_OK) {
        check_valid(&h, v, g.deepest);
        check_order(v);
    } else {
        check_invalid(v, verdict);
    }
    return 0;
}
