/* SPDX-License-Identifier: MIT */
/* Memory of secrets, which is wiped when it is no longer needed. */
#ifndef MCPWIRE_LOGIN_WIPE_H
#define MCPWIRE_LOGIN_WIPE_H

#include <mcpw/arena.h>

/* Wipes bytes, though nobody reads them again. */
void login_wipe(void *bytes, size_t size);

/* Memory that is wiped before it is freed. */
mcpw_allocator login_wiping(void);

#endif
