/* SPDX-License-Identifier: MIT */
/*
 * The interface of the files of projection:
 *
 *   project.c         structs member by member, lists
 *   project_scalar.c  everything that holds no other values
 *   project_union.c   which alternative of the target a value is
 *   project_text.c    whatever differs in kind goes through text: written by the source's tables, read by the
 *                     target's
 *   project_plan.c    the fast way: what can be worked out before there is a value; hands over to these
 *                     (project_plan_small.c: there is none)
 *
 * This is a recursive descent: mcpw_project_value hands a value to the file for its kind, and lists, structs
 * and unions call mcpw_project_value for what they hold. mcpw_projector.depth limits how deep that goes.
 *
 * Functions return whether they succeeded; else the projector's status and, where somebody wants to know, the
 * caller's error record are set.
 */
#ifndef MCPW_PROJECT_INTERNAL_H
#define MCPW_PROJECT_INTERNAL_H

#include <mcpw/detail/table.h>
#include <mcpw/project.h>

#include "check.h"
#include "choose.h"
#include "error_report.h"
#include "kinds.h"
#include "value.h"
#include "walk.h"

/* A member that was dropped, or taken from the options. The caller gets the reports at the end: an
 * alternative that is given up takes back its own. */
typedef struct mcpw_told {
    struct mcpw_told *next;
    const char *path;
    void (*callback)(void *user, const char *path); /* of the options */
} mcpw_told;

/* A value of the source. */
typedef struct mcpw_source {
    mcpw_ref ref;
    const unsigned char *at;
    const mcpw_union *of; /* the union that said what it is; NULL: there was none */
    unsigned number;      /* of its alternative there, from 0 */
    bool unknown;         /* text of an alternative that the source's revision does not know */
} mcpw_source;

typedef struct mcpw_projector {
    mcpw_tables from;
    mcpw_tables to;
    mcpw_arena *arena;
    mcpw_project_options options;
    mcpw_error *error; /* the record below; NULL: none is wanted */
    mcpw_frame *frame; /* where the walk stands */
    mcpw_told *first_told;
    mcpw_told *last_told;
    mcpw_status status;
    unsigned depth;   /* levels that may still be opened */
    bool saw_unknown; /* an enum held MCPW_UNKNOWN: the member around it has its text among the extra ones */
    bool allow_unknown; /* what is read now may hold values that the target's revision does not know */
    bool misfit;        /* the failure: JSON text that is well-formed but not what the target wants there */
    mcpw_error record;  /* the failure so far: it may yet be got over, and then the caller's stays alone */
} mcpw_projector;

/* Notes a failure at the place where the walk stands; false. */
#if defined(MCPW_NO_ERROR_TEXT)
#define mcpw_project_fail(p, status, ...) (MCPW_WITHOUT_TEXT(__VA_ARGS__), mcpw_project_stop((p), (status)))
MCPW_COLD bool mcpw_project_stop(mcpw_projector *p, mcpw_status status);
#else
MCPW_COLD bool mcpw_project_fail(mcpw_projector *p, mcpw_status status, const char *fmt, ...)
    MCPW_PRINTF(3, 4);
#endif

MCPW_COLD bool mcpw_project_fail_status(mcpw_projector *p, mcpw_status status);

/* Whether a value is within the bounds of a check of the target's; else fails. */
bool mcpw_project_holds(mcpw_projector *p, mcpw_checked value, unsigned check);

/* The name of a type, which stands at an offset of the pool; builds without names have none. */
#if defined(MCPW_NO_NAMES)
#define MCPW_TYPE_NAME(revision, offset) ((void)(revision), (void)(offset), "")
#else
#define MCPW_TYPE_NAME(revision, offset) ((revision)->pool + (offset))
#endif

/* Puts the place where the walk stands before the path of a record that was filled in; NULL does nothing. */
MCPW_COLD void mcpw_project_place(const mcpw_projector *p, mcpw_error *error);

/* count zeroed elements of size bytes, or NULL. */
unsigned char *mcpw_project_alloc(mcpw_projector *p, size_t count, size_t size);

/* Makes a projector ready for values of one revision that become values of another. */
void mcpw_project_begin(mcpw_projector *p, const mcpw_revision *from, const mcpw_revision *to,
                        mcpw_arena *arena, const mcpw_project_options *options, mcpw_error *error);

/* A value that is there, to the zeroed value at out. After a failure, the contents of out are undefined. */
bool mcpw_project_value(mcpw_projector *p, mcpw_ref from, const unsigned char *at, mcpw_ref to,
                        unsigned char *out);

/* The value of the options by that name, or NULL. */
const mcpw_json *mcpw_project_option(const mcpw_projector *p, const char *name, size_t len);

/* ---- choose_value.c ---- */

mcpw_choice mcpw_choose_value(mcpw_projector *p, const mcpw_source *source, const mcpw_union *u);

/* ---- project_union.c ---- */

/* Whether the target's alternative of that number may stand for the source's. */
bool mcpw_project_is_counterpart(const mcpw_projector *p, const mcpw_source *source, const mcpw_union *u,
                                 unsigned number);

bool mcpw_project_union(mcpw_projector *p, const mcpw_source *source, mcpw_ref to, unsigned char *out);

/* The target's union, enum or struct has no such value: the caller's substitute, or failure. */
MCPW_COLD bool mcpw_project_unsayable(mcpw_projector *p, const mcpw_source *source, mcpw_ref to,
                                      unsigned char *out);

/* Whether the target's struct stands for another alternative than the source's. The source's alternative
 * needs a mark, its neighbour needs none, and the struct has no member for the mark: it is the neighbour. */
bool mcpw_project_is_marked(const mcpw_projector *p, const mcpw_source *source, const mcpw_struct *to);

/* ---- project_scalar.c ---- */

bool mcpw_project_string(mcpw_projector *p, const unsigned char *at, mcpw_ref to, unsigned char *out);
bool mcpw_project_scalar(mcpw_projector *p, const mcpw_source *source, mcpw_ref to, unsigned char *out);

/* ---- project_text.c ---- */

/* The JSON text of a value of the source. */
bool mcpw_project_text(mcpw_projector *p, const mcpw_source *source, mcpw_json *out);

/* Members as the text of an object. */
bool mcpw_project_object(mcpw_projector *p, const mcpw_members *members, mcpw_json *out);

/* A value of the target from JSON text. Text that does not fit is a misfit. */
bool mcpw_project_read(mcpw_projector *p, mcpw_json text, bool allow_unknown, mcpw_ref to,
                       unsigned char *out);

/* Whether the text is a value of the target's type, which stays text. */
bool mcpw_project_check(mcpw_projector *p, mcpw_json text, mcpw_ref to);

/* Whether a value that was made is what its type demands beyond what tables can say (residual.h). */
bool mcpw_project_meets(mcpw_projector *p, mcpw_ref to, const unsigned char *value);

/* Text for a member of the target that holds text: checked where it asks for more than the source did. */
bool mcpw_project_raw(mcpw_projector *p, const mcpw_source *source, mcpw_ref to, mcpw_json *out);

/* Values of kinds that have nothing to do with each other. */
bool mcpw_project_odd(mcpw_projector *p, const mcpw_source *source, mcpw_ref to, unsigned char *out);

/* The members of an object that is text. */
bool mcpw_project_members(mcpw_projector *p, const mcpw_source *source, mcpw_members *out);

#endif
