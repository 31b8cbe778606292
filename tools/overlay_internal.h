/* SPDX-License-Identifier: MIT */
/* Declarations that the files of overlay.h share. */
#ifndef MCPWIRE_OVERLAY_INTERNAL_H
#define MCPWIRE_OVERLAY_INTERNAL_H

#include "overlay.h"

/* A member that an extension adds to a method of the protocol. */
typedef struct overlay_member {
    mcpw_str method;
    bool is_result;
    const char *pointer; /* from the params or the result */
    mcpw_str value;      /* the required string; absent: any */
} overlay_member;

/* One overlay. */
typedef struct overlay {
    const char *name; /* as given */
    char *owned;      /* its text, if it came from a file */
    mcpw_json definitions;
    mcpw_json joins; /* the overlay that declares how the definitions join the revision; absent: none */
    const mcpw_revision *base;
    mcpw_arena arena; /* for the members */
    overlay_member *members;
    size_t member_count;
    char *capability; /* "extensions.NAME"; NULL: no extension, or its name is missing */
    bool is_extension;
    bool is_given;
} overlay;

/* A revision with its overlays. */
typedef struct edition {
    const mcpw_revision *base;
    bool replaces; /* an overlay is another state of the revision */
    bool tried;
    bool works;
    char *text; /* of the schema */
    protocol schema;
    overlay_method *methods; /* methods of the overlays */
    size_t method_count;
    bool plain_tried;
    bool plain_works;
    char *plain_text;
    protocol plain; /* without overlays */
} edition;

enum { OVERLAY_EDITIONS = 8, OVERLAY_ALL = OVERLAY_MOST + 8 };

struct overlays {
    overlay each[OVERLAY_ALL];
    size_t count;
    edition editions[OVERLAY_EDITIONS];
    size_t edition_count;
    bool strict;
    bool by_name;
};

/* Reads the overlays. False: the error was printed on stderr. */
bool overlay_read(overlays *all, const char *value);
bool overlay_read_own(overlays *all);
void overlay_free(overlay *one);

/* True if a message has a member of the overlay. part: its params or its result. */
bool overlay_has(const overlay *one, mcpw_str method, bool is_result, mcpw_json part);

/* The edition of a revision; NULL: it has no overlay. */
edition *overlay_edition(overlays *all, const mcpw_revision *revision);
/* The edition of a revision with its schema; NULL: it has none, or no memory. */
edition *overlay_opened(overlays *all, const mcpw_revision *revision, bool check);
/* The schema of its revision alone; NULL: no memory. */
protocol *overlay_plain(overlays *all, edition *e);

#endif
