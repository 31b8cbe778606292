/* SPDX-License-Identifier: MIT */
/* The values of files, each with its verdict: what mcpwire validate does once it knows what it is asked. */
#ifndef MCPWIRE_CHECK_H
#define MCPWIRE_CHECK_H

#include "check_report.h"
#include "exchange.h"

#include <mcpw/reflect.h>
#include <mcpw/schema.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct check_settings {
    const mcpw_revision *revision;   /* NULL: the messages tell */
    const mcpw_type *type;           /* of values; */
    const mcpw_schema *schema;       /* or a schema of the user's. NULL both: values are messages, */
    const exchange_schema *messages; /* of this schema, or, NULL, of a revision */
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

/* Checks the files, reports on them, and returns the exit status. */
int check_files(const check_settings *set, const char *const *files, size_t count);

#endif
