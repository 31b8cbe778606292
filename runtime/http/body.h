/* SPDX-License-Identifier: MIT */
/* Checks a message before a session receives it, and chooses the kind of its exchange. */
#ifndef MCPW_BODY_H
#define MCPW_BODY_H

#include "core/exchange.h"

#include <mcpw/envelope.h>

/* The fate of a message, by the table of eras. */
typedef enum mcpw_body_verdict {
    MCPW_BODY_ANSWERED, /* it was refused */
    MCPW_BODY_ALONE,    /* it is stateless */
    MCPW_BODY_OPENS,    /* it opens a session */
    MCPW_BODY_IN_SESSION,
    MCPW_BODY_BATCH /* of a session; its envelope was not read */
} mcpw_body_verdict;

/* Checks the message in the body against the head. The order of the checks decides the error code. For a
 * message of a session it checks only that it belongs to one. *envelope is set unless the verdict is
 * MCPW_BODY_ANSWERED or MCPW_BODY_BATCH. */
MCPW_NODISCARD mcpw_body_verdict mcpw_exchange_check_body(mcpw_http_exchange *exchange,
                                                          mcpw_message_envelope *envelope);

#endif
