/* SPDX-License-Identifier: MIT */
/* Challenges of servers that accept several schemes. This is not part of the API and may change in any
 * version. */
#ifndef MCPW_DETAIL_CHALLENGE_H
#define MCPW_DETAIL_CHALLENGE_H

#include <mcpw/http_client.h>

MCPW_BEGIN_DECLS

/* Reads the first challenge of one scheme from the value of WWW-Authenticate, as mcpw_http_challenge_read
 * does. MCPW_E_NOT_FOUND: there is none of this scheme. */
MCPW_NODISCARD MCPW_SESSION_API mcpw_status mcpw_http_challenge_find(mcpw_str value, mcpw_str scheme,
                                                                     mcpw_arena *arena,
                                                                     mcpw_http_challenge *challenge);

MCPW_END_DECLS

#endif
