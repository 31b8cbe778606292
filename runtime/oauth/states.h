/* SPDX-License-Identifier: MIT */
/* The states of a login. An action either fills in an order and returns a step, or changes the state and
 * returns false. A receiver gets the response to the request of the action. */
#ifndef MCPW_OAUTH_STATES_H
#define MCPW_OAUTH_STATES_H

#include "oauth.h"

typedef bool mcpw_oauth_act(mcpw_oauth *oauth, mcpw_oauth_order *order, mcpw_oauth_step *step);
typedef void mcpw_oauth_take(mcpw_oauth *oauth, const mcpw_oauth_http_response *response);

/* discover.c: metadata of the resource and of its authorization server */
mcpw_oauth_act mcpw_oauth_ask_resource;
mcpw_oauth_take mcpw_oauth_take_resource;
mcpw_oauth_act mcpw_oauth_ask_server;
mcpw_oauth_take mcpw_oauth_take_server;
/* Whether a response was a redirect of metadata, which is followed or has ended the login. */
MCPW_NODISCARD bool mcpw_oauth_follow(mcpw_oauth *oauth, const mcpw_oauth_http_response *response,
                                      const char *document);

/* client.c: the client id at the issuer */
mcpw_oauth_act mcpw_oauth_choose_client;
mcpw_oauth_act mcpw_oauth_register;
mcpw_oauth_take mcpw_oauth_take_registration;

/* authorize.c: the authorization request and the redirect */
mcpw_oauth_act mcpw_oauth_authorize;
/* Takes the query of the redirect. */
MCPW_NODISCARD mcpw_status mcpw_oauth_take_redirect(mcpw_oauth *oauth, mcpw_str query, mcpw_error *error);

/* token.c: requests to token endpoints */
mcpw_oauth_act mcpw_oauth_exchange;
mcpw_oauth_act mcpw_oauth_ask_grant;
mcpw_oauth_act mcpw_oauth_ask_provider;
mcpw_oauth_act mcpw_oauth_ask_refresh;
mcpw_oauth_take mcpw_oauth_take_token;
mcpw_oauth_take mcpw_oauth_take_provider;

/* revoke.c: the end of a logout */
mcpw_oauth_act mcpw_oauth_ask_revocation;
mcpw_oauth_take mcpw_oauth_take_revocation;

/* token.c: the lock around renewing */
mcpw_oauth_act mcpw_oauth_take_lock;
mcpw_oauth_take mcpw_oauth_take_refresh;

#endif
