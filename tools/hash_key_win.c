/* SPDX-License-Identifier: MIT */
#include "hash.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <bcrypt.h>

hash_key hash_key_new(void) {
    hash_key key = {0, 0};
    if (BCryptGenRandom(NULL, (PUCHAR)&key, sizeof key, BCRYPT_USE_SYSTEM_PREFERRED_RNG) != 0) {
        LARGE_INTEGER now;
        (void)QueryPerformanceCounter(&now);
        key.low = (uint64_t)now.QuadPart;
        key.high = (uint64_t)(uintptr_t)&key;
    }
    return key;
}
