/* SPDX-License-Identifier: MIT */
/* Makes a verifier that has asked nobody yet. */
#include <mcpw/oauth_issuer.h>

#include <stdio.h>

int main(void) {
    mcpw_error error = {MCPW_OK, 0, "", ""};
    mcpw_oauth_verifier_config config = MCPW_OAUTH_VERIFIER_CONFIG_INIT;
    mcpw_oauth_issuer_options options = MCPW_OAUTH_ISSUER_OPTIONS_INIT;
    mcpw_oauth_issuer *issuer;
    config.issuer = "https://login.example.com";
    options.verifier = &config;
    issuer = mcpw_oauth_issuer_new(&options, &error);
    printf("%s\n", mcpw_oauth_issuer_verifier(issuer) != NULL ? "a verifier" : error.message);
    mcpw_oauth_issuer_free(issuer);
    return 0;
}
