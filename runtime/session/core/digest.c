/* SPDX-License-Identifier: MIT */
/*
 * A digest (SHA-256) of a JSON value that does not depend on white space, escapes or the order of members.
 * The text has been checked. Each value is looked at once. Below LEVELS the order of members counts, so that
 * a peer that nests deeply cannot use up the stack.
 */
#include "digest.h"

#if defined(MCPW_HAVE_SODIUM)

#include <limits.h>
#include <sodium.h>

enum { LEVELS = 16 };

/* The kinds of digests, so that no two kinds of value share one. */
static const unsigned char tag_object[] = "o";
static const unsigned char tag_array[] = "a";
static const unsigned char tag_string[] = "s";
static const unsigned char tag_other[] = "l";
static const unsigned char tag_deep[] = "d";

typedef struct walk {
    const char *at;
    const char *end;
    mcpw_arena *arena;
    const char *const *except; /* members of the outermost object that do not count; the last is NULL */
    mcpw_status status;
} walk;

/* The digest of one member, in a list. */
typedef struct member {
    struct member *next;
    unsigned char digest[MCPW_DIGEST_SIZE];
} member;

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void skip_space(walk *w) {
    while (w->at < w->end && is_space(*w->at)) {
        w->at++;
    }
}

/* Takes a string with its quotes. */
static mcpw_json take_string(walk *w) {
    mcpw_json token = {w->at, 0, 0};
    w->at++;
    while (w->at < w->end && *w->at != '"') {
        w->at += *w->at == '\\' ? 2 : 1;
    }
    w->at = w->at < w->end ? w->at + 1 : w->end;
    token.len = (size_t)(w->at - token.ptr);
    return token;
}

static void digest_of(const unsigned char *tag, const char *text, size_t len, unsigned char *out) {
    crypto_hash_sha256_state state;
    (void)crypto_hash_sha256_init(&state);
    (void)crypto_hash_sha256_update(&state, tag, 1);
    (void)crypto_hash_sha256_update(&state, (const unsigned char *)text, len);
    (void)crypto_hash_sha256_final(&state, out);
}

static void digest_string(walk *w, unsigned char *out, bool *excepted) {
    mcpw_str text;
    const mcpw_status status = mcpw_json_string(take_string(w), w->arena, &text);
    if (status != MCPW_OK) {
        w->status = status;
        return;
    }
    for (const char *const *name = w->except; excepted != NULL && *name != NULL; name++) {
        *excepted = *excepted || mcpw_str_is(text, *name);
    }
    digest_of(tag_string, text.ptr, text.len, out);
}

/* A value as it stands, without its white space. */
static void digest_deep(walk *w, unsigned char *out) {
    crypto_hash_sha256_state state;
    size_t open = 0;
    (void)crypto_hash_sha256_init(&state);
    (void)crypto_hash_sha256_update(&state, tag_deep, 1);
    do {
        skip_space(w);
        const char *const from = w->at;
        if (w->at == w->end) {
            break;
        }
        if (*w->at == '"') {
            (void)take_string(w);
        } else {
            open += *w->at == '{' || *w->at == '[' ? 1U : 0U;
            open -= *w->at == '}' || *w->at == ']' ? 1U : 0U;
            w->at++;
        }
        (void)crypto_hash_sha256_update(&state, (const unsigned char *)from, (size_t)(w->at - from));
    } while (open != 0);
    (void)crypto_hash_sha256_final(&state, out);
}

static bool precedes(const member *a, const member *b) {
    return memcmp(a->digest, b->digest, MCPW_DIGEST_SIZE) < 0;
}

/* One sorted list of two. */
static member *merge(member *a, member *b) {
    member *merged = NULL;
    member **end = &merged;
    while (a != NULL && b != NULL) {
        member **const next = precedes(b, a) ? &b : &a;
        *end = *next;
        end = &(*end)->next;
        *next = *end;
    }
    *end = a != NULL ? a : b;
    return merged;
}

/* Sorts by merging: runs[i] holds 2^i members, or none. */
static member *sort_members(member *list) {
    member *runs[sizeof(size_t) * CHAR_BIT] = {NULL};
    size_t used = 0;
    while (list != NULL) {
        member *run = list;
        size_t i = 0;
        list = list->next;
        run->next = NULL;
        for (; runs[i] != NULL; i++) {
            run = merge(runs[i], run);
            runs[i] = NULL;
        }
        runs[i] = run;
        used = i < used ? used : i + 1;
    }
    for (size_t i = 0; i < used; i++) {
        list = merge(runs[i], list);
    }
    return list;
}

static void digest_members(member *list, unsigned char *out) {
    crypto_hash_sha256_state state;
    (void)crypto_hash_sha256_init(&state);
    (void)crypto_hash_sha256_update(&state, tag_object, 1);
    for (const member *one = sort_members(list); one != NULL; one = one->next) {
        (void)crypto_hash_sha256_update(&state, one->digest, MCPW_DIGEST_SIZE);
    }
    (void)crypto_hash_sha256_final(&state, out);
}

static void digest_value(walk *w, unsigned levels, unsigned char *out);

/* The digest of a name and its value; false when the member does not count. */
static bool digest_member(walk *w, unsigned levels, unsigned char *out) {
    unsigned char both[MCPW_DIGEST_SIZE + MCPW_DIGEST_SIZE] = {0};
    bool excepted = false;
    digest_string(w, both, levels == LEVELS ? &excepted : NULL);
    skip_space(w);
    w->at += w->at < w->end ? 1 : 0; /* the colon */
    digest_value(w, excepted ? 0 : levels - 1, both + MCPW_DIGEST_SIZE);
    digest_of(tag_object, (const char *)both, sizeof both, out);
    return !excepted;
}

static void digest_object(walk *w, unsigned levels, unsigned char *out) {
    const mcpw_mark before = mcpw_arena_mark(w->arena);
    member *list = NULL;
    w->at++;
    skip_space(w);
    while (w->status == MCPW_OK && w->at < w->end && *w->at != '}') {
        member *const one = mcpw_arena_alloc(w->arena, sizeof *one);
        if (one == NULL) {
            w->status = MCPW_E_MEMORY;
            break;
        }
        if (digest_member(w, levels, one->digest)) {
            one->next = list;
            list = one;
        }
        skip_space(w);
        if (w->at < w->end && *w->at == ',') {
            w->at++;
            skip_space(w);
        }
    }
    w->at += w->at < w->end ? 1 : 0;
    digest_members(list, out);
    mcpw_arena_rewind(w->arena, before);
}

static void digest_array(walk *w, unsigned levels, unsigned char *out) {
    crypto_hash_sha256_state state;
    unsigned char item[MCPW_DIGEST_SIZE] = {0};
    (void)crypto_hash_sha256_init(&state);
    (void)crypto_hash_sha256_update(&state, tag_array, 1);
    w->at++;
    skip_space(w);
    while (w->status == MCPW_OK && w->at < w->end && *w->at != ']') {
        digest_value(w, levels - 1, item);
        (void)crypto_hash_sha256_update(&state, item, sizeof item);
        skip_space(w);
        w->at += w->at < w->end && *w->at == ',' ? 1 : 0;
        skip_space(w);
    }
    w->at += w->at < w->end ? 1 : 0;
    (void)crypto_hash_sha256_final(&state, out);
}

static void digest_other(walk *w, unsigned char *out) {
    const char *const from = w->at;
    while (w->at < w->end && !is_space(*w->at) && strchr(",]}", *w->at) == NULL) {
        w->at++;
    }
    digest_of(tag_other, from, (size_t)(w->at - from), out);
}

static void digest_value(walk *w, unsigned levels, unsigned char *out) {
    skip_space(w);
    const char c = w->at < w->end ? *w->at : '\0';
    if (c == '"') {
        digest_string(w, out, NULL);
    } else if (c != '{' && c != '[') {
        digest_other(w, out);
    } else if (levels == 0) {
        digest_deep(w, out);
    } else if (c == '{') {
        digest_object(w, levels, out);
    } else {
        digest_array(w, levels, out);
    }
}

mcpw_status mcpw_json_digest(mcpw_json value, const char *const *except, mcpw_arena *arena,
                             unsigned char out[MCPW_DIGEST_SIZE]) {
    walk w = {value.ptr, value.ptr + value.len, arena, except, MCPW_OK};
    digest_value(&w, LEVELS, out);
    return w.status;
}

#else

mcpw_status mcpw_json_digest(mcpw_json value, const char *const *except, mcpw_arena *arena,
                             unsigned char out[MCPW_DIGEST_SIZE]) {
    (void)value, (void)except, (void)arena, (void)out;
    return MCPW_E_STATE; /* without libsodium there is nothing to bind */
}

#endif
