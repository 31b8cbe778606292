/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "tap_secrets.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LASTING, PROOFS, HEX_BASE = 16, HEX_DIGITS = 4, LETTERS = 26, ASCII = 0x80, UNICODE_ESCAPE = 6 };

static const char hidden[] = "[redacted]";

/* ---- Remembering --------------------------------------------------------------------------------------- */

void secrets_init(secrets *s) {
    memset(s, 0, sizeof *s);
    s->rings[LASTING] = (secret_ring){s->lasting, MOST_SECRETS, 0, 0};
    s->rings[PROOFS] = (secret_ring){s->proofs, MOST_PROOFS, 0, 0};
}

static void wipe(char *text) {
    volatile char *at = text;
    while (at != NULL && *at != '\0') {
        *at++ = '\0';
    }
    free(text);
}

void secrets_free(secrets *s) {
    for (size_t i = 0; i < sizeof s->rings / sizeof *s->rings; i++) {
        for (size_t k = 0; k < s->rings[i].room; k++) {
            wipe(s->rings[i].texts[k]);
        }
    }
    secrets_init(s);
}

static void add(secrets *s, int kind, const char *text, size_t len) {
    secret_ring *const ring = &s->rings[kind];
    if (len < SHORTEST_SECRET) {
        return;
    }
    len = len < LONGEST_SECRET ? len : LONGEST_SECRET;
    for (size_t i = 0; i < ring->used; i++) {
        const char *const known = ring->texts[i];
        if (known != NULL && strlen(known) == len && memcmp(known, text, len) == 0) {
            return;
        }
    }
    wipe(ring->texts[ring->next]);
    char *const copy = malloc(len + 1);
    if (copy != NULL) {
        memcpy(copy, text, len);
        copy[len] = '\0';
    }
    ring->texts[ring->next] = copy;
    ring->next = (ring->next + 1) % ring->room;
    ring->used += ring->used < ring->room ? 1 : 0;
    s->leads[(unsigned char)text[0]] = true;
}

/* Adds a text of a URL as it is, and decoded. */
static void add_coded(secrets *s, const char *text, size_t len) {
    char *const plain = malloc(len + 1);
    size_t used = 0;
    add(s, LASTING, text, len);
    for (size_t i = 0; plain != NULL && i < len; i++) {
        char digits[3] = {0};
        char *end = NULL;
        if (text[i] == '%' && len - i > 2) {
            memcpy(digits, text + i + 1, 2);
        }
        const char byte = (char)strtoul(digits, &end, HEX_BASE);
        const bool is_coded = end == digits + 2;
        plain[used++] = is_coded ? byte : text[i] == '+' ? ' ' : text[i];
        i += is_coded ? 2 : 0;
    }
    if (plain != NULL) {
        plain[used] = '\0';
        add(s, LASTING, plain, strlen(plain));
        wipe(plain);
    }
}

/* Whether a name contains a word, without regard to case. */
static bool contains(const char *name, size_t len, const char *word) {
    const size_t most = strlen(word);
    for (size_t i = 0; i + most <= len; i++) {
        if (strncasecmp(name + i, word, most) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether the name of a field or a parameter suggests a secret. */
static bool is_of_secret(const char *name, size_t len) {
    static const char *const words[] = {"token",    "secret", "api-key",   "api_key",  "apikey",
                                        "password", "passwd", "assertion", "verifier", "authorization"};
    static const char *const whole[] = {"key", "code", "sig", "signature", "auth"};
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        found = found || contains(name, len, words[i]);
    }
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        found = found || (strlen(whole[i]) == len && strncasecmp(name, whole[i], len) == 0);
    }
    return found;
}

/* Adds the values of cookies, "a=1; b=2", or of the first alone, which its attributes follow. */
static void add_cookies(secrets *s, const char *value, bool first_alone) {
    while (*value != '\0') {
        value += strspn(value, "; \t");
        const size_t len = strcspn(value, ";");
        const char *const equals = memchr(value, '=', len);
        if (equals != NULL) {
            add_coded(s, equals + 1, len - (size_t)(equals + 1 - value));
        }
        value += first_alone ? strlen(value) : len;
    }
}

void secrets_of_field(secrets *s, const char *name, const char *value) {
    if (strcasecmp(name, "WWW-Authenticate") == 0) {
        return; /* it names what is wrong with a token; secrets_hide finds the token itself */
    }
    if (strcasecmp(name, "DPoP") == 0) {
        add(s, PROOFS, value, strlen(value));
    } else if (strcasecmp(name, "Cookie") == 0) {
        add_cookies(s, value, false);
    } else if (strcasecmp(name, "Set-Cookie") == 0) {
        add_cookies(s, value, true);
    } else if (is_of_secret(name, strlen(name))) {
        const size_t scheme = strcspn(value, " "); /* "Bearer TOKEN", or a value without a scheme */
        const char *const rest = value + scheme + strspn(value + scheme, " ");
        add(s, LASTING, *rest != '\0' ? rest : value, strlen(*rest != '\0' ? rest : value));
    }
}

void secrets_of_url(secrets *s, const char *url) {
    const char *const host = strstr(url, "://");
    const size_t authority = host != NULL ? strcspn(host + 3, "/?#") : 0;
    const char *const at = authority != 0 ? memchr(host + 3, '@', authority) : NULL;
    if (at != NULL) {
        const char *const colon = memchr(host + 3, ':', (size_t)(at - host) - 3);
        const char *const begin = colon != NULL ? colon + 1 : host + 3;
        add_coded(s, begin, (size_t)(at - begin));
    }
    const char *query = url + strcspn(url, "?");
    while (*query != '\0') {
        query++;
        const size_t len = strcspn(query, "&");
        const size_t name = strcspn(query, "=&");
        if (name < len && is_of_secret(query, name)) {
            add_coded(s, query + name + 1, len - name - 1);
        }
        query += len;
    }
}

/* ---- Finding ------------------------------------------------------------------------------------------- */

/* Reads a character of a text as JSON writes it. Returns its length in the text; 0: it is none in ASCII. */
static size_t read_escaped(const char *at, const char *end, char *out) {
    static const char *const escapes = "\"\\/";
    if (end - at < 2 || *at != '\\') {
        *out = *at;
        return 1;
    }
    if (strchr(escapes, at[1]) != NULL) {
        *out = at[1];
        return 2;
    }
    if (at[1] == 'u' && end - at >= UNICODE_ESCAPE) {
        char digits[HEX_DIGITS + 1] = {0};
        char *stop = NULL;
        memcpy(digits, at + 2, HEX_DIGITS);
        const unsigned long code = strtoul(digits, &stop, HEX_BASE);
        *out = (char)code;
        return stop == digits + HEX_DIGITS && code != 0 && code < ASCII ? UNICODE_ESCAPE : 0;
    }
    return 0;
}

/* The length of a secret in a text, in which JSON may have escaped it; 0: it is not there. */
static size_t length_of(const char *secret, const char *at, const char *end) {
    const char *const begin = at;
    for (; *secret != '\0'; secret++) {
        char byte = '\0';
        const size_t len = at != end ? read_escaped(at, end, &byte) : 0;
        if (len == 0 || byte != *secret) {
            return 0;
        }
        at += len;
    }
    return (size_t)(at - begin);
}

static size_t known_at(const secrets *s, const char *at, const char *end) {
    size_t longest = 0;
    if (!s->leads[(unsigned char)*at] && *at != '\\') {
        return 0;
    }
    for (size_t i = 0; i < sizeof s->rings / sizeof *s->rings; i++) {
        for (size_t k = 0; k < s->rings[i].used; k++) {
            const char *const text = s->rings[i].texts[k];
            const size_t len = text != NULL ? length_of(text, at, end) : 0;
            longest = len > longest ? len : longest;
        }
    }
    return longest;
}

static bool is_word(char c) {
    const char lower = (char)(c | ' ');
    return (lower >= 'a' && lower < 'a' + LETTERS) || (c >= '0' && c <= '9');
}

/* The end of a name that a secret follows, such as "access_token". Case, "_" and "-" do not matter. NULL:
 * none. */
static const char *name_at(const char *at, const char *end, bool *is_scheme) {
    static const char *const names[] = {"bearer",
                                        "dpop",
                                        "accesstoken",
                                        "refreshtoken",
                                        "idtoken",
                                        "clientsecret",
                                        "codeverifier",
                                        "clientassertion",
                                        "subjecttoken",
                                        "actortoken",
                                        "registrationaccesstoken"};
    enum { SCHEMES = 2 };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *name = names[i];
        const char *p = at;
        while (p != end && *name != '\0' && ((*p | ' ') == *name || (p != at && (*p == '_' || *p == '-')))) {
            name += *p == '_' || *p == '-' ? 0 : 1;
            p++;
        }
        if (*name == '\0' && (p == end || !is_word(*p))) {
            *is_scheme = i < SCHEMES;
            return p;
        }
    }
    return NULL;
}

static const char *skip(const char *at, const char *end, const char *set) {
    while (at != end && *at != '\0' && strchr(set, *at) != NULL) {
        at++;
    }
    return at;
}

/* The end of a value: of text without quotes, blanks and separators. An escaped slash belongs to it. */
static const char *value_end(const char *at, const char *end) {
    while (at != end && *at != '\0' && strchr("\"&,;}] \t\r\n'", *at) == NULL) {
        if (*at == '\\' && (end - at < 2 || at[1] != '/')) {
            break;
        }
        at += *at == '\\' ? 2 : 1;
    }
    return at;
}

/* Finds the value after a name at this place. False: there is none. */
static bool value_after(const char *at, const char *end, const char **begin, const char **stop) {
    bool is_scheme = false;
    const char *p = name_at(at, end, &is_scheme);
    if (p == NULL) {
        return false;
    }
    if (is_scheme) {
        *begin = skip(p, end, " \t");
        *stop = value_end(*begin, end);
        return *begin != p && *stop - *begin >= SHORTEST_SECRET;
    }
    p = skip(p, end, "\\\"' \t");
    if (p == end || (*p != ':' && *p != '=')) {
        return false;
    }
    *begin = skip(p + 1, end, "\\\"' \t");
    *stop = value_end(*begin, end);
    return *stop != *begin;
}

/* ---- Hiding -------------------------------------------------------------------------------------------- */

typedef struct hiding {
    mcpw_buffer out;
    const char *copied; /* the end of what is in `out` */
    bool in_string;
    bool lost;
} hiding;

static bool is_literal(const char *text, size_t len) {
    static const char *const words[] = {"null", "true", "false", "{", "["};
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        found = found || (len >= strlen(words[i]) && memcmp(text, words[i], strlen(words[i])) == 0);
    }
    return found;
}

/* Outside of strings, a number is replaced by another number, and other values stay. */
static void replace(hiding *h, const char *at, const char *end) {
    const bool is_number = *at >= '0' && *at <= '9';
    const char *const with = !h->in_string && is_number ? "1" : hidden;
    if (h->in_string || !is_literal(at, (size_t)(end - at))) {
        h->lost = h->lost || mcpw_buffer_append(&h->out, h->copied, (size_t)(at - h->copied)) != MCPW_OK ||
                  mcpw_buffer_append(&h->out, with, strlen(with)) != MCPW_OK;
        h->copied = end;
    }
}

static void look(const secrets *s, hiding *h, const char *at, const char *end) {
    const char *begin = NULL; /* of a value after a name that was found */
    const char *stop = NULL;
    bool within = false; /* a word */
    while (at != end) {
        const size_t known = known_at(s, at, end);
        if (known != 0 || at == begin) {
            const char *next = at + known;
            next = at == begin && stop > next ? stop : next;
            replace(h, at, next);
            at = next;
            within = true;
            continue;
        }
        if (!within && (begin == NULL || begin < at) && !value_after(at, end, &begin, &stop)) {
            begin = NULL;
        }
        within = is_word(*at);
        h->in_string = *at == '"' ? !h->in_string : h->in_string;
        at += *at == '\\' && end - at > 1 && at + 1 != begin ? 2 : 1;
    }
}

bool secrets_hide(const secrets *s, mcpw_buffer *text) {
    hiding h = {.out = MCPW_BUFFER_INIT, .copied = text->data};
    if (text->len == 0) {
        return true;
    }
    const char *const end = text->data + text->len;
    look(s, &h, text->data, end);
    if (h.copied == text->data) {
        mcpw_buffer_free(&h.out);
        return !h.lost;
    }
    h.lost = h.lost || mcpw_buffer_append(&h.out, h.copied, (size_t)(end - h.copied)) != MCPW_OK;
    if (h.lost) {
        mcpw_buffer_free(&h.out);
        return false;
    }
    mcpw_buffer_free(text);
    *text = h.out;
    return true;
}
