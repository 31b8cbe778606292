/* SPDX-License-Identifier: MIT */
/* Stands between clients and a server over HTTP. */
#ifndef MCPWIRE_TAP_PROXY_H
#define MCPWIRE_TAP_PROXY_H

#include "tap_conversation.h"

typedef struct proxy_settings {
    const char *listen;  /* "[ADDRESS:]PORT" */
    const char *url;     /* of the server's one place */
    const char *ca_file; /* certificates that are trusted; NULL: the system's */
    size_t max_bytes;    /* the longest message that is looked at */
} proxy_settings;

/* Passes on what clients and the server say until a signal asks for the end, and has conversations hear it.
 * flush is called now and then, and whenever something was heard, by one thread at a time. An exit status. */
int proxy_run(const proxy_settings *settings, conversations *all, void (*flush)(void *user), void *user);

#endif
