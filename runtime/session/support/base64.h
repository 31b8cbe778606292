/* SPDX-License-Identifier: MIT */
/* Base64 (RFC 4648 section 4), written into room that is there. */
#ifndef MCPW_BASE64_H
#define MCPW_BASE64_H

#include <stddef.h>

#define mcpw_base64_size(len) (((len) + 2) / 3 * 4)
/* Writes mcpw_base64_size(len) characters; returns the place after them. */
unsigned char *mcpw_base64_put(unsigned char *to, const unsigned char *from, size_t len);

#endif
