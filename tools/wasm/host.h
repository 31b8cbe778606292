/* SPDX-License-Identifier: MIT */
/* The functions that the module of WebAssembly imports, from "mcpwire": mcpwire.mjs has them, and a program
 * that loads the module by itself gives its own. It imports nothing else. */
#ifndef MCPWIRE_HOST_H
#define MCPWIRE_HOST_H

#include <stddef.h>
#include <stdint.h>

#define HOST(function) __attribute__((import_module("mcpwire"), import_name(#function))) extern

enum { HOST_OUTPUT = 1, HOST_ERRORS = 2, HOST_NO_TEXT = -1, HOST_NO_PATTERN = 0 };

/* Takes bytes of the standard output, or of the standard error. */
HOST(write) void host_write(int32_t stream, const char *bytes, size_t len);

/* Opens a text by its name. Returns its number, or HOST_NO_TEXT. */
HOST(open) int32_t host_open(const char *name, size_t len);

/* Copies the next bytes of a text. Returns how many; 0 at its end. */
HOST(read) size_t host_read(int32_t text, void *to, size_t len);

/* Fills memory with unpredictable bytes. */
HOST(random) void host_random(void *to, size_t len);

/* Compiles a regular expression of ECMA-262 with the flag u. Returns its number, or HOST_NO_PATTERN: then the
 * reason is in message, of at most `size` bytes with the NUL at its end. */
HOST(pattern_new) int32_t host_pattern_new(const char *pattern, size_t len, char *message, size_t size);

/* Returns 1 if the pattern occurs in the text, else 0. */
HOST(pattern_match) int32_t host_pattern_match(int32_t pattern, const char *text, size_t len);

HOST(pattern_free) void host_pattern_free(int32_t pattern);

#endif
