/* SPDX-License-Identifier: MIT */
#include "login_store.h"

#include <mcpw/oauth_secret.h>

mcpw_oauth_store *login_store_secret_new(const char *directory, mcpw_error *error) {
    return mcpw_oauth_secret_new(directory, error);
}

void login_store_secret_free(mcpw_oauth_store *store) { mcpw_oauth_secret_free(store); }
