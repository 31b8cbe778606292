/* SPDX-License-Identifier: MIT */
/*
 * A conversation as a list of JSON objects, from which a page shows it. Each has one of these members, and
 * "t", the time in ms since the start, unless it is unknown:
 *
 *   "file"   the name of the file that follows
 *   "began"  a recording begins: ms since 1970
 *   "entry"  the number of a message or of another line, counted from 1. "kind" is request, result, error,
 *            notification, batch, value, line (no message), skipped (too long) or refused (an HTTP status).
 * "answers", "of" (the request whose stream it belongs to), "task" and "after" (the round before) are numbers
 *            of entries
 *   "late"   the number of an entry that has further findings
 *   "lost"   how many of the objects before it are missing
 */
#ifndef MCPWIRE_TRACE_H
#define MCPWIRE_TRACE_H

#include "side.h"
#include "text.h"
#include "trace_links.h"

#include <mcpw/arena.h>
#include <mcpw/json.h>
#include <mcpw/type.h>

#include <stdbool.h>
#include <stdint.h>

enum { TRACE_NO_SIDE = SIDES };

typedef struct trace {
    void (*put)(void *user, const text *event); /* takes each object, without a line feed */
    void *user;
    bool redacts;          /* values of messages are left out */
    uint64_t now;          /* ms since the start; set by the caller, or by trace_at */
    int64_t start;         /* of trace_at; 0: there was none */
    bool has_no_times;     /* until trace_at gives one; set by the caller */
    uint64_t line;         /* of the file; 0: there is none; set by the caller */
    uint64_t conversation; /* set by the caller; 0: there is only one */
    uint64_t entries;      /* their number */
    bool line_has_entry;   /* the current line has at least one */
    links links;
    mcpw_arena arena;
    text findings; /* of the next entry */
    text converted;
    text out;
} trace;

/* A message, or a line that contains none. */
typedef struct trace_item {
    unsigned from;                 /* a side or TRACE_NO_SIDE */
    const mcpw_revision *revision; /* NULL: unknown */
    const char *kind;              /* NULL: that of the message in the text */
    bool batched;
    size_t at;     /* its index in the batch */
    mcpw_str text; /* absent: it is too long */
    uint64_t bytes;
    int64_t status; /* of HTTP; 0: none */
} trace_item;

/* A finding about the next entry. */
typedef struct trace_finding {
    const char *severity; /* "error", "warning" or "note" */
    const char *code;
    const char *pointer;
    const char *message;
    bool has_offset;
    uint64_t offset; /* in the text of the message */
} trace_finding;

void trace_init(trace *t, void (*put)(void *user, const text *event), void *user);
void trace_free(trace *t);

/* Begins a file, or a recording in one. Messages after it do not refer to those before it. */
void trace_file(trace *t, const char *name);
void trace_began(trace *t, int64_t time);

/* Sets the time of the next entries, in ms since 1970; 0: unknown. The first one is the start. */
void trace_at(trace *t, int64_t time);

void trace_find(trace *t, const trace_finding *f);

/* Adds what the next entry is in another revision. said absent: the message is left out. changes: objects of
 * a JSON array, separated by commas. */
void trace_convert(trace *t, const mcpw_revision *to, mcpw_str said, const text *changes);

/* Adds an entry with the findings before it. */
void trace_add(trace *t, const trace_item *item);

/* Ends a line: findings that came after its entry are added to that. */
void trace_end_line(trace *t);

#endif
