/* SPDX-License-Identifier: MIT */
/*
 * One end of a session for fuzz_session, fuzz_streams and fuzz_http: a server with registries and typed
 * slots, or a client that answers. The action of a handler is named in the request ("n" in a tool's
 * arguments) or follows from the method, so that it does the same when it runs again. Every line that an end
 * writes is checked.
 */
#ifndef MCPW_FUZZ_SIDE_H
#define MCPW_FUZZ_SIDE_H

#include "side_known.h"

#include <mcpw/server.h>
#include <mcpw/session.h>

enum {
    SIDE_KEPT = 8,
    SIDE_RUNNING = 8,
    SIDE_CALLS = 32,
    SIDE_STATE = 1024,
    SIDE_CONTEXTS = 64,
    SIDE_VISITORS = 32
};

typedef struct side side;

typedef struct side_call {
    side *of;
    mcpw_session *session;
    bool open; /* on_reply is due */
    int64_t number;
} side_call;

/* The context of a message, which comes back. */
typedef enum side_context { SIDE_FREE, SIDE_GIVEN, SIDE_ABANDONED } side_context;

struct side {
    mcpw_session *session;   /* where sessions come and go: that of the callback that runs; NULL: none does */
    mcpw_endpoint *endpoint; /* its own; NULL: another side's */
    mcpw_server *server;     /* of a server */
    mcpw_dispatch dispatch;
    const mcpw_revision *revision; /* of its handlers */
    unsigned seed;
    unsigned salt; /* of what typed slots do */
    mcpw_request *kept[SIDE_KEPT];
    mcpw_request *running[SIDE_RUNNING]; /* whose handlers run, ended or not */
    size_t running_count;
    unsigned meddling; /* of 256 callbacks so many do more than they were called for */
    unsigned depth;    /* of callbacks that do */
    unsigned meddled;  /* how often it was done */
    side_call calls[SIDE_CALLS];
    size_t call_count;
    known_requests known;
    char *line; /* the beginning of one that it was sent */
    size_t line_len;
    bool cut;               /* its input ended in the middle of one */
    size_t bad_diagnostics; /* messages of the peer's that it found wrong */
    uint64_t now;
    bool tool_is_there;
    bool forged;            /* what it is fed now has a state that it did not give */
    char state[SIDE_STATE]; /* the last requestState that it wrote, as JSON text */
    size_t checked;         /* bytes of the output that were looked at already */
    bool whole;             /* messages are given and taken one by one */
    side_context contexts[SIDE_CONTEXTS];
    side *relay_to; /* requests are passed on to it; NULL: they are answered */
    bool served;    /* sessions of its endpoint come and go; those that are open, as far as there is room: */
    mcpw_session *visitors[SIDE_VISITORS];
};

typedef struct side_config {
    mcpw_role role;
    const mcpw_revision *revision;
    const char *revisions;
    unsigned flags;
    unsigned seed;
    size_t max_output; /* as in mcpw_session_config */
    side *beside;      /* whose endpoint it shares, and which outlives it; NULL: it has its own */
    bool whole;
    bool relays;              /* set relay_to before anything is said */
    bool served;              /* it has no session: others make them of its endpoint */
    mcpw_allocator allocator; /* of its endpoint and the sessions of that */
} side_config;

void side_start(side *s, const side_config *config);
/* Ends it: every request of its own has been answered by then. */
void side_end(side *s);

/* A session comes, of those that come and go. */
void side_meet(side *s, mcpw_session *session);

/* The output, checked line by line; it stays until side_sent. */
mcpw_str side_output(side *s);
void side_sent(side *s, size_t len);
/* Checks a message that it has written. */
void side_check(side *s, const char *line, size_t len);
/* Remembers the requests among lines that are sent to it. */
void side_expect(side *s, const char *text, size_t len);
/* The same where lines come in pieces. */
void side_overhear(side *s, const char *piece, size_t len);

/* Gives it a message as a whole, with a context unless there are too many. */
void side_receive(side *s, const char *text, size_t len);
/* Takes up to that many messages, each checked, and gives them to another; NULL: to nobody. Whether there was
 * any. */
bool side_take(side *s, side *to, unsigned most);
/* The stream of a context that it was given is gone. */
void side_abandon(side *s, unsigned which);

/* A further action of a program, by a letter; false: nothing goes by that. */
bool side_operate(side *s, int letter, unsigned number);

/* Makes a request (or tells a notification) of the end's, with params that fit; n goes into them. */
void side_request(side *s, int method, unsigned n);
/* The call of a tool again, as a client makes it that was asked something by a server of 2026-07-28: with the
 * state that the server gave last, changed at one place unless `at` is 0. In room; its length. */
size_t side_retry(side *s, unsigned at, char *room, size_t size);
void side_cancel(side *s, size_t which);
/* Answers a request that a handler kept, if there is one. */
void side_answer_kept(side *s, size_t which, unsigned how);
/* Keeps it no longer, because it is going to be answered. */
void side_unkeep(side *s, const mcpw_request *request);
/* The same of one whose handler may run. */
void side_over(side *s, const mcpw_request *request);
/* Runs the handler of a request that was kept again. */
void side_resume_kept(side *s, size_t which);
/* Changes the registries of a server. */
void side_change(side *s, unsigned how);
/* Removes the tool that most calls are for, or adds it again. */
void side_exchange_tool(side *s);
/* Time passes. */
void side_advance(side *s, uint64_t by);
/* Answers a request whose handler runs, or asks in it. */
mcpw_status side_answer(side *s, mcpw_request *request);
mcpw_status side_ask(side *s, mcpw_request *request, const char *key, const char *method);
/* The further actions of a callback: anything that the headers allow (side_meddle.c). */
void side_meddle(side *s);

unsigned side_random(side *s);

/* A JSON text with the method's params or result, of any revision; "{}" where nothing more is known. */
const char *side_params_text(mcpw_str method);
const char *side_result_text(mcpw_str method);
/* The same with content that older revisions lack. */
const char *side_rich_result_text(mcpw_str method);

#endif
