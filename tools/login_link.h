/* SPDX-License-Identifier: MIT */
/* A login that can reach its servers: that of the library, with the stored facts, and perhaps with a user. */
#ifndef MCPWIRE_LOGIN_LINK_H
#define MCPWIRE_LOGIN_LINK_H

#include "login_store.h"

#include <mcpw/http_login.h>

/* The way to the user. */
typedef enum login_way {
    LOGIN_NOBODY,  /* nobody is there, so a login that needs a user fails */
    LOGIN_BROWSER, /* the browser is opened */
    LOGIN_SHOW,    /* the URL is printed, and the user opens it on this machine */
    LOGIN_PASTE    /* the URL is printed, and the user pastes the redirect's URL */
} login_way;

/* Initialise with zeros, then login_open, then login_close. */
typedef struct login_link {
    login_store *store;
    mcpw_http_login *login; /* NULL: none */
    login_way way;
    bool was_asked; /* a user was needed */
} login_link;

/* Makes the login from the stored facts; the store must stay open. False: the error was printed. */
bool login_open(login_link *l, login_store *store, login_way way, const char *ca_file);
void login_close(login_link *l);

#endif
