/* SPDX-License-Identifier: MIT */
/* Unpredictable bytes, of Windows. */
#include <mcpw/system.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <bcrypt.h>

mcpw_status mcpw_random(void *bytes, size_t len) {
    unsigned char *at = bytes;
    while (len != 0) {
        const ULONG piece = len < MAXLONG ? (ULONG)len : MAXLONG;
        if (BCryptGenRandom(NULL, at, piece, BCRYPT_USE_SYSTEM_PREFERRED_RNG) != 0) {
            return MCPW_E_STATE;
        }
        at += piece;
        len -= piece;
    }
    return MCPW_OK;
}
