/* SPDX-License-Identifier: MIT */
/* Conversations that go on side by side, each with a watch of its own: over HTTP a session is one, and so is
 * a request that stands for itself with what belongs to it. */
#ifndef MCPWIRE_TAP_CONVERSATION_H
#define MCPWIRE_TAP_CONVERSATION_H

#include "tap_watch.h"

enum { MOST_CONVERSATIONS = 4096 /* the one that was silent for longest is forgotten then */ };

typedef struct conversations conversations;

typedef struct conversation {
    watch watch;
    conversations *all;
    struct conversation *next; /* said something longer ago */
    struct conversation *previous;
    uint64_t number; /* from 1 on; in logs: 0 is the only one of a log that has no numbers */
    unsigned holders;
    bool is_known; /* it is found by its name or number, and stays when nobody holds it */
    char *name;    /* of the session; "": of those without one; NULL: none */
} conversation;

struct conversations {
    watch_settings set;
    tap_report *report;
    void (*on_line)(void *user, record *line); /* as a watch's; NULL: nobody wants to know */
    void *user;
    conversation *newest;
    conversation *oldest;
    size_t count;
    uint64_t last_number;
    bool info_missed; /* the server's */
};

void conversations_init(conversations *c, const watch_settings *settings, tap_report *report);
void conversations_free(conversations *c);

/* A new one, held by the caller; NULL without memory. */
conversation *conversation_begin(conversations *c);
/* That of a name, held by the caller: a new one where there is none. NULL without memory. */
conversation *conversation_of(conversations *c, const char *name);
/* That of a number, not held: a new one where there is none. NULL without memory. */
conversation *conversation_numbered(conversations *c, uint64_t number);
/* It is found by this name from now on, in the place of any other. */
void conversation_set_name(conversation *one, const char *name);
/* The caller holds it no more. */
void conversation_leave(conversation *one);
/* Looks at a line that one side has said. */
void conversation_hear(conversation *one, uint64_t now, const record *line);

#endif
