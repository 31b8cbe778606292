/* SPDX-License-Identifier: MIT */
/* Sets of sockets that are lists: those of poll() and of Windows. A loop that owns such a set can wait for
 * other handles as well. */
#ifndef MCPW_OS_SET_LIST_H
#define MCPW_OS_SET_LIST_H

#include "os_set.h"

/* ---- os_set_list.c: the list --------------------------------------------------------------------------- */

typedef struct mcpw_os_entry {
    mcpw_handle socket;
    uintptr_t who;
    unsigned events;
    bool is_stale;  /* not put since mcpw_os_set_renew */
    unsigned known; /* of os_set_win.c */
} mcpw_os_entry;

/* Entries in the order of their sockets. */
typedef struct mcpw_os_list {
    mcpw_os_entry *entries;
    size_t count;
    size_t room;
} mcpw_os_list;

/* The entry of a socket; NULL: none. */
mcpw_os_entry *mcpw_os_list_find(const mcpw_os_list *list, mcpw_handle socket);
/* Adds an entry for a socket that has none; NULL: no memory. */
mcpw_os_entry *mcpw_os_list_add(mcpw_os_list *list, mcpw_handle socket);
void mcpw_os_list_remove(mcpw_os_list *list, mcpw_os_entry *entry);

/* ---- os_set_poll.c, os_set_win.c ------------------------------------------------------------------------
 */

/* mcpw_os_set_take that also waits for other handles, and sets their revents. Nothing may wait for the set's
 * handle. */
size_t mcpw_os_set_take_beside(mcpw_os_set *set, mcpw_os_ready *ready, size_t most, mcpw_pollfd *others,
                               size_t count, int timeout);
/* The number of sockets. */
size_t mcpw_os_set_count(const mcpw_os_set *set);
/* Between the two calls all sockets are put that shall stay; the others are removed. */
void mcpw_os_set_renew(mcpw_os_set *set);
void mcpw_os_set_renewed(mcpw_os_set *set);

#endif
