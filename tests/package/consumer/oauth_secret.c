/* SPDX-License-Identifier: MIT */
/* A store in a keyring, which has no directory for its locks. */
#include <mcpw/oauth_secret.h>

#include <stdio.h>

int main(void) {
    mcpw_error error;
    mcpw_oauth_store *const store = mcpw_oauth_secret_new("/nonexistent/locks", &error);
    printf("%s\n", store != NULL ? "a store" : error.message);
    mcpw_oauth_secret_free(store);
    return 0;
}
