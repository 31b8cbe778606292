/* SPDX-License-Identifier: MIT */
/* Scans numbers and literals. The vector code calls this, so this calls no vector code. */
#include "scanner.h"

#include <string.h>

static const unsigned char *scan_digits(mcpw_scanner *s, const unsigned char *p) {
    if (p == s->end || !mcpw_is_digit(*p)) {
        return mcpw_scanner_fail(s, p, MCPW_E_SYNTAX);
    }
    while (p < s->end && mcpw_is_digit(*p)) {
        p++;
    }
    return p;
}

const unsigned char *mcpw_scan_number(mcpw_scanner *s, const unsigned char *p) {
    p += mcpw_scanner_is(s, p, '-');
    p = mcpw_scanner_is(s, p, '0') ? p + 1 : scan_digits(s, p);
    if (p != NULL && mcpw_scanner_is(s, p, '.')) {
        p = scan_digits(s, p + 1);
    }
    if (p != NULL && (mcpw_scanner_is(s, p, 'e') || mcpw_scanner_is(s, p, 'E'))) {
        p++;
        p += mcpw_scanner_is(s, p, '+') || mcpw_scanner_is(s, p, '-');
        p = scan_digits(s, p);
    }
    return p;
}

const unsigned char *mcpw_scan_unquoted(mcpw_scanner *s, const unsigned char *p) {
    const char *text = "null";
    switch (*p) {
    case 't':
        text = "true";
        break;
    case 'f':
        text = "false";
        break;
    case 'n':
        break;
    default:
        return mcpw_scan_number(s, p);
    }
    const size_t len = strlen(text);
    return (size_t)(s->end - p) >= len && memcmp(p, text, len) == 0 ? p + len
                                                                    : mcpw_scanner_fail(s, p, MCPW_E_SYNTAX);
}
