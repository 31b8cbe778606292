/* SPDX-License-Identifier: MIT */
#include "error_internal.h"

#include "../json/characters.h"

#if !defined(MCPW_NO_STDIO)
#include <stdio.h>
#endif

enum {
    ESCAPE_SIZE = 4, /* \xNN */
    EXCERPT_BYTES = 40,
    MARK_SIZE = 3,     /* ... */
    INDEX_DIGITS = 20, /* of a 64-bit number */
    FIRST_PRINTABLE = 0x20,
    DELETE = 0x7f,
    LAST_C1_CONTROL = 0x9f
};

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

/* Writes the character at text to out, at most ESCAPE_SIZE bytes, in a form that is safe to print; sets
 * *written. Returns how many bytes of text that took. */
static size_t printable(char *out, const unsigned char *text, size_t len, size_t *written) {
    const unsigned count = mcpw_utf8_length(text, len);
    const bool control = count == 1 && (text[0] < FIRST_PRINTABLE || text[0] == DELETE);
    const bool c1 = count == 2 && text[0] == 0xc2 && text[1] <= LAST_C1_CONTROL;
    if (count == 0 || control || c1 || is_turn(text, count)) {
        out[0] = '\\';
        out[1] = 'x';
        out[2] = hex_digit(text[0] >> 4);
        out[3] = hex_digit(text[0] & 15U);
        *written = ESCAPE_SIZE;
        return 1;
    }
    memcpy(out, text, count);
    *written = count;
    return count;
}

#if !defined(MCPW_NO_ERROR_TEXT)
/* The largest length up to limit that does not cut a character of text in two. */
static size_t whole_characters(const char *text, size_t limit) {
    size_t end = limit;
    while (end > 0 && mcpw_is_continuation((unsigned char)text[end])) {
        end--;
    }
    return end;
}
#endif

void mcpw_error_place(mcpw_error *error, mcpw_status code, size_t offset) {
    if (error != NULL) {
        error->code = code;
        error->offset = offset;
        error->path[0] = '\0';
        error->message[0] = '\0';
    }
}

#if !defined(MCPW_NO_ERROR_TEXT)
#if defined(MCPW_NO_STDIO)
/* What is being put together: no more than size bytes are written, but all are counted. */
typedef struct sink {
    char *out;
    size_t size;
    size_t len;
} sink;

static void put(sink *s, const char *text, size_t len) {
    for (size_t i = 0; i < len; i++, s->len++) {
        if (s->len < s->size) {
            s->out[s->len] = text[i];
        }
    }
}

static void put_number(sink *s, unsigned long value, bool negative) {
    char digits[INDEX_DIGITS + 1];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + (char)(value % 10));
        value /= 10;
    } while (value != 0);
    if (negative) {
        digits[--at] = '-';
    }
    put(s, digits + at, sizeof digits - at);
}

static size_t bounded_length(const char *text, size_t most) {
    size_t len = 0;
    while (len < most && text[len] != '\0') {
        len++;
    }
    return len;
}

int mcpw_vprint(char *out, size_t size, const char *fmt, va_list args) {
    sink s = {out, size - 1, 0};
    for (; *fmt != '\0'; fmt++) {
        size_t most = SIZE_MAX;
        if (*fmt != '%') {
            put(&s, fmt, 1);
            continue;
        }
        fmt++;
        if (fmt[0] == '.' && fmt[1] == '*') {
            const int precision = va_arg(args, int);
            most = precision < 0 ? SIZE_MAX : (size_t)precision;
            fmt += 2;
        } else if (*fmt == '.') {
            for (most = 0, fmt++; *fmt >= '0' && *fmt <= '9'; fmt++) {
                most = most * 10 + (size_t)(*fmt - '0');
            }
        }
        if (*fmt == 's') {
            const char *const text = va_arg(args, const char *);
            put(&s, text, bounded_length(text, most));
        } else if (*fmt == 'u') {
            put_number(&s, va_arg(args, unsigned), false);
        } else if (fmt[0] == 'l' && fmt[1] == 'd') {
            const long value = va_arg(args, long);
            put_number(&s, value < 0 ? 0UL - (unsigned long)value : (unsigned long)value, value < 0);
            fmt++;
        } else if (fmt[0] == 'z' && fmt[1] == 'u') {
            put_number(&s, (unsigned long)va_arg(args, size_t), false);
            fmt++;
        } else {
            put(&s, fmt, 1);
        }
    }
    out[s.len < s.size ? s.len : s.size] = '\0';
    return (int)s.len;
}
#else
int mcpw_vprint(char *out, size_t size, const char *fmt, va_list args) {
    return vsnprintf(out, size, fmt, args);
}
#endif

void mcpw_error_text(mcpw_error *error, mcpw_status code, size_t offset, const char *text) {
    size_t len = strlen(text);
    if (error == NULL) {
        return;
    }
    mcpw_error_place(error, code, offset);
    if (len >= MCPW_ERROR_MESSAGE_SIZE) {
        len = whole_characters(text, MCPW_ERROR_MESSAGE_SIZE - 1);
    }
    memcpy(error->message, text, len);
    error->message[len] = '\0';
}

void mcpw_error_set(mcpw_error *error, mcpw_status code, size_t offset, const char *fmt, ...) {
    char text[MCPW_ERROR_MESSAGE_SIZE + ESCAPE_SIZE];
    va_list args;
    va_start(args, fmt);
    if (mcpw_vprint(text, sizeof text, fmt, args) < 0) { /* uncovered: only a broken format fails */
        text[0] = '\0';
    }
    va_end(args);
    mcpw_error_text(error, code, offset, text);
}
#endif

mcpw_status mcpw_error_status(mcpw_error *error, mcpw_status status) {
    mcpw_error_text(error, status, 0, mcpw_status_text(status));
    return status;
}

/* Puts segment, which is short, before the path. */
static void prepend(mcpw_error *error, const char *segment, size_t len, bool cut) {
    const size_t limit = MCPW_ERROR_PATH_SIZE - 1;
    const size_t old = strlen(error->path);
    if (!cut && len + old <= limit) {
        memmove(error->path + len, error->path, old + 1);
        memcpy(error->path, segment, len);
        return;
    }
    if (old + MARK_SIZE >= limit) { /* no room for the mark: the path's own left goes */
        size_t drop = old + MARK_SIZE - limit;
        while (drop < old && mcpw_is_continuation((unsigned char)error->path[drop])) {
            drop++;
        }
        memmove(error->path + MARK_SIZE, error->path + drop, old - drop + 1);
    } else {
        size_t keep = limit - MARK_SIZE - old;
        keep = keep < len ? keep : len;
        while (keep > 0 && mcpw_is_continuation((unsigned char)segment[len - keep])) {
            keep--;
        }
        memmove(error->path + MARK_SIZE + keep, error->path, old + 1);
        memcpy(error->path + MARK_SIZE, segment + (len - keep), keep);
    }
    memcpy(error->path, cut_mark, MARK_SIZE);
}

static bool is_cut(const mcpw_error *error) { return error->path[0] == '.'; }

void mcpw_error_prepend_key(mcpw_error *error, const char *key, size_t len) {
    /* The right end of a long key is what fits beside the mark, so a ring of the last bytes would do; a
     * longer key is simply cut at its own left after escaping its last bytes. */
    char segment[MCPW_ERROR_PATH_SIZE * ESCAPE_SIZE];
    const unsigned char *const bytes = (const unsigned char *)key;
    size_t used = 1;
    size_t i = 0;
    bool cut = false;
    if (error == NULL || is_cut(error)) {
        return;
    }
    if (len >= MCPW_ERROR_PATH_SIZE) {
        cut = true;
        i = len - (MCPW_ERROR_PATH_SIZE - 1);
        while (i < len && mcpw_is_continuation(bytes[i])) {
            i++;
        }
    }
    segment[0] = '/';
    while (i < len) {
        size_t written = 2;
        if (bytes[i] == '~' || bytes[i] == '/') {
            segment[used] = '~';
            segment[used + 1] = bytes[i] == '~' ? '0' : '1';
            i++;
        } else {
            i += printable(segment + used, bytes + i, len - i, &written);
        }
        used += written;
    }
    prepend(error, segment, used, cut);
}

void mcpw_error_prepend_index(mcpw_error *error, size_t index) {
    char segment[INDEX_DIGITS + 2];
    size_t at = sizeof segment;
    if (error == NULL || is_cut(error)) {
        return;
    }
    do {
        segment[--at] = (char)('0' + (char)(index % 10));
        index /= 10;
    } while (index != 0);
    segment[--at] = '/';
    prepend(error, segment + at, sizeof segment - at, false);
}

size_t mcpw_put_printable(char *out, size_t size, const char *text, size_t len) {
    size_t used = 0;
    size_t i = 0;
    while (i < len) {
        char character[ESCAPE_SIZE];
        size_t written = 0;
        const size_t took = printable(character, (const unsigned char *)text + i, len - i, &written);
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
