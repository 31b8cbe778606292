/* SPDX-License-Identifier: MIT */
/*
 * The sessions in a file: the revision of each, according to its messages, and the check of each message by
 * that revision.
 *
 * A session begins with initialize, or with a request whose _meta names a revision without a handshake.
 * Earlier messages belong to a session that began elsewhere: they are valid if any revision accepts them.
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
    SESSIONS_NAMED_AT_ONCE = 4096, /* if there are more, the one that was silent for longest is forgotten */
    SESSIONS_NAME = 4096           /* maximum bytes of a name */
};

typedef struct session session;

typedef struct sessions {
    const mcpw_revision *forced; /* NULL: the messages decide */
    exchange exchange;           /* revision: that of the last checked message */
    requests_share share;        /* open requests of all sessions */
    mcpw_arena arena;            /* for the current message */
    requests by_name;            /* facts: session */
    session *unnamed;
    session *newest; /* of the named ones, in the order of their last messages */
    session *oldest;
    session *at;    /* the session of the next messages */
    uint64_t begun; /* number of openings */
    int initialize; /* its number in the forced revision; 0: none */
    /* The state of the last checked message, if no revision is forced: */
    glance glance;
    bool guessed;     /* its revision is unknown */
    bool initialized; /* it is the result of initialize */
} sessions;

/* False: no memory. sessions_free is needed in either case. */
bool sessions_init(sessions *s, const mcpw_revision *forced, const mcpw_options *options, mcpw_arena *arena,
                   size_t max_open);
/* Checks messages by a schema; elsewhere the forced revision replaces it. */
void sessions_use_schema(sessions *s, const exchange_schema *schema);
void sessions_free(sessions *s);

/* Enters the session of the next messages; an absent name means the unnamed one. False: no memory. */
bool sessions_enter(sessions *s, const mcpw_id *name);

/* Separates the following messages of this session from the earlier ones. */
void sessions_restart(sessions *s);

/* Checks a message. from: the sender; NULL: unknown. */
MCPW_NODISCARD mcpw_status sessions_check(sessions *s, const side *from, mcpw_json text, mcpw_error *error);

/* Reports all errors of a message that sessions_check refused. */
void sessions_errors(sessions *s, mcpw_json text, mcpw_error_callback on_error, void *user);

/* Call it after sessions_check for the same text, like exchange_follow. */
void sessions_follow(sessions *s, mcpw_json text);

#endif
