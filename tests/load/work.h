/* SPDX-License-Identifier: MIT */
/* The common part of the program `work`. */
#ifndef MCPW_TESTS_LOAD_WORK_H
#define MCPW_TESTS_LOAD_WORK_H

#include <mcpw/frame.h>
#include <mcpw/json.h>
#include <mcpw/message.h>
#include <mcpw/project.h>

enum { VALUE_WORDS = 128 };

/* A piece of work: what it reads and where it puts things. */
typedef struct job {
    const mcpw_type *type;
    const mcpw_type *target; /* of a projection */
    mcpw_buffer text;
    mcpw_buffer out;
    mcpw_arena arena;
    mcpw_options options;
    mcpw_error error;
    uint64_t value[VALUE_WORDS]; /* room for a struct */
    uint64_t other[VALUE_WORDS];
    void *user;
    size_t used; /* bytes of memory, */
    size_t most; /* and at most; 0: nobody counts */
    size_t turn; /* number of the next text, and of which part of so many it is the turn */
    size_t part;
    size_t parts;
} job;

typedef struct operation {
    const char *name;
    bool (*ready)(job *j); /* makes ready, uncounted; false: not for this text */
    mcpw_status (*run)(job *j);
} operation;

/* Whether this run does what comes next. */
bool job_turn(job *j);

/* Runs an operation and says what it was. */
void job_run(job *j, const char *what, const operation *o);

/* Work of sessions and registries. */
void work_sessions(job *j, size_t size);

/* JSON Schemas. */
void work_schemas(job *j, size_t size);

#endif
