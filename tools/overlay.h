/* SPDX-License-Identifier: MIT */
/*
 * Overlays: extensions, drafts and definitions that lie on top of revisions (schema/overlays/). Those of
 * mcpwire are a part of the command, others are read from files. All overlays of a revision are merged into
 * its schema, which is compiled when a message needs it.
 *
 * A message is judged by the tables of its revision. The schema with the overlays judges it instead where its
 * method is one that they bring, where it has a member of an extension, and where it is valid only because of
 * them. An overlay that is no extension but another state of the revision judges all messages of that
 * revision.
 */
#ifndef MCPWIRE_OVERLAY_H
#define MCPWIRE_OVERLAY_H

#include "protocol.h"
#include "side.h"

#include <mcpw/message.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum {
    OVERLAY_METHODS = 1 << 16, /* numbers of methods that overlays bring are above this one */
    OVERLAY_MOST = 16          /* that one command may be given */
};

typedef struct overlays overlays;

/* The settings of the command. */
typedef struct overlay_settings {
    const char *given[OVERLAY_MOST]; /* of --overlay: names of those of mcpwire, or files */
    size_t count;
    bool with_own; /* the extensions of mcpwire besides */
    bool by_name;  /* for values of definitions, not for messages, whose results are selected by resultType */
    bool strict;   /* formats are asserted */
} overlay_settings;

/* A method that an overlay brings. */
typedef struct overlay_method {
    mcpw_str name;
    int number;
    bool by_client; /* sides that send it */
    bool by_server;
    const char *capability; /* that declares its extension; NULL: it is of none */
} overlay_method;

/* Something of an extension in a message. */
typedef struct overlay_use {
    const char *capability;
    const char *pointer; /* to it, from the message's root */
    bool is_any;         /* it is this extension's or that of another such use: the message shows no more */
} overlay_use;

/* One more of --overlay. False: said on stderr that these are too many. */
bool overlay_add(overlay_settings *set, const char *value);

/* NULL: said on stderr why not. overlays_free takes NULL. */
overlays *overlays_open(const overlay_settings *set);
void overlays_free(overlays *all);

/* The names of those that are a part of the command, with the separator between them. */
void overlays_print_names(FILE *out, const char *separator);

/* A method that overlays bring to a revision, by name or number; NULL: there is none. all may be NULL. */
const overlay_method *overlays_find(overlays *all, const mcpw_revision *revision, mcpw_str name);
const overlay_method *overlays_at(overlays *all, const mcpw_revision *revision, int number);

/* The schema of a revision with the only overlay that was given; NULL: said on stderr why not. */
protocol *overlays_schema(overlays *all, const mcpw_revision **revision);

/* As mcpw_message_validate, with the overlays. *by_overlay: the message is valid because of them, and the
 * revision alone refuses it. */
MCPW_NODISCARD mcpw_status overlays_validate(overlays *all, const mcpw_revision *revision, mcpw_json message,
                                             mcpw_arena *scratch, mcpw_resolve resolve, void *user,
                                             mcpw_envelope *found, const mcpw_options *options,
                                             mcpw_error *error, bool *by_overlay);

/* The uses of extensions in a message, one after the other: false behind the last. part: its params or its
 * result. *at begins with 0. by_overlay: as above. */
bool overlays_next_use(overlays *all, const mcpw_revision *revision, mcpw_str method, bool is_result,
                       mcpw_json part, bool by_overlay, size_t *at, overlay_use *out);

#endif
