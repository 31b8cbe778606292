/* SPDX-License-Identifier: MIT */
/* libcurl's multi interface, whose sockets are in a set. The owner of the set waits for it and for the
 * deadline. */
#ifndef MCPW_CURL_LOOP_H
#define MCPW_CURL_LOOP_H

#include "os_set.h"

#include <mcpw/arena.h>

#include <curl/curl.h>

/* The requests of one owner. */
typedef struct mcpw_curl_loop {
    CURLM *multi;
    mcpw_os_set *set; /* the owner's; who is the socket */
    uint64_t due;     /* in ms of mcpw_io_now: when mcpw_curl_loop_tick must be called; UINT64_MAX: never */
} mcpw_curl_loop;

/* Opens it; its address must not change until it is closed. False: libcurl cannot be used; close it then as
 * well. */
MCPW_NODISCARD bool mcpw_curl_loop_open(mcpw_curl_loop *loop, mcpw_os_set *set);
/* Frees libcurl's part, after all its requests. */
void mcpw_curl_loop_close(mcpw_curl_loop *loop);
/* When the owner has to take from the set and to call mcpw_curl_loop_tick at the latest; UINT64_MAX: never.
 */
uint64_t mcpw_curl_loop_due(const mcpw_curl_loop *loop);
/* Passes on the events of a socket of libcurl. */
void mcpw_curl_loop_ready(const mcpw_curl_loop *loop, const mcpw_os_ready *ready);
/* Lets libcurl process its timeouts if they are due. */
void mcpw_curl_loop_tick(mcpw_curl_loop *loop);
/* The next request that has ended, and its result; NULL: none. */
CURL *mcpw_curl_loop_ended(const mcpw_curl_loop *loop, CURLcode *result);

#endif
