/* SPDX-License-Identifier: MIT */
/*
 * A conversation between a client and a server, as somebody between them sees it: what each side has asked,
 * what is still due, what was agreed on. The rules (rules.h) look at it before a message changes it.
 */
#ifndef MCPWIRE_TAP_TALK_H
#define MCPWIRE_TAP_TALK_H

#include "overlay.h"
#include "requests.h"
#include "side.h"

#include <mcpw/json.h>
#include <mcpw/library.h>
#include <mcpw/message.h>

#include <stdbool.h>
#include <stdint.h>

/* Names in _meta of revisions without a handshake. */
#define META_VERSION "io.modelcontextprotocol/protocolVersion"
#define META_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"
#define META_SERVER_INFO "io.modelcontextprotocol/serverInfo"
#define META_LOG_LEVEL "io.modelcontextprotocol/logLevel"
#define META_SUBSCRIPTION "io.modelcontextprotocol/subscriptionId"

enum { TALK_NAME_SIZE = 48 };

/* What is known of a request that waits for its answer. */
typedef struct request_facts {
    const mcpw_revision *revision; /* by which it was checked, and its answer will be */
    uint64_t number;               /* of the message among those of its side */
    mcpw_id token;                 /* of progress; its text is owned */
    char *capabilities;            /* that the request itself declares; NULL: none, or too long to keep */
    size_t capabilities_len;
    bool stateless; /* its _meta named that revision */
    bool valid;     /* it fitted the schema */
    bool cancelled;
    uint64_t cancelled_at; /* as talk.now */
    bool ended;            /* a subscription that the server has ended */
    bool wants_log;
    bool acknowledged; /* a subscription that was */
    bool begins;       /* it asks for the first page of a list */
    char *tool;        /* the name of the tool that it calls; NULL: none */
    size_t *held;      /* of its party: the bytes of all these */
    size_t bytes;      /* its own part of them */
} request_facts;

/* What is known of a progress token in use. */
typedef struct token_facts {
    const mcpw_revision *revision;
    double progress;
    bool any; /* progress has been told */
} token_facts;

/* What one side has done so far. */
typedef struct party {
    requests open;      /* its requests that wait; facts: request_facts */
    requests used;      /* every id of its requests, up to a limit */
    requests early;     /* ids that it has cancelled and not used yet */
    requests tokens;    /* of its open requests; facts: token_facts */
    bool forgot;        /* the tables were full: what is not in them may be known all the same */
    size_t facts_bytes; /* of what open requests say */
    char *capabilities;
    size_t capabilities_len;
    uint64_t messages;
    uint64_t unreadable;    /* messages without a readable id that the other side has not complained of yet */
    uint64_t notifications; /* sent since the other side's last answer without an id */
    uint64_t loggers;       /* open requests that want log messages */
} party;

/* How far initialize has come. */
typedef enum handshake { HANDSHAKE_NONE, HANDSHAKE_ASKED, HANDSHAKE_ANSWERED, HANDSHAKE_DONE } handshake;

typedef struct talk {
    const mcpw_revision *forced; /* NULL: as the two agree */
    const mcpw_library *library; /* the revisions that may have a method; NULL: those of the library. Set
                                  * after talk_init */
    overlays *overlays;          /* on top of them; NULL: none. Set after talk_init */
    bool strict;
    party parties[SIDES];
    handshake handshake;
    bool initialized;               /* notifications/initialized was sent */
    const mcpw_revision *requested; /* by initialize, while it waits */
    char requested_name[TALK_NAME_SIZE];
    const mcpw_revision *agreed;    /* by initialize */
    const mcpw_revision *stateless; /* that a request named last */
    uint64_t now;                   /* ms since the start; set by the user */
    bool *info_missed;              /* that the server does not say who it is was reported; NULL: report it
                                     * each time. Set after talk_init */
    mcpw_arena arena;               /* of the message at hand */
} talk;

/* A message as far as its members show what it is: it need not be valid. */
typedef struct talk_message {
    side from;
    uint64_t number;
    bool batched;
    size_t item; /* its place in the batch */
    mcpw_message_kind kind;
    mcpw_id id;
    mcpw_str method; /* of a response: that of the request */
    mcpw_json params;
    mcpw_json result;
    mcpw_json error;
    mcpw_str named; /* the revision that its _meta names */
    mcpw_json meta; /* of the params */
    const mcpw_revision *revision;
    bool valid;        /* it fits the schema; set by the user */
    bool by_overlay;   /* because of overlays, and the revision alone refuses it; set by the user */
    int method_number; /* in the revision; 0: it has no such method */
    const overlay_method *brought; /* that overlays bring; NULL: the method is none of theirs */
    const mcpw_method *entry;
    const open_request *answers; /* of a response: the request that it answers; NULL: none that is open */
    const request_facts *answer_facts; /* of that request; may be NULL all the same */
} talk_message;

void talk_init(talk *t, const mcpw_revision *forced, bool strict, size_t max_open);
void talk_free(talk *t);

/* Reads what a message is. text is JSON. What m refers to stays until talk_clear. */
void talk_read(talk *t, side from, mcpw_json text, talk_message *m);
void talk_clear(talk *t);

/* What a message changes, but for the table of its side's requests: call it before exchange_follow, and
 * talk_opened after it. */
void talk_follow(talk *t, const talk_message *m);
void talk_opened(talk *t, const talk_message *m);

side talk_other(side from);

/* What a side has declared; absent: it has not yet said. */
mcpw_json talk_capabilities(const talk *t, const talk_message *m, side of);

/* The revision that messages are in which do not say. */
const mcpw_revision *talk_revision(const talk *t);

/* Whether an open request is a subscription, which stays open. */
bool talk_listens(const open_request *entry);

/* The open request that notifications/cancelled with this id is about: one of the sender's, or a
 * subscription, which a server ends by it. NULL: there is none. */
const open_request *talk_cancels(const talk *t, const talk_message *m, const mcpw_id *id);

/* An id that is a member of an object; absent when it is none. */
mcpw_id talk_id(talk *t, mcpw_json object, const char *member);
/* A string that is a member of an object; absent when it is none. */
mcpw_str talk_string(talk *t, mcpw_json object, const char *member);

#endif
