/* SPDX-License-Identifier: MIT */
#include "uri.h"

#include "../base/arena_internal.h"

/* A reference in parts, which are absent where their mark is. */
typedef struct parts {
    mcpw_str scheme;
    mcpw_str authority;
    mcpw_str path;
    mcpw_str query;
} parts;

enum { NO_HEX = 256, HEX_BITS = 4, ESCAPE = 3 /* bytes of %xx */ };

static unsigned digit(char c) {
    if (c >= '0' && c <= '9') {
        return (unsigned)(c - '0');
    }
    const unsigned letter = ((unsigned)c | 0x20U) - 'a';
    return letter < 6 ? letter + 10 : NO_HEX;
}

unsigned mcpw_uri_hex(const char *p) {
    const unsigned high = digit(p[0]);
    const unsigned low = high < NO_HEX ? digit(p[1]) : NO_HEX;
    return low < NO_HEX ? high << HEX_BITS | low : NO_HEX;
}

static bool is_letter(char c) { return ((unsigned)c | 0x20U) - 'a' < 26U; }

static bool is_scheme_byte(char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

/* Cuts what stands before one of the bytes of `ends` from the front of text. */
static mcpw_str cut(mcpw_str *text, const char *ends) {
    mcpw_str piece = {text->ptr, 0};
    while (piece.len < text->len &&
           (piece.ptr[piece.len] == 0 || strchr(ends, piece.ptr[piece.len]) == NULL)) {
        piece.len++;
    }
    text->ptr += piece.len;
    text->len -= piece.len;
    return piece;
}

static void drop(mcpw_str *text, size_t count) {
    text->ptr += count;
    text->len -= count;
}

static parts take_apart(mcpw_str text) {
    static const mcpw_str absent = {NULL, 0};
    parts p = {absent, absent, absent, absent};
    size_t n = 0;
    while (n < text.len && is_scheme_byte(text.ptr[n])) {
        n++;
    }
    if (n > 0 && n < text.len && text.ptr[n] == ':' && is_letter(text.ptr[0])) {
        p.scheme.ptr = text.ptr;
        p.scheme.len = n;
        drop(&text, n + 1);
    }
    if (text.len >= 2 && text.ptr[0] == '/' && text.ptr[1] == '/') {
        drop(&text, 2);
        p.authority = cut(&text, "/?");
    }
    p.path = cut(&text, "?");
    if (text.len > 0) {
        drop(&text, 1);
        p.query = text;
    }
    return p;
}

/* A text under construction, with room for all that may come. */
typedef struct writer {
    char *at;
    char *path; /* where the path began */
} writer;

static void put(writer *w, mcpw_str text) {
    if (text.len != 0) {
        memcpy(w->at, text.ptr, text.len);
        w->at += text.len;
    }
}

static void put_text(writer *w, const char *text) { put(w, mcpw_str_from(text)); }

/* Removes "." and ".." (section 5.2.4) from the path that was written. */
static void remove_dots(writer *w) {
    char *const begin = w->path;
    char *const end = w->at;
    const bool rooted = begin < end && *begin == '/';
    const char *p = begin + rooted;
    char *to = begin + rooted;
    char *const root = to;
    while (p <= end) {
        const char *const slash = p < end ? memchr(p, '/', (size_t)(end - p)) : NULL;
        const char *const stop = slash != NULL ? slash : end;
        const size_t len = (size_t)(stop - p);
        if (len == 2 && p[0] == '.' && p[1] == '.') {
            to -= to > root ? 1 : 0;
            while (to > root && to[-1] != '/') {
                to--;
            }
        } else if (len != 1 || p[0] != '.') {
            memmove(to, p, len);
            to += len;
            if (slash != NULL) {
                *to++ = '/';
            }
        }
        p = stop + 1;
    }
    w->at = to;
}

/* The path of a reference that has one, as seen from the base. */
static void put_merged(writer *w, const parts *base, const parts *ref) {
    mcpw_str folder = base->path;
    if (ref->path.ptr[0] != '/') {
        while (folder.len > 0 && folder.ptr[folder.len - 1] != '/') {
            folder.len--;
        }
        if (folder.len == 0 && base->authority.ptr != NULL) {
            put_text(w, "/");
        }
        put(w, folder);
    }
    put(w, ref->path);
    remove_dots(w);
}

static void put_rest(writer *w, const parts *base, const parts *ref) {
    const parts *const place = ref->authority.ptr != NULL || ref->scheme.ptr != NULL ? ref : base;
    const parts *const named = ref->scheme.ptr != NULL ? ref : base;
    mcpw_str query = ref->query;
    if (named->scheme.ptr != NULL) {
        put(w, named->scheme);
        put_text(w, ":");
    }
    if (place->authority.ptr != NULL) {
        put_text(w, "//");
        put(w, place->authority);
    }
    w->path = w->at;
    if (place == ref) {
        put(w, ref->path);
        if (ref->authority.ptr != NULL || (ref->path.len > 0 && ref->path.ptr[0] == '/')) {
            remove_dots(w);
        }
    } else if (ref->path.len == 0) {
        put(w, base->path);
        query = query.ptr != NULL ? query : base->query;
    } else {
        put_merged(w, base, ref);
    }
    if (query.ptr != NULL) {
        put_text(w, "?");
        put(w, query);
    }
}

/* Undoes the escapes of a fragment. */
static mcpw_status decode(writer *w, mcpw_str text) {
    for (size_t i = 0; i < text.len; i++) {
        unsigned c = (unsigned char)text.ptr[i];
        if (c == '%') {
            c = text.len - i >= ESCAPE ? mcpw_uri_hex(text.ptr + i + 1) : NO_HEX;
            i += ESCAPE - 1;
        }
        if (c >= NO_HEX) {
            return MCPW_E_FORMAT;
        }
        *w->at++ = (char)c;
    }
    return MCPW_OK;
}

mcpw_status mcpw_uri_resolve(mcpw_arena *arena, mcpw_str base, mcpw_str reference, mcpw_target *out) {
    enum { MORE = 8 /* for what stands between parts, and two NULs */ };
    char *const text = mcpw_arena_bump(arena, base.len + reference.len + MORE);
    writer w = {text, text};
    if (text == NULL) {
        return mcpw_arena_status(arena);
    }
    mcpw_str rest = reference;
    const mcpw_str whole = cut(&rest, "#");
    const parts from = take_apart(base);
    const parts to = take_apart(whole);
    if (whole.len == 0) {
        put(&w, base);
    } else {
        put_rest(&w, &from, &to);
    }
    out->uri.ptr = text;
    out->uri.len = (size_t)(w.at - text);
    *w.at++ = '\0';
    out->fragment.ptr = w.at;
    if (rest.len > 0) {
        drop(&rest, 1);
    }
    const mcpw_status status = decode(&w, rest);
    out->fragment.len = (size_t)(w.at - out->fragment.ptr);
    *w.at = '\0';
    return status;
}

bool mcpw_pointer_step(mcpw_str *pointer, char *out, size_t *len) {
    drop(pointer, 1);
    const mcpw_str step = cut(pointer, "/");
    *len = 0;
    for (size_t i = 0; i < step.len; i++) {
        char c = step.ptr[i];
        if (c == '~') {
            i++;
            if (i == step.len || (step.ptr[i] != '0' && step.ptr[i] != '1')) {
                return false;
            }
            c = step.ptr[i] == '0' ? '~' : '/';
        }
        out[(*len)++] = c;
    }
    return true;
}
