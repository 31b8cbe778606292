/* SPDX-License-Identifier: MIT */
/*
 * Overlays: extensions, drafts and definitions on top of revisions (schema/overlays/). Those of mcpwire are
 * part of the command, others are read from files. All overlays of a revision are merged into its schema,
 * which is compiled when a message needs it.
 *
 * The tables of its revision check a message. The schema with the overlays checks it instead in three cases:
 * its method belongs to an overlay, it has a member of an extension, or it is valid only because of them. An
 * overlay that is another state of the revision, not an extension, checks all messages of that revision.
 */
#ifndef MCPWIRE_OVERLAY_H
#define MCPWIRE_OVERLAY_H

#include "options.h"
#include "protocol.h"
#include "side.h"
#include "text.h"

#include <mcpw/message.h>

#include <stdbool.h>
#include <stddef.h>

enum {
    OVERLAY_METHODS = 1 << 16, /* the method numbers of overlays are above this one */
    OVERLAY_MOST = 16          /* the maximum number of --overlay options */
};

typedef struct overlays overlays;

/* The overlay options of a command. */
typedef struct overlay_settings {
    const char *given[OVERLAY_MOST]; /* the values of --overlay: names of own overlays, or files */
    size_t count;
    bool with_own; /* add the extensions of mcpwire */
    bool by_name;  /* for values of definitions, not for messages, whose results are selected by resultType */
    bool strict;   /* formats are asserted */
} overlay_settings;

/* A method of an overlay. */
typedef struct overlay_method {
    mcpw_str name;
    int number;
    bool by_client; /* sides that send it */
    bool by_server;
    const char *capability; /* the capability that declares its extension; NULL: no extension */
} overlay_method;

/* The use of an extension in a message. */
typedef struct overlay_use {
    const char *capability;
    const char *pointer; /* from the message's root */
    bool is_any;         /* this extension or that of another such use: the message does not show which */
} overlay_use;

/* Adds a value of --overlay (option_taker); there may be too many. */
bool overlay_take(void *to, const option *entry, const char *value);

/* Opens the overlays. NULL: the error was printed on stderr. overlays_free accepts NULL. */
overlays *overlays_open(const overlay_settings *set);
void overlays_free(overlays *all);

/* Appends the names of the overlays in the command, with the separator between them. */
void overlays_list_names(text *out, const char *separator);

/* A method of an overlay of a revision, by name or number; NULL: there is none. all may be NULL. */
const overlay_method *overlays_find(overlays *all, const mcpw_revision *revision, mcpw_str name);
const overlay_method *overlays_at(overlays *all, const mcpw_revision *revision, int number);

/* The schema of a revision with the only given overlay; NULL: the error was printed on stderr. */
protocol *overlays_schema(overlays *all, const mcpw_revision **revision);

/* Like mcpw_message_validate, with the overlays. *by_overlay: the message is valid because of them, and
 * invalid by the revision alone. */
MCPW_NODISCARD mcpw_status overlays_validate(overlays *all, const mcpw_revision *revision, mcpw_json message,
                                             mcpw_arena *scratch, mcpw_resolve resolve, void *user,
                                             mcpw_envelope *found, const mcpw_options *options,
                                             mcpw_error *error, bool *by_overlay);

/* Iterates over the uses of extensions in a message; false: there are no more. part: its params or its
 * result. *at begins with 0. by_overlay: from overlays_validate. */
bool overlays_next_use(overlays *all, const mcpw_revision *revision, mcpw_str method, bool is_result,
                       mcpw_json part, bool by_overlay, size_t *at, overlay_use *out);

#endif
