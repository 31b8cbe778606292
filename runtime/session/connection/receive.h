/* SPDX-License-Identifier: MIT */
/* connection/: a session as a whole: it is opened, takes messages in, relays, and is closed. */
/* Messages on their way in. */
#ifndef MCPW_RECEIVE_H
#define MCPW_RECEIVE_H

#include "../calls/received.h"

/* Handles a message, or a batch of them. envelope is that of the text, or NULL; context is the
 * transport's own, or NULL. MCPW_E_MEMORY: the message
 * was lost, and its context was not taken. The text is in use while this runs, and session->feeding says so.
 */
MCPW_NODISCARD mcpw_status mcpw_receive(mcpw_session *session, mcpw_str text,
                                        const mcpw_message_envelope *envelope, void *context);
/* The same for a message that was longer than it may be, and so was not kept. */
MCPW_NODISCARD mcpw_status mcpw_receive_long(mcpw_session *session, void *context);

/* Whether a notification may come now. One that may not is reported. */
bool mcpw_receive_admits(mcpw_session *session, mcpw_request *transport);
/* Applies a notification to the session, and calls its slot. */
void mcpw_receive_handle(mcpw_session *session, mcpw_request *transport);

#endif
