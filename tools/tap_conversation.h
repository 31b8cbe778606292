/* SPDX-License-Identifier: MIT */
/* Conversations that run side by side, each with its own watch. Over HTTP a conversation is a session, or a
 * stateless request with its responses. */
#ifndef MCPWIRE_TAP_CONVERSATION_H
#define MCPWIRE_TAP_CONVERSATION_H

#include "tap_watch.h"

enum { MOST_CONVERSATIONS = 4096 /* beyond that, the one that was silent for longest is forgotten */ };

typedef struct conversations conversations;

typedef struct conversation {
    watch watch;
    conversations *all;
    struct conversation *next; /* the next older one, by the time of the last message */
    struct conversation *previous;
    uint64_t number; /* from 1 on; 0: the only one of a log without numbers */
    unsigned holders;
    bool is_known; /* it can be found by its name or number, and stays without holders */
    char *name;    /* of the session; "": messages without a session; NULL: none */
} conversation;

struct conversations {
    watch_settings set;
    tap_report *report;
    void (*on_line)(void *user, record *line); /* like a watch's; may be NULL */
    void *user;
    conversation *newest;
    conversation *oldest;
    size_t count;
    uint64_t last_number;
    bool info_missed; /* the server's */
};

void conversations_init(conversations *c, const watch_settings *settings, tap_report *report);
void conversations_free(conversations *c);

/* Begins a conversation, which the caller holds; NULL: no memory. */
conversation *conversation_begin(conversations *c);
/* Finds a conversation by its name or begins one; the caller holds it. NULL: no memory. */
conversation *conversation_of(conversations *c, const char *name);
/* Finds a conversation by its number or begins one; the caller does not hold it. NULL: no memory. */
conversation *conversation_numbered(conversations *c, uint64_t number);
/* Sets the name of a conversation, in place of any other with that name. */
void conversation_set_name(conversation *one, const char *name);
/* Ends the caller's hold. */
void conversation_leave(conversation *one);
/* Checks a line from one side. */
void conversation_take(conversation *one, uint64_t now, const record *line);
/* Closes the requests in a message of the client that got this HTTP status instead of a response. */
void conversation_refused(conversation *one, uint64_t now, mcpw_str message, uint64_t status);

#endif
