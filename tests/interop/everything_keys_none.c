/* SPDX-License-Identifier: MIT */
/* In place of everything_keys.c in a build without mcpwire::oauth_jose. */
#include "everything_login.h"

struct everything_keys *everything_keys_new(mcpw_str pem, mcpw_oauth_signer *signer, mcpw_error *error) {
    (void)pem, (void)signer;
    mcpw_error_set(error, MCPW_E_STATE, 0, "this build has no keys");
    return NULL;
}

void everything_keys_free(struct everything_keys *keys) { (void)keys; }
