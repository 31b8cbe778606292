/* SPDX-License-Identifier: MIT */
#include "words.h"

#include <sodium.h>

enum { SECRET_SIZE = 32 /* bytes of a verifier, a state, an id of a JWT */ };

static mcpw_str encoded(mcpw_arena *arena, const void *bytes, size_t len, int variant) {
    const size_t size = sodium_base64_encoded_len(len, variant);
    char *const text = mcpw_arena_alloc(arena, size);
    if (text == NULL) {
        return (mcpw_str){NULL, 0};
    }
    (void)sodium_bin2base64(text, size, bytes, len, variant);
    return mcpw_str_from(text);
}

mcpw_str mcpw_oauth_base64url(mcpw_arena *arena, const void *bytes, size_t len) {
    return encoded(arena, bytes, len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

mcpw_str mcpw_oauth_base64(mcpw_arena *arena, const void *bytes, size_t len) {
    return encoded(arena, bytes, len, sodium_base64_VARIANT_ORIGINAL);
}

mcpw_str mcpw_oauth_digest(mcpw_arena *arena, mcpw_str text) {
    unsigned char digest[crypto_hash_sha256_BYTES];
    (void)crypto_hash_sha256(digest, (const unsigned char *)text.ptr, text.len);
    return mcpw_oauth_base64url(arena, digest, sizeof digest);
}

mcpw_str mcpw_oauth_random(mcpw_arena *arena) {
    unsigned char bytes[SECRET_SIZE];
    randombytes_buf(bytes, sizeof bytes);
    const mcpw_str text = mcpw_oauth_base64url(arena, bytes, sizeof bytes);
    sodium_memzero(bytes, sizeof bytes);
    return text;
}

bool mcpw_oauth_is_same_secret(mcpw_str a, mcpw_str b) {
    return a.ptr != NULL && b.ptr != NULL && a.len == b.len && sodium_memcmp(a.ptr, b.ptr, a.len) == 0;
}

/* ---- Forms --------------------------------------------------------------------------------------------- */

mcpw_oauth_form mcpw_oauth_form_in(mcpw_arena *arena) {
    return (mcpw_oauth_form){.out = mcpw_buffer_in(arena), .status = MCPW_OK};
}

void mcpw_oauth_form_add(mcpw_oauth_form *form, mcpw_str text) {
    if (form->status == MCPW_OK && text.len != 0) {
        form->status = mcpw_buffer_append(&form->out, text.ptr, text.len);
    }
}

static bool is_unreserved(unsigned char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

void mcpw_oauth_form_escape(mcpw_oauth_form *form, mcpw_str text) {
    static const char digits[] = "0123456789ABCDEF";
    enum { NIBBLE = 4, LOW = 15 };
    for (size_t i = 0; i < text.len; i++) {
        const unsigned char c = (unsigned char)text.ptr[i];
        const char escaped[] = {'%', digits[c >> NIBBLE], digits[c & LOW]};
        mcpw_oauth_form_add(form, is_unreserved(c) ? (mcpw_str){text.ptr + i, 1}
                                                   : (mcpw_str){escaped, sizeof escaped});
    }
}

void mcpw_oauth_form_put(mcpw_oauth_form *form, const char *name, mcpw_str value) {
    if (value.ptr == NULL) {
        return;
    }
    const char last = form->out.len != 0 ? form->out.data[form->out.len - 1] : '?';
    if (last != '?' && last != '&') {
        mcpw_oauth_form_add(form, MCPW_STR_VALUE("&"));
    }
    mcpw_oauth_form_add(form, mcpw_str_from(name));
    mcpw_oauth_form_add(form, MCPW_STR_VALUE("="));
    mcpw_oauth_form_escape(form, value);
}

mcpw_str mcpw_oauth_form_end(mcpw_oauth_form *form) {
    mcpw_oauth_form_add(form, (mcpw_str){"", 1}); /* the NUL */
    const mcpw_json text = mcpw_buffer_take(&form->out);
    return form->status == MCPW_OK ? (mcpw_str){text.ptr, text.len - 1} : (mcpw_str){NULL, 0};
}

static int hex_value(char c) {
    enum { TEN = 10 };
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + TEN
           : c >= 'A' && c <= 'F' ? c - 'A' + TEN
                                  : -1;
}

static mcpw_str decoded(mcpw_arena *arena, mcpw_str text) {
    enum { SIXTEEN = 16 };
    char *const out = mcpw_arena_alloc(arena, text.len + 1);
    size_t len = 0;
    for (size_t i = 0; out != NULL && i < text.len; i++) {
        const bool is_escape = text.ptr[i] == '%' && text.len - i > 2 && hex_value(text.ptr[i + 1]) >= 0 &&
                               hex_value(text.ptr[i + 2]) >= 0;
        if (is_escape) {
            out[len++] = (char)(hex_value(text.ptr[i + 1]) * SIXTEEN + hex_value(text.ptr[i + 2]));
            i += 2;
        } else {
            out[len++] = text.ptr[i] == '+' ? ' ' : text.ptr[i];
        }
    }
    if (out != NULL) {
        out[len] = '\0';
    }
    return (mcpw_str){out, out != NULL ? len : 0};
}

/* Takes a text off the front, up to the mark, which is dropped. */
static mcpw_str take_up_to(mcpw_str *text, char mark) {
    const char *const end = text->len != 0 ? memchr(text->ptr, mark, text->len) : NULL;
    const size_t len = end != NULL ? (size_t)(end - text->ptr) : text->len;
    const mcpw_str taken = {text->ptr, len};
    const size_t used = end != NULL ? len + 1 : len;
    text->ptr = used != 0 ? text->ptr + used : text->ptr; /* an absent text stays absent */
    text->len -= used;
    return taken;
}

mcpw_status mcpw_oauth_form_find(mcpw_str form, const char *name, mcpw_arena *arena, mcpw_str *value,
                                 size_t *count) {
    *value = (mcpw_str){NULL, 0};
    *count = 0;
    while (form.len != 0) {
        mcpw_str pair = take_up_to(&form, '&');
        const mcpw_str key = decoded(arena, take_up_to(&pair, '='));
        if (key.ptr == NULL) {
            return MCPW_E_MEMORY;
        }
        if (mcpw_str_is(key, name) && ++*count == 1) {
            *value = decoded(arena, pair);
            if (value->ptr == NULL) {
                return MCPW_E_MEMORY;
            }
        }
    }
    return MCPW_OK;
}

/* ---- Scopes -------------------------------------------------------------------------------------------- */

bool mcpw_oauth_scope_next(mcpw_str *list, mcpw_str *word) {
    do {
        *word = take_up_to(list, ' ');
    } while (word->len == 0 && list->len != 0);
    return word->len != 0;
}

bool mcpw_oauth_scope_has(mcpw_str list, mcpw_str word) {
    mcpw_str other;
    while (mcpw_oauth_scope_next(&list, &other)) {
        if (mcpw_str_equal(other, word)) {
            return true;
        }
    }
    return false;
}

bool mcpw_oauth_scope_has_all(mcpw_str list, mcpw_str words) {
    mcpw_str word;
    while (mcpw_oauth_scope_next(&words, &word)) {
        if (!mcpw_oauth_scope_has(list, word)) {
            return false;
        }
    }
    return true;
}

bool mcpw_oauth_scope_is_list(mcpw_str list) {
    for (size_t i = 0; i < list.len; i++) {
        if (list.ptr[i] < ' ' || list.ptr[i] > '~' || list.ptr[i] == '"' || list.ptr[i] == '\\') {
            return false;
        }
    }
    return true;
}

mcpw_str mcpw_oauth_scope_union(mcpw_arena *arena, mcpw_str a, mcpw_str b) {
    char *const out = mcpw_arena_alloc(arena, a.len + b.len + 2);
    mcpw_str all = {out, 0};
    mcpw_str lists[] = {a, b};
    for (size_t i = 0; out != NULL && i < sizeof lists / sizeof *lists; i++) {
        mcpw_str word;
        while (mcpw_oauth_scope_next(&lists[i], &word)) {
            if (!mcpw_oauth_scope_has(all, word)) {
                out[all.len] = ' ';
                all.len += all.len != 0 ? 1 : 0;
                memcpy(out + all.len, word.ptr, word.len);
                all.len += word.len;
            }
        }
    }
    if (all.len == 0) {
        return (mcpw_str){NULL, 0};
    }
    out[all.len] = '\0';
    return all;
}

mcpw_str mcpw_oauth_basic(mcpw_arena *arena, mcpw_str id, mcpw_str secret) {
    static const mcpw_str scheme = MCPW_STR("Basic ");
    mcpw_oauth_form both = mcpw_oauth_form_in(arena);
    mcpw_oauth_form_escape(&both, id);
    mcpw_oauth_form_add(&both, MCPW_STR_VALUE(":"));
    mcpw_oauth_form_escape(&both, secret);
    const mcpw_str plain = mcpw_oauth_form_end(&both);
    const mcpw_str encoded =
        plain.ptr != NULL ? mcpw_oauth_base64(arena, plain.ptr, plain.len) : (mcpw_str){NULL, 0};
    const size_t size = scheme.len + encoded.len;
    char *const text = encoded.ptr != NULL ? mcpw_arena_alloc(arena, size + 1) : NULL;
    if (text == NULL) {
        return (mcpw_str){NULL, 0};
    }
    memcpy(text, scheme.ptr, scheme.len);
    memcpy(text + scheme.len, encoded.ptr, encoded.len + 1);
    return (mcpw_str){text, size};
}
