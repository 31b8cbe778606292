/* SPDX-License-Identifier: MIT */
/* reader.h where size counts: a text is copied at once, and the scanner does what it does anyway. */
#ifndef MCPW_READER_SMALL_H
#define MCPW_READER_SMALL_H

#include "reader.h"

#define mcpw_look_ahead(r, p) ((void)(r), (void)(p))
#define mcpw_space mcpw_skip_space
#define mcpw_read_int mcpw_read_int_slow
#define mcpw_read_double mcpw_read_double_slow

MCPW_NODISCARD mcpw_status mcpw_reader_start(mcpw_reader *r, const char *text, size_t len, unsigned depth,
                                             mcpw_arena *arena);

unsigned char *mcpw_scan(mcpw_reader *r, unsigned char *p);

/* out: NULL where the string is to be left as it is. */
unsigned char *mcpw_read_string(mcpw_reader *r, unsigned char *p, mcpw_str *out);
unsigned char *mcpw_skip_string(mcpw_reader *r, unsigned char *p);

#endif
