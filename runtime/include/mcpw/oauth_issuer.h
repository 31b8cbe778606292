/* SPDX-License-Identifier: MIT */
/*
 * A verifier for <mcpw/http_protect.h> that reaches the issuer of access tokens by libcurl. It makes the
 * requests of <mcpw/oauth_verifier.h>:
 *
 *     mcpw_oauth_verifier_config config = MCPW_OAUTH_VERIFIER_CONFIG_INIT;
 *     mcpw_oauth_issuer_options options = MCPW_OAUTH_ISSUER_OPTIONS_INIT;
 *     config.issuer = "https://login.example.com";
 *     options.verifier = &config;
 *     issuer = mcpw_oauth_issuer_new(&options, &error);
 *     protect.verifier = mcpw_oauth_issuer_verifier(issuer);
 *
 * The server's thread never blocks on the issuer. One descriptor contains all sockets to the issuer, and the
 * loop of <mcpw/http_serve.h> watches it beside its connections. Redirects are not followed.
 *
 * This is a library of its own (mcpwire::oauth_issuer), for POSIX.
 *
 * Threads: an object belongs to the thread of the server.
 */
#ifndef MCPW_OAUTH_ISSUER_H
#define MCPW_OAUTH_ISSUER_H

#include <mcpw/oauth_verifier.h>

MCPW_BEGIN_DECLS

/* An issuer. */
typedef struct mcpw_oauth_issuer mcpw_oauth_issuer;

/* Options of an issuer. Texts are copied. Initialise with MCPW_OAUTH_ISSUER_OPTIONS_INIT. */
typedef struct mcpw_oauth_issuer_options {
    size_t struct_size; /* set by MCPW_OAUTH_ISSUER_OPTIONS_INIT */
    /* Required: how tokens are verified. The library sets `judged` itself. It calls on_warning with user. */
    const mcpw_oauth_verifier_config *verifier;
    const char *ca_file; /* file of trusted certificates (PEM); NULL: those of the system */
    bool dpop_required;  /* tokens sent as Bearer are refused; requires `dpop` of the verifier */
} mcpw_oauth_issuer_options;

/* Everything at its default. */
#define MCPW_OAUTH_ISSUER_OPTIONS_INIT MCPW_SIZED(mcpw_oauth_issuer_options)

/* Makes an issuer. Free it with mcpw_oauth_issuer_free. Nothing is requested before the first token comes.
 * NULL, with error filled in, if the options are not usable, or memory runs out. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_oauth_issuer *
mcpw_oauth_issuer_new(const mcpw_oauth_issuer_options *options, mcpw_error *error);
/* Frees an issuer. Free the server that it verifies for first. Does nothing for NULL. */
MCPW_STATIC_API void mcpw_oauth_issuer_free(mcpw_oauth_issuer *issuer);
/* The verifier for mcpw_http_protect. It lives as long as the issuer. */
MCPW_STATIC_API const mcpw_http_verifier *mcpw_oauth_issuer_verifier(const mcpw_oauth_issuer *issuer);

MCPW_END_DECLS

#endif
