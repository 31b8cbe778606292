/* SPDX-License-Identifier: MIT */
/*
 * Files and folders of Windows that only their owner can use. A mode of POSIX such as 0600 has no meaning
 * there: an access control list says who may do what. Paths are UTF-8. Functions that fail leave the reason
 * to GetLastError().
 */
#ifndef MCPW_DETAIL_PRIVATE_FILE_H
#define MCPW_DETAIL_PRIVATE_FILE_H

#include <mcpw/base.h>

#ifdef _WIN32

MCPW_BEGIN_DECLS

/* How a file is opened. Without any of them it is there, and is read. */
enum {
    MCPW_PRIVATE_WRITE = 1,  /* also for writing */
    MCPW_PRIVATE_MAKE = 2,   /* it is made if it is not there */
    MCPW_PRIVATE_NEW = 4,    /* with MAKE: it must not be there */
    MCPW_PRIVATE_ALONE = 8,  /* nobody else may open it meanwhile (ERROR_SHARING_VIOLATION) */
    MCPW_PRIVATE_REMOVE = 16 /* it is removed when the handle is closed */
};

/* Opens a file, which the caller closes by CloseHandle(). A file that is made belongs to the user, and its
 * list lets nobody else use it. A link is not followed: its handle is that of the link. -1: it cannot be
 * opened. */
MCPW_NODISCARD MCPW_STATIC_API intptr_t mcpw_private_open(const char *path, unsigned how);
/* Makes a folder of that kind, unless there is something of that name. False: it cannot be made. */
MCPW_NODISCARD MCPW_STATIC_API bool mcpw_private_folder(const char *path);
/* Whether a file or folder belongs to the user, and its list lets nobody else use it. The system and its
 * administrators may be in the list: they reach each file anyway. False as well for a link. */
MCPW_NODISCARD MCPW_STATIC_API bool mcpw_private_is(intptr_t file);
/* Whether a file belongs to the user, whatever its list says. */
MCPW_NODISCARD MCPW_STATIC_API bool mcpw_private_is_mine(intptr_t file);
/* Gives a file that was opened with MCPW_PRIVATE_WRITE a list that lets nobody else use it. */
MCPW_NODISCARD MCPW_STATIC_API bool mcpw_private_close_to_others(intptr_t file);

MCPW_END_DECLS

#endif

#endif
