/* SPDX-License-Identifier: MIT */
/* Which kind of exchange a message opens, and what is wrong with it before a session sees it. */
#ifndef MCPW_BODY_H
#define MCPW_BODY_H

#include "core/exchange.h"

#include <mcpw/envelope.h>

/* What becomes of a message, by the table of eras. */
typedef enum mcpw_body_verdict {
    MCPW_BODY_ANSWERED, /* it was refused */
    MCPW_BODY_ALONE,    /* it stands for itself */
    MCPW_BODY_OPENS,    /* it opens a session */
    MCPW_BODY_IN_SESSION
} mcpw_body_verdict;

/* Checks the message in the body against the head, in the order that decides by which code it is answered.
 * For messages in sessions it finds only that they belong to one. *envelope is that of the body where the
 * verdict is MCPW_BODY_ALONE. */
MCPW_NODISCARD mcpw_body_verdict mcpw_exchange_check_body(mcpw_http_exchange *exchange,
                                                          mcpw_message_envelope *envelope);

#endif
