/* SPDX-License-Identifier: MIT */
/* Compressed input without zlib: an error with advice. */
#include "input_unpack.h"

unpacker *unpack_new(const char **why) {
    *why = "this mcpwire was built without zlib; try: zcat FILE | mcpwire validate ... -";
    return NULL;
}

void unpack_free(unpacker *u) { (void)u; }

const char *unpack_run(unpacker *u, unpack_step *step) {
    (void)u;
    step->ended = true;
    return NULL;
}
