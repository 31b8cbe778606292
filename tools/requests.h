/* SPDX-License-Identifier: MIT */
/*
 * Open requests by id. The string "1" and the integer 1 are different ids.
 *
 * Each side of a session numbers its own requests, so two open ones may have the same id, and a response does
 * not show which one it answers. The table keeps both, and the reader tries the newer one first.
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
    mcpw_id_kind kind; /* MCPW_ID_ABSENT: an empty place */
    int64_t integer;
    char *text;
    size_t len;
    mcpw_answered_request answers[REQUESTS_PER_ID]; /* newest first */
    bool marks[REQUESTS_PER_ID]; /* the mark of each of these requests, for the user of the table */
    unsigned count;              /* of answers */
    unsigned open; /* responses that are still expected; less than count if an error answered one of them */
    void *facts;   /* the data of the table's user for the id; NULL: none */
} open_request;

/* The common limit of several tables. */
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
    void (*drop)(void *facts); /* frees the facts of removed entries; NULL: they have none */
    requests_share *share;     /* the common limit that the table shares; NULL: it has only its own */
} requests;

void requests_init(requests *r, size_t max_open);
void requests_free(requests *r);

/* Adds a request, without a mark. False: the limit is reached, or no memory. */
bool requests_add(requests *r, const mcpw_id *id, mcpw_answered_request answer);

/* The open requests of an id; NULL: there are none. Valid until the next change. */
open_request *requests_find(const requests *r, const mcpw_id *id);

/* Closes the request at answers[which], which a result answered. */
void requests_answered(requests *r, const mcpw_id *id, unsigned which);

/* Closes one of the requests of the id, which an error answered; it does not show which. */
void requests_refused(requests *r, const mcpw_id *id);

/* Removes all requests of an id. */
void requests_remove(requests *r, const mcpw_id *id);

#endif
