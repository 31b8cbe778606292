/* SPDX-License-Identifier: MIT */
/*
 * The state of a conversation between a client and a server: the requests of each side, the open ones, and
 * the agreements. The rules (rules.h) are checked before a message changes it.
 */
#ifndef MCPWIRE_TAP_TALK_H
#define MCPWIRE_TAP_TALK_H

#include "glance.h"
#include "overlay.h"
#include "requests.h"
#include "side.h"

#include <mcpw/library.h>

#include <stdbool.h>
#include <stdint.h>

/* Members of _meta in revisions without a handshake. */
#define META_VERSION "io.modelcontextprotocol/protocolVersion"
#define META_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"
#define META_SERVER_INFO "io.modelcontextprotocol/serverInfo"
#define META_LOG_LEVEL "io.modelcontextprotocol/logLevel"
#define META_SUBSCRIPTION "io.modelcontextprotocol/subscriptionId"

enum { TALK_NAME_SIZE = 48 };

/* The facts of an open request. */
typedef struct request_facts {
    const mcpw_revision *revision; /* of its check and of its response */
    uint64_t number;               /* of the message, counted for its side */
    mcpw_id token;                 /* its progress token; the text is owned */
    char *capabilities;            /* declared by the request itself; NULL: none, or too long to store */
    size_t capabilities_len;
    bool stateless; /* its _meta named the revision */
    bool valid;     /* it was valid by the schema */
    bool cancelled;
    uint64_t cancelled_at; /* on the clock of talk.now */
    bool ended;            /* the server has ended this subscription */
    bool wants_log;
    bool acknowledged; /* this subscription was acknowledged */
    bool begins;       /* it requests the first page of a list */
    char *tool;        /* the tool that it calls; NULL: none */
    size_t *held;      /* the total bytes of its party */
    size_t bytes;      /* its part of them */
} request_facts;

/* The facts of a progress token in use. */
typedef struct token_facts {
    const mcpw_revision *revision;
    double progress;
    bool any; /* progress was reported */
} token_facts;

/* The state of one side. */
typedef struct party {
    requests open;      /* its open requests; facts: request_facts */
    requests used;      /* every id of its requests, up to a limit; the mark: it may be used again */
    requests early;     /* ids that it has cancelled before using them */
    requests tokens;    /* of its open requests; facts: token_facts */
    bool forgot;        /* the tables were full, so a missing entry means nothing */
    size_t facts_bytes; /* of its open requests */
    char *capabilities;
    size_t capabilities_len;
    uint64_t messages;
    uint64_t unreadable;    /* its messages without a readable id that the other side has not refused yet */
    uint64_t notifications; /* sent since the other side's last response without an id */
    uint64_t loggers;       /* open requests that want log messages */
} party;

/* The progress of initialize. */
typedef enum handshake { HANDSHAKE_NONE, HANDSHAKE_ASKED, HANDSHAKE_ANSWERED, HANDSHAKE_DONE } handshake;

typedef struct talk {
    const mcpw_revision *forced; /* NULL: the negotiated one */
    const mcpw_library
        *library; /* the revisions that may have a method; NULL: those of the library. Set after talk_init */
    overlays *overlays; /* on top of them; NULL: none. Set after talk_init */
    bool strict;
    party parties[SIDES];
    handshake handshake;
    bool initialized;               /* notifications/initialized was sent */
    const mcpw_revision *requested; /* by initialize, while it is open */
    char requested_name[TALK_NAME_SIZE];
    const mcpw_revision *agreed;    /* by the result of initialize */
    const mcpw_revision *stateless; /* named by the last request */
    uint64_t now;                   /* ms since the start; set by the caller */
    bool *info_missed; /* the missing server info was reported; NULL: report it each time. Set after talk_init
                        */
    mcpw_arena arena;  /* for the current message */
} talk;

/* The members of a message, which need not be valid. */
typedef struct talk_message {
    side from;
    mcpw_json text;
    uint64_t number;
    bool batched;
    size_t item; /* its index in the batch */
    mcpw_message_kind kind;
    mcpw_id id;
    mcpw_str method;             /* of a response: the method of its request */
    mcpw_json at[MCPW_AT_COUNT]; /* the members of its envelope */
    mcpw_str named;              /* the revision in the _meta of a request */
    const mcpw_revision *revision;
    bool valid;                    /* by the schema; set by the caller */
    bool by_overlay;               /* only because of overlays; set by the caller */
    int method_number;             /* in the revision; 0: it has none */
    const overlay_method *brought; /* the method of an overlay; NULL: none */
    const mcpw_method *entry;
    const open_request *answers;       /* of a response: the open request that it answers; NULL: none */
    const request_facts *answer_facts; /* of that request; may be NULL nevertheless */
} talk_message;

void talk_init(talk *t, const mcpw_revision *forced, bool strict, size_t max_open);
void talk_free(talk *t);

/* Reads a message from JSON text. m refers to memory that talk_clear frees. */
void talk_read(talk *t, side from, mcpw_json text, talk_message *m);
void talk_clear(talk *t);

/* Updates the state, except for the table of the sender's requests: call it before exchange_follow, and
 * talk_opened after it. */
void talk_follow(talk *t, const talk_message *m);
void talk_opened(talk *t, const talk_message *m);

/* Closes a request that the other side has refused without a response: its id may be used again. False: no
 * open request has this id. */
bool talk_refused(talk *t, side asker, const mcpw_id *id);

side talk_other(side from);

/* The declared capabilities of a side; absent: not declared yet. */
mcpw_json talk_capabilities(const talk *t, const talk_message *m, side of);

/* The revision of messages that do not name one. */
const mcpw_revision *talk_revision(const talk *t);

/* True if an open request is a subscription, which stays open. */
bool talk_listens(const open_request *entry);

/* The open request that notifications/cancelled with this id is about: one of the sender's, or a subscription
 * that the server ends. NULL: there is none. */
const open_request *talk_cancels(const talk *t, const talk_message *m, const mcpw_id *id);

/* The token that notifications/progress is about, and the subscription that a notification belongs to;
 * absent: the message has none. */
mcpw_id talk_token(talk *t, const talk_message *m);
mcpw_id talk_subscription(talk *t, const talk_message *m);

#endif
