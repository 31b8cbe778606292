/* SPDX-License-Identifier: MIT */
/* Input at a URL: input_url.c, or input_url_none.c where there is no libcurl. */
#ifndef MCPWIRE_INPUT_URL_H
#define MCPWIRE_INPUT_URL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct url_reader url_reader;

/* Whether a name is such a URL, of http or https. */
bool url_is_one(const char *name);
/* Begins to read what is at a URL. No redirect is followed. NULL: *why says what is wrong. */
url_reader *url_open(const char *url, const char **why);
/* Reads a portion, of 0 bytes at the end; waits for it. Returns NULL, or what is wrong. */
const char *url_read(url_reader *reader, void *to, size_t len, size_t *got);
/* Does nothing for NULL. */
void url_close(url_reader *reader);

#endif
