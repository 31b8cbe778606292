/* SPDX-License-Identifier: MIT */
#include "hash.h"
#include "host.h"

hash_key hash_key_new(void) {
    hash_key key = {0, 0};
    host_random(&key, sizeof key);
    return key;
}
