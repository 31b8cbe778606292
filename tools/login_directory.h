/* SPDX-License-Identifier: MIT */
/* The directory of logins, which the library's login uses, too: login_directory_posix.c or
 * login_directory_win.c. */
#ifndef MCPWIRE_LOGIN_DIRECTORY_H
#define MCPWIRE_LOGIN_DIRECTORY_H

#include <stdbool.h>

enum { LOGIN_DIRECTORY_SIZE = 4096 /* bytes, the NUL included */ };

/* Writes its path, and makes the directories above it. False: the error was printed. */
bool login_directory_find(char out[LOGIN_DIRECTORY_SIZE]);

#endif
