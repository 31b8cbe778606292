/* SPDX-License-Identifier: MIT */
/* The login that a call at a URL uses. */
#ifndef MCPWIRE_CALL_LOGIN_H
#define MCPWIRE_CALL_LOGIN_H

#include <stdbool.h>

typedef struct call_login call_login;
struct mcpw_http_login;

/* Whether this build can log in. */
bool call_login_works(void);

/* The login at a server. has_user: somebody can log in. only_kept: only a stored login counts. NULL: there is
 * none, or an error was printed. */
call_login *call_login_open(const char *url, const char *ca_file, bool has_user, bool only_kept);
/* The part that a client needs; NULL: none. */
struct mcpw_http_login *call_login_of(call_login *login);
/* Whether a user was needed, and nobody was there. */
bool call_login_lacks_user(const call_login *login);
/* Frees it, after its client. Does nothing for NULL. */
void call_login_close(call_login *login);

#endif
