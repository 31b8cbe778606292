/* SPDX-License-Identifier: MIT */
/* Which kind of exchange a message opens, and what is wrong with it before a session sees it. */
#ifndef MCPW_BODY_H
#define MCPW_BODY_H

#include "core/exchange.h"

/* What becomes of a message, by the table of eras. */
typedef enum mcpw_body_verdict {
    MCPW_BODY_ANSWERED, /* it was refused */
    MCPW_BODY_ALONE,    /* it stands for itself */
    MCPW_BODY_OPENS,    /* it opens a session */
    MCPW_BODY_IN_SESSION
} mcpw_body_verdict;

/* Checks the message in the body against the head, in the order that decides by which code it is answered. Of
 * messages in sessions it finds no more than that they are such. */
MCPW_NODISCARD mcpw_body_verdict mcpw_exchange_check_body(mcpw_http_exchange *exchange);

#endif
