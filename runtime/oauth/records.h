/* SPDX-License-Identifier: MIT */
/* The records of a store: the login of a server, registrations, tokens. Each record repeats its issuer. A
 * record that does not fit its key is not used. */
#ifndef MCPW_OAUTH_RECORDS_H
#define MCPW_OAUTH_RECORDS_H

#include "oauth.h"

/* Reads the stored login of the server and its token, once. */
void mcpw_oauth_recall(mcpw_oauth *oauth);
/* Reads the token's record again. False: there is none, or it is the one that is held. */
bool mcpw_oauth_reload(mcpw_oauth *oauth);
/* Whether the token's record was removed, as by a logout in another program. */
bool mcpw_oauth_is_removed(mcpw_oauth *oauth);
/* Holds a token in the place of the last one, and stores it. False: no memory. */
MCPW_NODISCARD bool mcpw_oauth_hold(mcpw_oauth *oauth, const mcpw_oauth_json_stored_token *token);
/* Forgets the token; with_record also removes it from the store. */
void mcpw_oauth_drop(mcpw_oauth *oauth, bool with_record);
/* The key of the held token's record. Absent: no memory. */
mcpw_str mcpw_oauth_token_key(mcpw_oauth *oauth, mcpw_arena *arena);
/* Whether the token may be used at the time that is set. */
bool mcpw_oauth_is_fresh(const mcpw_oauth *oauth);

/* Reads the registration at the issuer into `flow`. False: there is none that may be used. */
bool mcpw_oauth_load_client(mcpw_oauth *oauth, mcpw_oauth_json_stored_client *client);
/* Stores a registration; NULL forgets it. */
void mcpw_oauth_save_client(mcpw_oauth *oauth, const mcpw_oauth_json_stored_client *client);

#endif
