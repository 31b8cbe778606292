/* SPDX-License-Identifier: MIT */
/*
 * The messages of a session, in the order in which they stand in the input: each gets its verdict, and the
 * requests among them give later responses their type.
 */
#ifndef MCPWIRE_EXCHANGE_H
#define MCPWIRE_EXCHANGE_H

#include "requests.h"

#include <mcpw/message.h>

#include <stdbool.h>
#include <stddef.h>

enum { EXCHANGE_POINTER_SIZE = 32, EXCHANGE_NOTE_SIZE = 256 };

/* Something to know about a valid message. */
typedef struct exchange_note {
    char pointer[EXCHANGE_POINTER_SIZE];
    char message[EXCHANGE_NOTE_SIZE];
} exchange_note;

/* What messages are checked by where that is not a revision of the library. Method numbers are its own. */
typedef struct exchange_schema {
    void *user; /* passed to all: */
    bool batches;
    int (*method_number)(const void *user, mcpw_str name); /* 0: it has none such */
    bool (*is_request)(const void *user, int method);      /* methods that are not known may be one, too */
    mcpw_status (*validate)(void *user, mcpw_json text, mcpw_arena *scratch, mcpw_resolve resolve,
                            void *asked, mcpw_envelope *found, const mcpw_options *options,
                            mcpw_error *error);
} exchange_schema;

typedef struct exchange {
    const mcpw_revision *revision;
    const exchange_schema *schema; /* that messages are checked by; NULL: the tables of revision. Set after
                                    * exchange_init */
    struct overlays *overlays;     /* on top of revisions; NULL: none. Set after exchange_init */
    mcpw_options options;
    mcpw_arena *arena; /* reset by every call */
    requests open;     /* those of both sides, where nothing tells the sides apart */
    /* Where something does, the tables of the sides are set before each call: */
    requests *asked;               /* by who sends the message */
    requests *answered;            /* those that its responses answer */
    const mcpw_revision *asked_in; /* whose method numbers those have; NULL: those of revision */
    bool marks;                    /* requests that are opened get a mark; set before each call */
    bool forgot;                   /* a request could not be kept */
    void (*on_diagnostic)(void *user, const exchange_note *note); /* NULL: nobody wants to know */
    void *user;
    /* Of the message that was checked last: */
    mcpw_envelope envelope;
    mcpw_status status;
    bool by_overlay; /* it is valid because of overlays; the revision alone refuses it */
    bool unknown;    /* a result, and no request with its id is open */
    unsigned which;  /* place among the open requests of its id */
} exchange;

void exchange_init(exchange *x, const mcpw_revision *revision, const mcpw_options *options, mcpw_arena *arena,
                   size_t max_open);
void exchange_free(exchange *x);

/* The verdict on a message; the first error goes to error. Changes nothing of the open requests. */
MCPW_NODISCARD mcpw_status exchange_check(exchange *x, const char *text, size_t len, mcpw_error *error);

/* The name of a method by its number in a revision, with what lies on top of it; absent: there is none. */
mcpw_str exchange_method_name(const exchange *x, const mcpw_revision *revision, int method);

/* What a response answers, in the method numbers of the revision that it is read by. */
mcpw_answered_request exchange_translate(const exchange *x, mcpw_answered_request answer);

/* Whether overlays alone make the message that was checked last what it is. answered: the method of the
 * request that it answers; 0: none. */
bool exchange_is_overlaid(const exchange *x, int answered);

/* Reports all errors of a message that exchange_check refused. */
void exchange_errors(exchange *x, const char *text, size_t len, mcpw_error_callback on_error, void *user);

/* After exchange_check for the same text: hands out the notes, opens requests and closes those that were
 * answered. A message that is invalid counts too as far as it shows what it is: its sender has sent it. */
void exchange_follow(exchange *x, const char *text, size_t len);

#endif
