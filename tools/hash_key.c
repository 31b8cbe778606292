/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* getentropy */

#include "hash.h"

#include <time.h>
#include <unistd.h>
#if defined(__APPLE__) /* getentropy is declared there */
#include <sys/random.h>
#endif

hash_key hash_key_new(void) {
    hash_key key = {0, 0};
    if (getentropy(&key, sizeof key) != 0) {
        struct timespec now = {0, 0};
        (void)clock_gettime(CLOCK_REALTIME, &now);
        key.low = (uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 32;
        key.high = (uint64_t)(uintptr_t)&key;
    }
    return key;
}
