/* SPDX-License-Identifier: MIT */
/*
 * Answers to tasks/get, kept from one poll to the next: a client asks again and again how a task stands, and
 * mostly nothing has changed. A view is valid for one version of a record in one form. The store is asked
 * each time, so a view never outlives its record, its owner or its time to live.
 */
#ifndef MCPW_TASKS_VIEWS_H
#define MCPW_TASKS_VIEWS_H

#include "table.h"

#include <mcpw/tasks.h>

typedef struct mcpw_task_view {
    struct mcpw_task_view *in_bucket; /* stands first */
    struct mcpw_task_view *next;      /* the one that was kept after it */
    uint64_t version;                 /* of the record */
    bool core;                        /* the form: that of the core, or that of the extension */
    mcpw_json text;                   /* in the buffer */
    mcpw_buffer buffer;
    char id[MCPW_TASK_ID_LEN];
} mcpw_task_view;

/* All zeros but for the first two: there are none. */
typedef struct mcpw_task_views {
    mcpw_allocator allocator;
    size_t max_bytes; /* of all views together */
    mcpw_task_table table;
    mcpw_task_view *oldest;
    mcpw_task_view *newest;
    size_t bytes;
} mcpw_task_views;

/* The view of a task in a form, if it is that of this version; NULL: there is none. It lives until the next
 * one is kept. */
const mcpw_task_view *mcpw_task_view_find(const mcpw_task_views *views, mcpw_str id, bool core,
                                          uint64_t version);
/* Keeps a copy of a text, in place of an older view of the task. The oldest views are forgotten beyond the
 * limit. Without memory, and if the text is long beside the limit, nothing is kept. */
void mcpw_task_view_keep(mcpw_task_views *views, mcpw_str id, bool core, uint64_t version, mcpw_json text);
/* Forgets all views. */
void mcpw_task_views_free(mcpw_task_views *views);

#endif
