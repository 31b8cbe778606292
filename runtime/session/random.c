/* SPDX-License-Identifier: MIT */
/* Unpredictable bytes, of libsodium. */
#include <mcpw/system.h>

#if defined(MCPW_HAVE_SODIUM)

#include <sodium.h>

mcpw_status mcpw_random(void *bytes, size_t len) {
    if (sodium_init() < 0) {
        return MCPW_E_STATE;
    }
    randombytes_buf(bytes, len);
    return MCPW_OK;
}

#else

mcpw_status mcpw_random(void *bytes, size_t len) {
    (void)bytes, (void)len;
    return MCPW_E_STATE;
}

#endif
