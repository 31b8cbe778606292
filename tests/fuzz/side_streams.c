/* SPDX-License-Identifier: MIT */
/* Messages that are given and taken one by one, each with the context that it belongs to. */
#include "side.h"

static side_context *free_context(side *s) {
    for (size_t i = 0; i < SIDE_CONTEXTS; i++) {
        if (s->contexts[i] == SIDE_FREE) {
            return s->contexts + i;
        }
    }
    return NULL;
}

void side_receive(side *s, const char *text, size_t len) {
    side_context *const context = free_context(s);
    char *const copy = fuzz_copy(text, len);
    if (context != NULL) {
        *context = SIDE_GIVEN; /* it may be heard of from inside */
    }
    const mcpw_status status = mcpw_session_receive(s->session, copy, len, context);
    free(copy);
    FUZZ_ASSERT(status == MCPW_OK || status == MCPW_E_FULL || status == MCPW_E_CLOSED);
    FUZZ_ASSERT(status == MCPW_OK || !mcpw_session_wants_input(s->session));
    if (status != MCPW_OK && context != NULL) {
        FUZZ_ASSERT(*context == SIDE_GIVEN);
        *context = SIDE_FREE;
    }
}

/* It was given, did not come back yet, and nobody has given it up. */
static void check_context(side *s, const mcpw_outgoing *message) {
    side_context *const context = message->context;
    if (context == NULL) {
        return;
    }
    FUZZ_ASSERT(context >= s->contexts && context < s->contexts + SIDE_CONTEXTS);
    FUZZ_ASSERT(*context == SIDE_GIVEN);
    if (message->is_last) {
        *context = SIDE_FREE;
    }
}

bool side_take(side *s, side *to, unsigned most) {
    mcpw_outgoing message;
    unsigned count = 0;
    while (count < most && mcpw_session_next_message(s->session, &message)) {
        count++;
        check_context(s, &message);
        FUZZ_ASSERT((message.kind == MCPW_MESSAGE_NONE) == (message.text.ptr == NULL));
        if (message.text.ptr == NULL) {
            FUZZ_ASSERT(message.context != NULL && message.is_last);
            continue;
        }
        FUZZ_ASSERT(message.text.ptr[message.text.len] == '\0');
        FUZZ_ASSERT(fuzz_is_one_line(message.text.ptr, message.text.len));
        side_check(s, message.text.ptr, message.text.len);
        if (to != NULL) {
            char *const copy = fuzz_copy(message.text.ptr, message.text.len);
            side_expect(to, copy, message.text.len);
            side_receive(to, copy, message.text.len);
            free(copy);
        }
    }
    return count != 0;
}

void side_abandon(side *s, unsigned which) {
    side_context *const context = s->contexts + which % SIDE_CONTEXTS;
    if (*context == SIDE_GIVEN) {
        *context = SIDE_ABANDONED; /* for good: nothing of it may come */
        mcpw_session_abandon(s->session, context);
    }
}
