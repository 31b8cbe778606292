/* SPDX-License-Identifier: MIT */
/* Input at a URL: input_url.c, or input_url_none.c without libcurl. */
#ifndef MCPWIRE_INPUT_URL_H
#define MCPWIRE_INPUT_URL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct url_reader url_reader;

/* True if a name is an HTTP or HTTPS URL. */
bool url_is_one(const char *name);
/* Begins to read a URL. Redirects are not followed. NULL: *why is the reason. */
url_reader *url_open(const char *url, const char **why);
/* Waits for a portion and reads it; 0 bytes: the end. Returns NULL, or the error. */
const char *url_read(url_reader *reader, void *to, size_t len, size_t *got);
/* Does nothing for NULL. */
void url_close(url_reader *reader);

#endif
