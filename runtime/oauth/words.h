/* SPDX-License-Identifier: MIT */
/* The texts of OAuth: base64url, forms, lists of scopes. */
#ifndef MCPW_OAUTH_WORDS_H
#define MCPW_OAUTH_WORDS_H

#include <mcpw/arena.h>

/* Bytes as base64url without padding. Absent: no memory. */
mcpw_str mcpw_oauth_base64url(mcpw_arena *arena, const void *bytes, size_t len);
/* Bytes as base64 with padding. Absent: no memory. */
mcpw_str mcpw_oauth_base64(mcpw_arena *arena, const void *bytes, size_t len);
/* A client's id and secret as Basic. Each is escaped before. (RFC 6749, section 2.3.1.) Absent: no memory. */
mcpw_str mcpw_oauth_basic(mcpw_arena *arena, mcpw_str id, mcpw_str secret);
/* The SHA-256 of a text as base64url. Absent: no memory. */
mcpw_str mcpw_oauth_digest(mcpw_arena *arena, mcpw_str text);
/* 256 random bits as base64url. Absent: no memory. */
mcpw_str mcpw_oauth_random(mcpw_arena *arena);
/* Whether two texts are equal, in a time that does not depend on where they differ. */
bool mcpw_oauth_is_same_secret(mcpw_str a, mcpw_str b);

/* A form that is being written: application/x-www-form-urlencoded. */
typedef struct mcpw_oauth_form {
    mcpw_buffer out;
    mcpw_status status; /* of the first write that failed */
} mcpw_oauth_form;

mcpw_oauth_form mcpw_oauth_form_in(mcpw_arena *arena);
/* Adds bytes as they are. */
void mcpw_oauth_form_add(mcpw_oauth_form *form, mcpw_str text);
/* Adds a text; all but letters, digits and "-._~" become %XX. */
void mcpw_oauth_form_escape(mcpw_oauth_form *form, mcpw_str text);
/* Adds a name and a value, if the value is there. */
void mcpw_oauth_form_put(mcpw_oauth_form *form, const char *name, mcpw_str value);
/* Ends the form. Absent: no memory. */
mcpw_str mcpw_oauth_form_end(mcpw_oauth_form *form);

/* Finds a parameter in a form; *value receives the first one, decoded. Returns how many there are. */
MCPW_NODISCARD mcpw_status mcpw_oauth_form_find(mcpw_str form, const char *name, mcpw_arena *arena,
                                                mcpw_str *value, size_t *count);

/* Removes the next word from a list separated by spaces; false: there is none. */
bool mcpw_oauth_scope_next(mcpw_str *list, mcpw_str *word);
/* Whether a list has a word. */
bool mcpw_oauth_scope_has(mcpw_str list, mcpw_str word);
/* Whether a list has all words of another. */
bool mcpw_oauth_scope_has_all(mcpw_str list, mcpw_str words);
/* Whether a list has only characters of scopes and spaces. (RFC 6749, section 3.3.) */
bool mcpw_oauth_scope_is_list(mcpw_str list);
/* Both lists, each word once. Absent: no memory, or there is no word. */
mcpw_str mcpw_oauth_scope_union(mcpw_arena *arena, mcpw_str a, mcpw_str b);

#endif
