/* SPDX-License-Identifier: MIT */
/* The texts that a key signs: proofs that a request comes from its owner (RFC 9449), assertions of clients
 * (RFC 7523).
 */
#ifndef MCPW_OAUTH_PROOF_H
#define MCPW_OAUTH_PROOF_H

#include "oauth.h"

/* Whether a signer can be used: it signs by an asymmetric algorithm, and has a public key if that is needed.
 * Otherwise the reason. */
const char *mcpw_oauth_signer_refusal(const mcpw_oauth_signer *signer, bool needs_key, mcpw_arena *scratch);
/* The proof for a request, with a token that goes along (absent: none). Absent: `error` says why. */
mcpw_str mcpw_oauth_proof(mcpw_oauth *oauth, mcpw_arena *arena, const char *method, const mcpw_oauth_url *url,
                          mcpw_str token, mcpw_error *error);
/* The assertion of a client for an issuer. Absent: `error` says why. */
mcpw_str mcpw_oauth_assertion(mcpw_oauth *oauth, mcpw_arena *arena, mcpw_str client_id, mcpw_str issuer,
                              mcpw_error *error);
/* Keeps the nonce that an origin has sent. False: it is no nonce, or the one that is known. */
bool mcpw_oauth_keep_nonce(mcpw_oauth *oauth, const mcpw_oauth_url *url, mcpw_str nonce);

#endif
