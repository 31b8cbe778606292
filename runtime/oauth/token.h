/* SPDX-License-Identifier: MIT */
/* The parts of a token request and its response that all grants share. */
#ifndef MCPW_OAUTH_TOKEN_H
#define MCPW_OAUTH_TOKEN_H

#include "states.h"

/* Begins the form of a token request. */
mcpw_oauth_form mcpw_oauth_begin_token_request(mcpw_oauth *oauth, const char *grant);
/* Adds the client's authentication and the proof, and orders the request. False: the login has failed. */
MCPW_NODISCARD bool mcpw_oauth_order_token(mcpw_oauth *oauth, mcpw_oauth_form *form, mcpw_oauth_order *order,
                                           mcpw_oauth_step *step);
/* Adds the client's authentication. False: the login has failed. */
MCPW_NODISCARD bool mcpw_oauth_authenticate(mcpw_oauth *oauth, mcpw_oauth_form *form);
/* Orders a POST of a form. False: the login has failed. */
MCPW_NODISCARD bool mcpw_oauth_post(mcpw_oauth *oauth, mcpw_str url, mcpw_oauth_form *form,
                                    mcpw_oauth_order *order, mcpw_oauth_step *step);
/* Whether the response requires the same request again, with its nonce; this is done once. Also true if the
 * login has failed for want of memory. */
MCPW_NODISCARD bool mcpw_oauth_repeats(mcpw_oauth *oauth, const mcpw_oauth_http_response *response);
/* Checks, holds and stores the token of a successful response. `refresh` is kept if the response has none. */
void mcpw_oauth_accept_token(mcpw_oauth *oauth, mcpw_str body, mcpw_str refresh);

#endif
