/* SPDX-License-Identifier: MIT */
#include "login_store.h"

mcpw_oauth_store *login_store_secret_new(const char *directory, mcpw_error *error) {
    (void)directory;
    (void)mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                         "this mcpwire was built without libsecret; use --store files");
    return NULL;
}

void login_store_secret_free(mcpw_oauth_store *store) { (void)store; }
