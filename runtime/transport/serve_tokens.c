/* SPDX-License-Identifier: MIT */
/* Tokens in a file, which grant access to clients. */
#include <mcpw/error.h>

#include "serve_command.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_TOKENS = 1000, SHORTEST_TOKEN = 16, LONGEST_TOKEN = 512, LONGEST_PRINCIPAL = 256 };

static const char blanks[] = " \t\r";

typedef struct entry {
    mcpw_str token;
    mcpw_str principal; /* absent: the line names none */
} entry;

struct mcpw_serve_tokens {
    char *text; /* the entries point into it */
    size_t count;
    entry entries[MOST_TOKENS];
};

/* True if a text is a token of RFC 6750. */
static bool is_token(mcpw_str text) {
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/";
    const size_t body = strspn(text.ptr, allowed);
    return body != 0 && body + strspn(text.ptr + body, "=") >= text.len && text.len >= SHORTEST_TOKEN &&
           text.len <= LONGEST_TOKEN;
}

static mcpw_str next_word(char **at) {
    *at += strspn(*at, blanks);
    const mcpw_str word = {*at, strcspn(*at, blanks)};
    *at += word.len;
    return word;
}

/* Reads a line; returns the error, or NULL. No error repeats the line, which may contain a secret. */
static const char *take_line(mcpw_serve_tokens *tokens, char *line) {
    const mcpw_str first = next_word(&line);
    const mcpw_str second = next_word(&line);
    const mcpw_str more = next_word(&line);
    const mcpw_str absent = {NULL, 0};
    if (first.len == 0 || first.ptr[0] == '#') {
        return NULL;
    }
    const entry e = {second.len != 0 ? second : first, second.len != 0 ? first : absent};
    if (more.len != 0 || !is_token(e.token) || e.principal.len > LONGEST_PRINCIPAL) {
        return "a line is a token of 16 to 512 letters, digits and -._~+/, or a name and a token";
    }
    if (tokens->count == MOST_TOKENS) {
        return "more than 1000 tokens";
    }
    tokens->entries[tokens->count++] = e;
    return NULL;
}

mcpw_serve_tokens *mcpw_serve_tokens_read(const char *file, mcpw_error *error) {
    char name[MCPW_EXCERPT_SIZE];
    mcpw_serve_tokens *const tokens = calloc(1, sizeof *tokens);
    if (tokens == NULL) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        return NULL;
    }
    tokens->text = mcpw_serve_file_read(file, error);
    unsigned number = 0;
    char *line = tokens->text;
    const char *why = NULL;
    while (line != NULL && *line != '\0' && why == NULL) {
        char *const end = line + strcspn(line, "\n");
        char *const next = *end != '\0' ? end + 1 : end;
        *end = '\0';
        number++;
        why = take_line(tokens, line);
        line = next;
    }
    (void)mcpw_excerpt(name, file, strlen(file));
    if (why != NULL) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "\"%s\", line %u: %s", name, number, why);
    } else if (tokens->text != NULL && tokens->count == 0) {
        why = "no token";
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "\"%s\" holds no token", name);
    }
    if (tokens->text == NULL || why != NULL) {
        mcpw_serve_tokens_free(tokens);
        return NULL;
    }
    return tokens;
}

void mcpw_serve_tokens_free(mcpw_serve_tokens *tokens) {
    if (tokens != NULL) {
        mcpw_serve_file_free(tokens->text);
        free(tokens);
    }
}

/* Compares two texts in a time that does not depend on the position of the first difference. */
static bool is_same(mcpw_str a, mcpw_str b) {
    unsigned char differs = 0;
    if (a.len != b.len) {
        return false;
    }
    for (size_t i = 0; i < a.len; i++) {
        differs |= (unsigned char)a.ptr[i] ^ (unsigned char)b.ptr[i];
    }
    return differs == 0;
}

mcpw_str mcpw_serve_tokens_find(const mcpw_serve_tokens *tokens, mcpw_str token, bool *known) {
    mcpw_str principal = {NULL, 0};
    *known = false;
    for (size_t i = 0; i < tokens->count; i++) {
        if (token.ptr != NULL && is_same(tokens->entries[i].token, token)) {
            *known = true;
            principal = tokens->entries[i].principal;
        }
    }
    return principal;
}
