/* SPDX-License-Identifier: MIT */
/* Keys of everything_client, by mcpwire::oauth_jose. */
#include "everything_login.h"

#include <mcpw/oauth_jose.h>

struct everything_keys *everything_keys_new(mcpw_str pem, mcpw_oauth_signer *signer, mcpw_error *error) {
    mcpw_oauth_key *key =
        pem.ptr != NULL ? mcpw_oauth_key_read(pem, "ES256", NULL, error) : mcpw_oauth_key_new(NULL, error);
    if (key != NULL && mcpw_oauth_key_signer(key, signer) != MCPW_OK) {
        mcpw_oauth_key_free(key);
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the key cannot sign");
        key = NULL;
    }
    return (struct everything_keys *)(void *)key;
}

void everything_keys_free(struct everything_keys *keys) {
    mcpw_oauth_key_free((mcpw_oauth_key *)(void *)keys);
}
