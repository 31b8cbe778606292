/* SPDX-License-Identifier: MIT */
/* Makes a key and names it. */
#include <mcpw/oauth_jose.h>

#include <stdio.h>

int main(void) {
    mcpw_error error = {MCPW_OK, 0, "", ""};
    mcpw_oauth_key *key = mcpw_oauth_key_new(NULL, &error);
    printf("a key of %zu characters\n", mcpw_oauth_key_thumbprint(key).len);
    mcpw_oauth_key_free(key);
    return 0;
}
