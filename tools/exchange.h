/* SPDX-License-Identifier: MIT */
/*
 * The messages of a session, in the order of the input. Each is checked, and the requests give later
 * responses their type.
 */
#ifndef MCPWIRE_EXCHANGE_H
#define MCPWIRE_EXCHANGE_H

#include "requests.h"

#include <mcpw/message.h>

#include <stdbool.h>
#include <stddef.h>

enum { EXCHANGE_POINTER_SIZE = 32, EXCHANGE_MESSAGE_SIZE = 256 };

/* A diagnostic of a valid message. */
typedef struct exchange_diagnostic {
    char pointer[EXCHANGE_POINTER_SIZE];
    char message[EXCHANGE_MESSAGE_SIZE];
} exchange_diagnostic;

/* The functions of a schema that checks messages instead of a revision. It has its own method numbers. */
typedef struct exchange_schema {
    void *user; /* passed to all functions */
    bool batches;
    int (*method_number)(const void *user, mcpw_str name); /* 0: there is none */
    bool (*is_request)(const void *user, int method);      /* unknown methods may be requests, too */
    mcpw_status (*validate)(void *user, mcpw_json text, mcpw_arena *scratch, mcpw_resolve resolve,
                            void *asked, mcpw_envelope *found, const mcpw_options *options,
                            mcpw_error *error);
} exchange_schema;

typedef struct exchange {
    const mcpw_revision *revision;
    const exchange_schema
        *schema;               /* checks messages; NULL: the tables of revision. Set after exchange_init */
    struct overlays *overlays; /* on top of revisions; NULL: none. Set after exchange_init */
    mcpw_options options;
    mcpw_arena *arena; /* reset by every call */
    requests open;     /* of both sides, if the sender is unknown */
    /* If the sides are known, the caller sets the tables of the sides before each call: */
    requests *asked;               /* of the sender */
    requests *answered;            /* those that its responses answer */
    const mcpw_revision *asked_in; /* the revision of their method numbers; NULL: revision */
    bool marks;                    /* new requests get a mark; set before each call */
    bool forgot;                   /* a request could not be stored */
    void (*on_diagnostic)(void *user, const exchange_diagnostic *diagnostic); /* may be NULL */
    void *user;
    /* The result for the last checked message: */
    mcpw_envelope envelope;
    mcpw_status status;
    bool by_overlay; /* it is valid only because of overlays */
    bool unknown;    /* a result without an open request of its id */
    unsigned which;  /* index among the open requests of its id */
} exchange;

void exchange_init(exchange *x, const mcpw_revision *revision, const mcpw_options *options, mcpw_arena *arena,
                   size_t max_open);
void exchange_free(exchange *x);

/* Checks a message; error receives the first error. The open requests do not change. */
MCPW_NODISCARD mcpw_status exchange_check(exchange *x, const char *text, size_t len, mcpw_error *error);

/* The name of a method number in a revision with its overlays; absent: there is none. */
mcpw_str exchange_method_name(const exchange *x, const mcpw_revision *revision, int method);

/* Converts a response's request to the method numbers of the revision that reads it. */
mcpw_answered_request exchange_translate(const exchange *x, mcpw_answered_request answer);

/* True if overlays alone explain the last checked message. answered: the method of the request that it
 * answers; 0: none. */
bool exchange_is_overlaid(const exchange *x, int answered);

/* Reports all errors of a message that exchange_check refused. */
void exchange_errors(exchange *x, const char *text, size_t len, mcpw_error_callback on_error, void *user);

/* Call it after exchange_check for the same text: it reports the diagnostics, opens requests and closes
 * answered ones. An invalid message counts too if its members show its kind, because it was sent. */
void exchange_follow(exchange *x, const char *text, size_t len);

#endif
