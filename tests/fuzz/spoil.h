/* SPDX-License-Identifier: MIT */
/* Changes one place in a decoded struct as a caller with odd text in hand might: found through the tables. */
#ifndef MCPW_FUZZ_SPOIL_H
#define MCPW_FUZZ_SPOIL_H

#include "fuzz.h"

/* Spoils the place-th place (counted round) of the struct at value, in a way that `how` chooses; text is what
 * is put there, and must live as long as the struct. False when there is no place to spoil. */
bool fuzz_spoil(const mcpw_type *type, void *value, size_t place, unsigned how, mcpw_str text);

#endif
