/* SPDX-License-Identifier: MIT */
/*
 * Requests that wait for their answer, by id. The string "1" and the integer 1 are different ids.
 *
 * Each side of a session numbers its own requests, so two open ones may have the same id, and a response
 * does not tell which of them it answers. Both are kept then, and the reader tries the newer one first.
 */
#ifndef MCPWIRE_REQUESTS_H
#define MCPWIRE_REQUESTS_H

#include "hash.h"

#include <mcpw/message.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REQUESTS_PER_ID = 2 };

/* The open requests of one id. */
typedef struct open_request {
    uint64_t hash;
    mcpw_id_kind kind; /* MCPW_ID_ABSENT: an empty place of the table */
    int64_t integer;
    char *text;
    size_t len;
    mcpw_answered_request answers[REQUESTS_PER_ID]; /* the newest first */
    bool marks[REQUESTS_PER_ID]; /* of the same requests: what the user of the table says of each */
    unsigned count;              /* of answers */
    unsigned open; /* responses that are still due; less than count where an error answered one of them */
    void *facts;   /* what the user of the table keeps with the id; NULL: nothing */
} open_request;

/* What several tables hold together. */
typedef struct requests_share {
    size_t max_open;
    size_t used;
    size_t text_bytes;
} requests_share;

typedef struct requests {
    open_request *table;
    hash_key key;
    size_t capacity; /* 0 or a power of two */
    size_t used;
    size_t max_open;
    size_t text_bytes;         /* of all string ids */
    void (*drop)(void *facts); /* of entries that go; NULL: they have none */
    requests_share *share;     /* which the table has a part of; NULL: it has a limit of its own alone */
} requests;

void requests_init(requests *r, size_t max_open);
void requests_free(requests *r);

/* Notes a request, without a mark. False when it is not kept: the cap is met, or memory has run out. */
bool requests_add(requests *r, const mcpw_id *id, mcpw_answered_request answer);

/* The open requests of an id; NULL when there is none. Stays until the next change. */
open_request *requests_find(const requests *r, const mcpw_id *id);

/* A result answered the request at answers[which]. */
void requests_answered(requests *r, const mcpw_id *id, unsigned which);

/* An error answered one of the requests of the id; it does not show which. */
void requests_refused(requests *r, const mcpw_id *id);

/* Forgets an id, however many requests have it. */
void requests_remove(requests *r, const mcpw_id *id);

#endif
