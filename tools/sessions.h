/* SPDX-License-Identifier: MIT */
/*
 * The sessions that a file holds: which revision each of them is in, by what its messages say, and the
 * verdict on each message by that revision.
 *
 * A session begins with initialize, or with a request whose _meta names a revision that has no handshake.
 * What comes before is of a session that has begun elsewhere: a message of it is valid when any revision
 * takes it.
 */
#ifndef MCPWIRE_SESSIONS_H
#define MCPWIRE_SESSIONS_H

#include "exchange.h"
#include "glance.h"
#include "requests.h"
#include "side.h"

#include <mcpw/message.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SESSIONS_NAMED_AT_ONCE = 4096, /* of more, the one that was silent for longest is forgotten */
    SESSIONS_NAME = 4096           /* bytes that a name may have */
};

typedef struct session session;

typedef struct sessions {
    const mcpw_revision *forced; /* NULL: the messages tell */
    exchange exchange;           /* revision: that of the message that was checked last */
    requests_share share;        /* open requests of all sessions */
    mcpw_arena arena;            /* of what is read of the message at hand */
    requests by_name;            /* facts: session */
    session *unnamed;
    session *newest; /* of the named ones: a list by when each was entered last */
    session *oldest;
    session *at;    /* that messages belong to now */
    uint64_t begun; /* openings so far */
    int initialize; /* the number of that method in the forced revision; 0: it has none */
    /* Of the message that was checked last, where no revision is forced: */
    glance glance;
    bool guessed;     /* nothing says which revision it is in */
    bool initialized; /* it answers initialize */
} sessions;

/* False: no memory. sessions_free is due in either case. */
bool sessions_init(sessions *s, const mcpw_revision *forced, const mcpw_options *options, mcpw_arena *arena,
                   size_t max_open);
/* Messages are checked by a schema instead; the forced revision stands for it elsewhere. */
void sessions_use_schema(sessions *s, const exchange_schema *schema);
void sessions_free(sessions *s);

/* The session that the next messages belong to; an absent name stands for the one without. False: no memory.
 */
bool sessions_enter(sessions *s, const mcpw_id *name);

/* What follows has nothing to do with what came before in this session. */
void sessions_restart(sessions *s);

/* The verdict on a message. from: who sent it; NULL: that is not known. */
MCPW_NODISCARD mcpw_status sessions_check(sessions *s, const side *from, mcpw_json text, mcpw_error *error);

/* Reports all errors of a message that sessions_check refused. */
void sessions_errors(sessions *s, mcpw_json text, mcpw_error_callback on_error, void *user);

/* After sessions_check for the same text, as exchange_follow. */
void sessions_follow(sessions *s, mcpw_json text);

#endif
