/* SPDX-License-Identifier: MIT */
/*
 * Tokens and other credentials that pass through a proxy. They are remembered while it runs, so that no
 * message that is kept or reported contains them, even if a server repeats them in the text of an error.
 */
#ifndef MCPWIRE_TAP_SECRETS_H
#define MCPWIRE_TAP_SECRETS_H

#include <mcpw/arena.h>

#include <stdbool.h>
#include <stddef.h>

enum {
    MOST_SECRETS = 512,       /* beyond that, the oldest is forgotten */
    MOST_PROOFS = 64,         /* of those that are valid for one request (DPoP) */
    SHORTEST_SECRET = 8,      /* bytes; a shorter one is found in any text */
    LONGEST_SECRET = 1 << 16, /* bytes of one that are compared */
    LEAD_BYTES = 256
};

/* Secrets of one kind; the newest replaces the oldest. */
typedef struct secret_ring {
    char **texts;
    size_t room;
    size_t used;
    size_t next;
} secret_ring;

/* Initialise with secrets_init. */
typedef struct secrets {
    char *lasting[MOST_SECRETS];
    char *proofs[MOST_PROOFS];
    secret_ring rings[2];
    bool leads[LEAD_BYTES]; /* by byte: a secret may begin with it */
} secrets;

void secrets_init(secrets *s);
/* Wipes and frees them. */
void secrets_free(secrets *s);

/* Remembers the secrets in a header field of either side: tokens, proofs, cookies, and the values of fields
 * that are named like keys. */
void secrets_of_field(secrets *s, const char *name, const char *value);

/* Remembers the secrets in the query and the user information of a URL, or of a part of one. */
void secrets_of_url(secrets *s, const char *url);

/* Replaces secrets in a text: those that are remembered, and whatever stands after "Bearer", "access_token"
 * and the like. JSON stays JSON. False: no memory; the text may still contain secrets. */
bool secrets_hide(const secrets *s, mcpw_buffer *text);

#endif
