/* SPDX-License-Identifier: MIT */
/*
 * A server of HTTP with the handlers of side.h, and clients that send it requests, several at once. Each
 * response is checked as it comes (http_check.c).
 */
#ifndef MCPW_FUZZ_HTTP_STAGE_H
#define MCPW_FUZZ_HTTP_STAGE_H

#include "../unit/counting_allocator.h"
#include "side.h"

#include <mcpw/http.h>

enum {
    STAGE_SLOTS = 8,
    STAGE_CLIENTS = 8,
    STAGE_EVENTS = 128,
    STAGE_RECORDS = 32,
    STAGE_DROPS = 32,
    STAGE_FIELDS = 24,
    STAGE_ID = 64,
    STAGE_HEAD = 4096 /* bytes of the fields of a request */
};

/* An event that a client has got. */
typedef struct stage_event {
    uint64_t stream;
    uint64_t number;
    unsigned hash; /* of its text */
} stage_event;

/* A client that has opened a session. */
typedef struct stage_client {
    char id[STAGE_ID]; /* of the session */
    const char *principal;
    const mcpw_revision *revision;
    bool is_over; /* it has ended the session */
    known_requests known;
    stage_event events[STAGE_EVENTS]; /* the newest take the place of the oldest */
    size_t event_count;
} stage_client;

typedef struct stage stage;

/* A request and its response. */
typedef struct stage_slot {
    stage *of;
    mcpw_http_exchange *exchange; /* NULL: the slot is free */
    unsigned number;
    const char *principal;
    stage_client *client; /* whose session it is in; NULL: in none */
    bool is_late;         /* the session has ended already */
    bool is_post;
    bool is_delete;
    char *body;
    size_t body_len;
    size_t passed;   /* of the body, to the server */
    bool is_request; /* the body is one that wants an answer, as far as it can be read */
    known_requests known;
    /* the response */
    int status; /* 0: there is none yet */
    bool streams;
    bool is_over;
    bool is_slow; /* takes no step but when it is told to */
    size_t replies;
    bool replied_last;
    uint64_t stream; /* of its events */
    uint64_t event;  /* the last one's number */
} stage_slot;

/* An event that is kept (http_store.c). */
typedef struct stage_record {
    char session[STAGE_ID];
    uint64_t stream;
    uint64_t event;
    char *text; /* NULL: there is none */
    size_t len;
} stage_record;

typedef struct stage_store {
    stage_record records[STAGE_RECORDS];
    size_t count;
    char dropped[STAGE_DROPS][STAGE_ID];
    size_t drops;
} stage_store;

typedef struct stage_config {
    side_config side;
    unsigned limits; /* which */
    mcpw_http_eras eras;
    size_t fails;     /* the allocation that fails, once the server is there; 0: none */
    bool is_stingy;   /* large blocks are refused, so that more fails one by one */
    bool lingers;     /* exchanges are closed by the text alone */
    bool keeps;       /* events in a store of the program's */
    bool stops;       /* the server is freed with all that is under way */
    unsigned largest; /* piece of a body; 0: all at once */
} stage_config;

struct stage {
    side side;
    stage_config config;
    counting memory; /* of the server */
    mcpw_http_server *http;
    uint64_t now;
    unsigned seed; /* of the pieces */
    stage_slot slots[STAGE_SLOTS];
    unsigned exchanges; /* so far */
    stage_store store;
    stage_client clients[STAGE_CLIENTS];
    size_t client_count;
    unsigned principal; /* of the requests to come */
    bool holds;         /* the next body is not sent to its end */
    bool is_busy;       /* does not ask who is ready */
    bool ended;
    mcpw_buffer said; /* all responses, in the order in which they came */
};

/* A request, as the text of an input says it. */
typedef struct stage_request {
    mcpw_http_field fields[STAGE_FIELDS];
    size_t field_count;
    mcpw_str method;
    mcpw_str path;
    mcpw_str body;
    char room[STAGE_HEAD]; /* of the fields */
    size_t used;
} stage_request;

void stage_start(stage *s, const stage_config *config);
/* Ends it; what was said stays, until it is freed by mcpw_buffer_free. */
void stage_end(stage *s);
/* Sends a request. */
void stage_send(stage *s, stage_request *request);
/* A field with that value; in a value $S0 stands for a session's id, $E0 for an event's. */
void stage_add_field(stage *s, stage_request *request, mcpw_str name, mcpw_str value);
/* Adds what every client sends ("@"), one of 2026-07-28 ("@m"), or one in a session ("@0"). The body must be
 * there already. */
void stage_add_usual(stage *s, stage_request *request, int kind);
/* The actions of the program, a client or the clock, by a letter. */
void stage_operate(stage *s, int letter, unsigned number, unsigned n);
/* Takes what there is to send. */
void stage_settle(stage *s);

/* The store of the program's; forgets all. */
mcpw_http_store stage_store_of(stage *s);
void stage_store_free(stage *s);

/* The parts of a response. */
void stage_check_head(stage_slot *slot, const mcpw_http_output *head);
void stage_check_events(stage_slot *slot, mcpw_str bytes);
void stage_check_end(const stage_slot *slot);
/* The client whose session has that id; NULL: none. */
stage_client *stage_client_of(stage *s, mcpw_str id);
/* Remembers the requests in the body, of a revision. */
void stage_expect(known_requests *known, const mcpw_revision *revision, mcpw_str body);

#endif
