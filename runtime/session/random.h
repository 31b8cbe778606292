/* SPDX-License-Identifier: MIT */
/* Unpredictable bytes. */
#ifndef MCPW_RANDOM_H
#define MCPW_RANDOM_H

#include <mcpw/base.h>
#include <mcpw/error.h>

/* Fills the bytes. MCPW_E_STATE where the library was built without libsodium, or that does not work. */
MCPW_NODISCARD mcpw_status mcpw_random(void *bytes, size_t len);

#endif
