/* SPDX-License-Identifier: MIT */
/* In place of everything_login.c in a build without mcpwire::http_login. */
#include "everything_login.h"

mcpw_status everything_login_begin(everything_login *self, const char *url, const char *scenario,
                                   mcpw_error *error) {
    (void)url, (void)error;
    *self = (everything_login){.arena = MCPW_ARENA_INIT};
    return scenario != NULL && strncmp(scenario, "auth/", sizeof "auth/" - 1) == 0 ? MCPW_E_STATE : MCPW_OK;
}

void everything_login_end(everything_login *self) { mcpw_arena_free(&self->arena); }
