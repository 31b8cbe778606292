/* SPDX-License-Identifier: MIT */
/* Checks the values of files, for mcpwire validate. */
#ifndef MCPWIRE_CHECK_H
#define MCPWIRE_CHECK_H

#include "check_report.h"
#include "exchange.h"

#include <mcpw/detail/field.h>
#include <mcpw/schema.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct check_settings {
    const mcpw_revision *revision;   /* NULL: the messages decide */
    const mcpw_type *type;           /* of values */
    const mcpw_schema *schema;       /* a user's schema of values; both NULL: values are messages */
    const exchange_schema *messages; /* the schema of messages; NULL: a revision */
    struct overlays *overlays;       /* on top of revisions; NULL: none */
    const char *message;             /* JSON pointers into a line; NULL: not given */
    const char *split;
    bool ndjson;
    bool all_errors;
    bool strict;
    size_t max_bytes;
    size_t max_depth;
    size_t max_open;
    report_settings report;
} check_settings;

/* Checks the files, reports the results and returns the exit status. */
int check_files(const check_settings *set, const char *const *files, size_t count);

#endif
