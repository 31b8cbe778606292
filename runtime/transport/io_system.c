/* SPDX-License-Identifier: MIT */
/* The system's errors and its clock, as the transport reports them. */
#include "transport_internal.h"

mcpw_status mcpw_io_failed(mcpw_error *error, int number, const char *what) {
    char reason[MCPW_ERROR_MESSAGE_SIZE];
    mcpw_os_error_text(number, reason, sizeof reason);
    mcpw_error_set(error, MCPW_E_IO, 0, "%s: %s", what, reason);
    return MCPW_E_IO;
}

uint64_t mcpw_io_now(void) { return mcpw_os_now(); }
