/* SPDX-License-Identifier: MIT */
/* The list of a set of sockets. */
#include "os_set_list.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 8 };

/* The index of the first entry whose socket is not lower. */
static size_t place_of(const mcpw_os_list *list, mcpw_handle socket) {
    size_t low = 0;
    size_t high = list->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list->entries[middle].socket < socket) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

mcpw_os_entry *mcpw_os_list_find(const mcpw_os_list *list, mcpw_handle socket) {
    const size_t place = place_of(list, socket);
    return place < list->count && list->entries[place].socket == socket ? list->entries + place : NULL;
}

mcpw_os_entry *mcpw_os_list_add(mcpw_os_list *list, mcpw_handle socket) {
    const size_t place = place_of(list, socket);
    if (list->count == list->room) {
        const size_t room = list->room != 0 ? 2 * list->room : FIRST_ROOM;
        mcpw_os_entry *const more = realloc(list->entries, room * sizeof *more);
        if (more == NULL) {
            return NULL;
        }
        list->entries = more;
        list->room = room;
    }
    mcpw_os_entry *const entry = list->entries + place;
    memmove(entry + 1, entry, (list->count - place) * sizeof *entry);
    list->count++;
    *entry = (mcpw_os_entry){socket, 0, 0, false, 0};
    return entry;
}

void mcpw_os_list_remove(mcpw_os_list *list, mcpw_os_entry *entry) {
    list->count--;
    memmove(entry, entry + 1, (size_t)(list->entries + list->count - entry) * sizeof *entry);
}
