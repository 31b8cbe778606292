/* SPDX-License-Identifier: MIT */
/*
 * Error reports. error_report.c notes a failure in the reader. describe.c describes it in words in the
 * reporter's record, if anybody wants to know; describe_code.c does so in a build without messages.
 * error_report_collect.c hands the record to the caller's callback and goes on.
 */
#ifndef MCPW_ERROR_REPORT_H
#define MCPW_ERROR_REPORT_H

#include "../base/error_text.h"
#include "tables.h"

#if defined(MCPW_NO_NAMES) && !defined(MCPW_NO_ERROR_TEXT)
#error "MCPW_NO_NAMES needs MCPW_NO_ERROR_TEXT: messages name types"
#endif

/* The place of a walk: a member or an item, and its containers. */
typedef struct mcpw_frame {
    struct mcpw_frame *up;
    const char *key; /* NULL: an item. Once an error has been told: the end of it that a path can show */
    size_t key_len;
    size_t index;
} mcpw_frame;

/* The receiver of failures, and their form. All zeros: none. */
typedef struct mcpw_reporter {
    mcpw_frame *frame; /* where the walk stands */
    mcpw_error *error; /* record of the current failure; NULL if none is wanted */
    unsigned quiet;    /* >0: failures are expected and not described */
    bool collect;      /* report errors to on_error and go on */
    bool stopped;      /* on_error asked to stop */
    mcpw_status first; /* status of the first error reported */
    mcpw_error_callback on_error;
    void *user;
} mcpw_reporter;

/* Whether a status says something about the value, so that another alternative may do better, or reading
 * may go on after the value. */
bool mcpw_is_verdict(mcpw_status status);

/* Whether anybody wants to know of failures. */
MCPW_INLINE bool mcpw_is_wanted(const mcpw_reporter *t) { return t->error != NULL && t->quiet == 0; }

/* Notes a failure at p; whether it is to be described: by a code and a message in t->error, and then by its
 * path. */
bool mcpw_report_begin(mcpw_reporter *t, mcpw_reader *r, const unsigned char *p, mcpw_status status);
#if defined(MCPW_NO_ERROR_PATH)
#define mcpw_report_path(t) ((void)(t))
#else
void mcpw_report_path(const mcpw_reporter *t);
#endif

/* Notes a failure and, unless no record is wanted, describes it: by a text, a check, what was expected (a
 * type, a number, a value of an enum, a constant, an alternative), or the member that is missing. */
#if defined(MCPW_NO_ERROR_TEXT)
#include "error_report_codes.h"
#else
#include "error_report_words.h"
#endif

/* Describes the failure that was noted last, unless that was done. */
MCPW_COLD void mcpw_describe(mcpw_reporter *t, mcpw_reader *r);

/* Takes the failure that was noted last back. */
MCPW_COLD void mcpw_forgive(mcpw_reporter *t, mcpw_reader *r);

/* Reports the failure to the caller's callback; whether to go on. */
MCPW_COLD bool mcpw_report(mcpw_reporter *t, mcpw_reader *r);

/* The same, and skips the value at start: the place after it, or NULL. */
MCPW_COLD unsigned char *mcpw_recover(mcpw_reporter *t, mcpw_reader *r, unsigned char *start);

#endif
