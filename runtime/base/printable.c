/* SPDX-License-Identifier: MIT */
/* Foreign text in a form that a terminal can show. */
#include <mcpw/error.h>

#include "printable.h"

#include <string.h>

#include "utf8.h"

enum { EXCERPT_BYTES = 40, FIRST_PRINTABLE = 0x20, DELETE = 0x7f, LAST_C1_CONTROL = 0x9f };

static const char cut_mark[] = "...";

static char hex_digit(unsigned value) { return (char)(value < 10 ? '0' + value : 'a' - 10 + value); }

/* Whether a character of so many bytes turns the direction of writing, so that text shows as another. */
static bool is_turn(const unsigned char *c, unsigned count) {
    if (count == 2) {
        return c[0] == 0xd8 && c[1] == 0x9c; /* U+061C */
    }
    if (count != 3 || c[0] != 0xe2) {
        return false;
    }
    return c[1] == 0x80 ? (c[2] & 0xfeU) == 0x8e || (c[2] >= 0xaa && c[2] <= 0xae) /* U+200E, U+202A... */
                        : c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9;            /* U+2066... */
}

size_t mcpw_put_printable_character(char out[MCPW_PRINTABLE_SIZE], const unsigned char *text, size_t len,
                                    size_t *written) {
    const unsigned count = mcpw_utf8_length(text, len);
    const bool control = count == 1 && (text[0] < FIRST_PRINTABLE || text[0] == DELETE);
    const bool c1 = count == 2 && text[0] == 0xc2 && text[1] <= LAST_C1_CONTROL;
    if (count == 0 || control || c1 || is_turn(text, count)) {
        out[0] = '\\';
        out[1] = 'x';
        out[2] = hex_digit(text[0] >> 4);
        out[3] = hex_digit(text[0] & 15U);
        *written = MCPW_PRINTABLE_SIZE;
        return 1;
    }
    memcpy(out, text, count);
    *written = count;
    return count;
}

size_t mcpw_put_printable(char *out, size_t size, const char *text, size_t len) {
    size_t used = 0;
    size_t i = 0;
    while (i < len) {
        char character[MCPW_PRINTABLE_SIZE];
        size_t written = 0;
        const size_t took =
            mcpw_put_printable_character(character, (const unsigned char *)text + i, len - i, &written);
        if (used + written >= size) {
            break;
        }
        memcpy(out + used, character, written);
        used += written;
        i += took;
    }
    out[used] = '\0';
    return i;
}

const char *mcpw_excerpt(char out[MCPW_EXCERPT_SIZE], const char *text, size_t len) {
    if (mcpw_put_printable(out, EXCERPT_BYTES + 1, text, len) < len) {
        memcpy(out + strlen(out), cut_mark, sizeof cut_mark);
    }
    return out;
}
