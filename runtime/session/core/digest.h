/* SPDX-License-Identifier: MIT */
/* A digest of JSON. */
#ifndef MCPW_DIGEST_H
#define MCPW_DIGEST_H

#include "core.h"

enum { MCPW_DIGEST_SIZE = 32 };
/* A digest of a value that does not depend on how its text is written, nor on the members of the outermost
 * object that `except` names; its last is NULL. */
MCPW_NODISCARD mcpw_status mcpw_json_digest(mcpw_json value, const char *const *except, mcpw_arena *arena,
                                            unsigned char out[MCPW_DIGEST_SIZE]);

#endif
