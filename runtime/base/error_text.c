/* SPDX-License-Identifier: MIT */
/* Filling in error records: codes, paths and messages. */
#include "error_text.h"

#include "print.h"
#include "printable.h"
#include "utf8.h"

enum {
    MARK_SIZE = 3,    /* of the mark for what was cut, "..." */
    INDEX_DIGITS = 20 /* digits of a 64-bit number */
};

static const char cut_mark[] = "...";

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

mcpw_status mcpw_error_place(mcpw_error *error, mcpw_status code, size_t offset) {
    if (error != NULL) {
        error->code = code;
        error->offset = offset;
        error->path[0] = '\0';
        error->message[0] = '\0';
    }
    return code;
}

#if !defined(MCPW_NO_ERROR_TEXT)
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

mcpw_status mcpw_error_set(mcpw_error *error, mcpw_status code, size_t offset, const char *fmt, ...) {
    char text[MCPW_ERROR_MESSAGE_SIZE + MCPW_CHARACTER_SIZE];
    va_list args;
    va_start(args, fmt);
    if (mcpw_vprint(text, sizeof text, fmt, args) < 0) {
        text[0] = '\0';
    }
    va_end(args);
    mcpw_error_text(error, code, offset, text);
    return code;
}
#else
#undef mcpw_error_set /* programs call the function even where the macro hides it */

mcpw_status mcpw_error_set(mcpw_error *error, mcpw_status code, size_t offset, const char *fmt, ...) {
    (void)fmt;
    return mcpw_error_place(error, code, offset);
}
#endif

mcpw_status mcpw_error_status(mcpw_error *error, mcpw_status status) {
    mcpw_error_text(error, status, 0, mcpw_status_text(status));
    return status;
}

#if defined(MCPW_NO_ERROR_PATH) /* programs call the functions all the same */
#undef mcpw_error_prepend_key
#undef mcpw_error_prepend_index
#endif

/* Puts segment, which is short, before the path. */
static void prepend(mcpw_error *error, const char *segment, size_t len, bool cut) {
    const size_t limit = MCPW_ERROR_PATH_SIZE - 1;
    const size_t old = strlen(error->path);
    if (!cut && len + old <= limit) {
        memmove(error->path + len, error->path, old + 1);
        memcpy(error->path, segment, len);
        return;
    }
    if (old + MARK_SIZE >= limit) { /* the mark needs room, so the left end of the path goes */
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
    /* The right end of a long key is what fits beside the mark, so the last bytes would be enough. A longer
     * key is simply cut on its left after its last bytes are escaped. */
    char segment[MCPW_ERROR_PATH_SIZE * MCPW_PRINTABLE_SIZE];
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
            i += mcpw_put_printable_character(segment + used, bytes + i, len - i, &written);
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
