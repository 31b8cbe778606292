/* SPDX-License-Identifier: MIT */
/* The types of the port layer on Windows, without <windows.h>, whose macros have short names. */
#ifndef MCPW_OS_TYPES_WIN_H
#define MCPW_OS_TYPES_WIN_H

#include <mcpw/io.h>

enum { MCPW_OS_IN = 1, MCPW_OS_OUT = 4 };

typedef struct mcpw_os_stream {
    mcpw_handle handle;
    struct mcpw_os_transfer *transfer; /* NULL: it is only waited for */
    unsigned phase;                    /* of os_stream_win.c */
    unsigned taken;                    /* bytes of the piece that were read by the caller */
} mcpw_os_stream;

typedef struct mcpw_os_wakeup {
    mcpw_handle event;
} mcpw_os_wakeup;

typedef struct mcpw_os_process {
    int64_t pid;
    mcpw_handle process;
    mcpw_handle job; /* ends all of its processes when it is closed; 0: none */
    bool has_group;  /* Ctrl-Break can be sent to it alone */
} mcpw_os_process;

/* A SRWLOCK and a CONDITION_VARIABLE: each is a pointer, and zero at first. */
typedef struct mcpw_os_mutex {
    void *lock;
} mcpw_os_mutex;
typedef struct mcpw_os_condition {
    void *variable;
} mcpw_os_condition;

typedef struct mcpw_os_thread {
    mcpw_handle handle;
    void (*run)(void *user);
    void *user;
} mcpw_os_thread;

#endif
