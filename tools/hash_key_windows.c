/* SPDX-License-Identifier: MIT */
#define _CRT_RAND_S /* rand_s */

#include "hash.h"

#include <stdlib.h>
#include <time.h>

enum { PARTS = sizeof(hash_key) / sizeof(unsigned) };

hash_key hash_key_new(void) {
    union {
        hash_key key;
        unsigned parts[PARTS];
    } made;
    for (size_t i = 0; i < PARTS; i++) {
        if (rand_s(&made.parts[i]) != 0) {
            made.key.low = (uint64_t)time(NULL);
            made.key.high = (uint64_t)(uintptr_t)&made;
            break;
        }
    }
    return made.key;
}
