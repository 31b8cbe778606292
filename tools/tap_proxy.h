/* SPDX-License-Identifier: MIT */
/* Relays between clients and a server over HTTP. */
#ifndef MCPWIRE_TAP_PROXY_H
#define MCPWIRE_TAP_PROXY_H

#include "tap_conversation.h"

typedef struct proxy_settings {
    const char *listen;  /* "[ADDRESS:]PORT" */
    const char *url;     /* of the server's endpoint */
    const char *ca_file; /* trusted certificates; NULL: the system's */
    bool rewrites;       /* clients see the proxy as the protected resource */
    size_t max_bytes;    /* the longest message that is checked */
} proxy_settings;

/* Relays until a signal arrives, and passes the messages to the conversations. One thread at a time calls
 * flush, regularly and after each message. Returns an exit status. */
int proxy_run(const proxy_settings *settings, conversations *all, void (*flush)(void *user), void *user);

#endif
