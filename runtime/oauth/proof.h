/* SPDX-License-Identifier: MIT */
/* The JWTs that a key signs: DPoP proofs (RFC 9449) and client assertions (RFC 7523). */
#ifndef MCPW_OAUTH_PROOF_H
#define MCPW_OAUTH_PROOF_H

#include "oauth.h"

/* The reason why a signer cannot be used: no asymmetric algorithm, or no public key if that is needed. NULL:
 * it can be used. */
const char *mcpw_oauth_signer_refusal(const mcpw_oauth_signer *signer, bool needs_key, mcpw_arena *scratch);
/* The DPoP proof of a request with a token (absent: none). Absent: `error` says why. */
mcpw_str mcpw_oauth_proof(mcpw_oauth *oauth, mcpw_arena *arena, const char *method, const mcpw_oauth_url *url,
                          mcpw_str token, mcpw_error *error);
/* The assertion of a client for an issuer. Absent: `error` says why. */
mcpw_str mcpw_oauth_assertion(const mcpw_oauth_signer *signer, uint64_t now, mcpw_arena *arena,
                              mcpw_str client_id, mcpw_str issuer, mcpw_error *error);
/* Keeps the nonce that an origin has sent. False: it is no nonce, or is known already. */
bool mcpw_oauth_keep_nonce(mcpw_oauth *oauth, const mcpw_oauth_url *url, mcpw_str nonce);

#endif
