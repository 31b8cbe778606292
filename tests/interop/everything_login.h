/* SPDX-License-Identifier: MIT */
/* The logins of everything_client. */
#ifndef MCPWIRE_INTEROP_EVERYTHING_LOGIN_H
#define MCPWIRE_INTEROP_EVERYTHING_LOGIN_H

#include <mcpw/http_connect.h>
#include <mcpw/oauth.h>

/* A login and the things that it needs. */
typedef struct everything_login {
    mcpw_http_login *login;
    struct everything_keys *keys;
    mcpw_arena arena;
} everything_login;

/* Makes the login that a scenario of the suite asks for. NULL login: it needs none. */
MCPW_NODISCARD mcpw_status everything_login_begin(everything_login *self, const char *url,
                                                  const char *scenario, mcpw_error *error);
void everything_login_end(everything_login *self);

/* ---- everything_keys.c, everything_keys_none.c ---- */

/* A key of the client: that of a PEM, or a new one if it is absent. NULL: there is none, and the error says
 * why. */
struct everything_keys *everything_keys_new(mcpw_str pem, mcpw_oauth_signer *signer, mcpw_error *error);
void everything_keys_free(struct everything_keys *keys);

#endif
