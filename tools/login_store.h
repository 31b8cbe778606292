/* SPDX-License-Identifier: MIT */
/*
 * Logins are stored between runs. The library stores tokens and registrations. The facts that the user gave
 * to mcpwire login are stored beside them, so that later runs need none of its options. Other programs of the
 * user that use the library's directory share the tokens.
 */
#ifndef MCPWIRE_LOGIN_STORE_H
#define MCPWIRE_LOGIN_STORE_H

#include <mcpw/oauth.h>

#include <stdbool.h>

/* The facts that a user gives; NULL and 0: not given. */
typedef struct login_facts {
    const char *issuer;
    const char *client_id;
    const char *client_secret;
    const char *client_metadata_url;
    const char *scopes;
    int64_t redirect_port;
} login_facts;

/* The kinds of stores for secrets. */
typedef enum login_store_kind {
    LOGIN_STORE_AS_BEFORE, /* the kind that the last login at this server chose; files if there was none */
    LOGIN_STORE_FILES,
    LOGIN_STORE_SECRET_SERVICE
} login_store_kind;

/* The open stores of one server's login. Initialise with zeros, then login_store_open, then
 * login_store_close. */
typedef struct login_store {
    const char *url;
    login_store_kind kind;   /* never LOGIN_STORE_AS_BEFORE */
    login_store_kind before; /* of the last login; files if there was none */
    mcpw_oauth_store *files; /* always open; it says which of the two has the login */
    mcpw_oauth_store *store; /* that has the login */
    mcpw_arena memory;       /* of the facts */
    login_facts facts;
    bool has_facts; /* there was a login */
} login_store;

/* Whether there is a directory of logins. */
bool login_store_exists(void);

/* Opens the stores for the server at a URL, and reads the facts. False: the error was printed. */
bool login_store_open(login_store *k, const char *url, login_store_kind kind);
/* Writes the facts of a login. False: the error was printed. */
bool login_store_write(login_store *k, const login_facts *facts);
/* Removes the facts. False: the error was printed. */
bool login_store_remove(login_store *k);
/* Removes the facts in the store alone; the files still say where they are. */
bool login_store_remove_secret(login_store *k);
void login_store_close(login_store *k);

/* A config of the library with the facts, whose one credential is `credential`. The redirect URI has no
 * listener. */
mcpw_oauth_config login_store_config(const login_store *k, mcpw_oauth_credential *credential);

/* The name of a kind in options and output. */
const char *login_store_name(login_store_kind kind);

/* ---- login_secret.c, login_secret_none.c --------------------------------------------------------------- */

/* The store in the user's keyring, whose locks are in the directory. NULL: error has the reason. */
mcpw_oauth_store *login_store_secret_new(const char *directory, mcpw_error *error);
void login_store_secret_free(mcpw_oauth_store *store);

#endif
