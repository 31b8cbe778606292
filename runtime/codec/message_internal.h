/* SPDX-License-Identifier: MIT */
/* The interface of the files that read messages: message.c opens, message_walk.inc reads. */
#ifndef MCPW_MESSAGE_INTERNAL_H
#define MCPW_MESSAGE_INTERNAL_H

#include <mcpw/message.h>

#include "walk.h"

/* A text that is read as a message, or as a batch of them. */
typedef struct mcpw_exchange {
    mcpw_walk w;
    mcpw_resolve resolve; /* which request a response answers */
    void *user;
    const void *store; /* where size counts; NULL: values are checked and not stored */
    bool exact;        /* no result before its id may be read by the id that seems to end the text */
    bool task;         /* the params of the request carry a task */
} mcpw_exchange;

/* Read the whole text, with its values or without. NULL: it is no message. */
unsigned char *mcpw_message_build(mcpw_exchange *x, mcpw_message *out);
unsigned char *mcpw_message_check(mcpw_exchange *x, mcpw_message *out);

#endif
