/* SPDX-License-Identifier: MIT */
/* A page that shows the session while it runs, for browsers of this machine. Whoever knows its address may
 * read it: that has a secret in it. */
#ifndef MCPWIRE_TAP_WEB_H
#define MCPWIRE_TAP_WEB_H

#include "text.h"

#include <stdbool.h>
#include <stddef.h>

#define WEB_MOST_BYTES ((size_t)1 << 30) /* the default of what is kept for pages that open later */

typedef struct web_settings {
    bool wanted;
    const char *port; /* NULL: any */
    size_t max_bytes; /* kept in a temporary file; later objects are counted as lost */
} web_settings;

typedef struct web web;

/* Listens on 127.0.0.1, and says the address on standard error. NULL: the reason was printed. */
web *web_open(const web_settings *settings);

/* Sends an object of a trace to the pages. Any thread may call it; it waits for none of them. */
void web_event(web *w, const text *event);

/* Lets the pages read what is left for a second, and ends. NULL is allowed. */
void web_close(web *w);

#endif
