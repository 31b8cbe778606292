/* SPDX-License-Identifier: MIT */
#include "tap_file.h"

#include "tap_system.h"

#include <inttypes.h>

void tap_file_name(text *name, const char *pattern) {
    for (const char *p = pattern; *p != '\0'; p++) {
        if (p[0] == '%' && p[1] == 'p') {
            text_format(name, "%" PRIu64, tap_process_id());
            p++;
        } else {
            text_bytes(name, p, 1);
            p += p[0] == '%' && p[1] == '%' ? 1 : 0;
        }
    }
    text_bytes(name, "", 1);
}
