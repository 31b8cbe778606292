/* SPDX-License-Identifier: MIT */
/* Reads a stream of server-sent events, line by line. */
#include <mcpw/detail/event_reader.h>

static const mcpw_str mark = MCPW_STR("\xEF\xBB\xBF"); /* the byte order mark of UTF-8 */

/* The bytes beside the data of an event of the maximum length. */
enum {
    BEFORE = 8 /* at the beginning of its line, such as "data: " */,
    AFTER = 1 /* the LF, which is removed */
};

/* True if a text exceeds the limit of an event by more than `more` bytes. */
static bool is_too_long(const mcpw_event_reader *reader, size_t len, size_t more) {
    return len > more && len - more > reader->limit;
}

/* ---- The fields of an event ---- */

static mcpw_status put(const mcpw_event_reader *reader, mcpw_buffer *to, mcpw_str text, size_t more) {
    if (is_too_long(reader, to->len + text.len, more)) {
        return MCPW_E_SIZE;
    }
    return mcpw_buffer_append(to, text.ptr, text.len);
}

static mcpw_status take_data(mcpw_event_reader *reader, mcpw_str value) {
    static const mcpw_str after = MCPW_STR("\n");
    const mcpw_status status = put(reader, &reader->data, value, AFTER);
    return status == MCPW_OK ? put(reader, &reader->data, after, AFTER) : status;
}

/* An id with NUL is ignored. An id that is too long counts as empty, because a header would have to carry it.
 */
static mcpw_status take_id(mcpw_event_reader *reader, mcpw_str value) {
    if (value.len != 0 && memchr(value.ptr, '\0', value.len) != NULL) {
        return MCPW_OK;
    }
    reader->has_new_id = true;
    reader->new_id.len = 0;
    return value.len <= MCPW_EVENT_ID_MAX ? put(reader, &reader->new_id, value, 0) : MCPW_OK;
}

/* Only digits are a time. A number that is too large gives the maximum. */
static void take_retry(mcpw_event_reader *reader, mcpw_str value) {
    enum { TEN = 10 };
    uint64_t ms = 0;
    for (size_t i = 0; i < value.len; i++) {
        if (value.ptr[i] < '0' || value.ptr[i] > '9') {
            return;
        }
        ms = ms < UINT32_MAX ? ms * TEN + (uint64_t)(value.ptr[i] - '0') : ms;
    }
    if (value.len != 0) {
        reader->retry_ms = ms < UINT32_MAX ? ms : UINT32_MAX;
        reader->has_retry = true;
    }
}

static mcpw_status take_field(mcpw_event_reader *reader, mcpw_str line) {
    const char *const colon = memchr(line.ptr, ':', line.len);
    const mcpw_str name = {line.ptr, colon != NULL ? (size_t)(colon - line.ptr) : line.len};
    mcpw_str value = {line.ptr + line.len, 0};
    if (colon != NULL) {
        value = (mcpw_str){colon + 1, line.len - name.len - 1};
        if (value.len != 0 && value.ptr[0] == ' ') {
            value = (mcpw_str){value.ptr + 1, value.len - 1};
        }
    }
    if (mcpw_str_is(name, "data")) {
        return take_data(reader, value);
    }
    if (mcpw_str_is(name, "id")) {
        return take_id(reader, value);
    }
    if (mcpw_str_is(name, "retry")) {
        take_retry(reader, value);
    } else if (mcpw_str_is(name, "event")) {
        reader->has_type = value.len != 0 && !mcpw_str_is(value, "message");
    }
    return MCPW_OK; /* comments have no name, and unknown names are ignored */
}

/* Ends the event; true: it has data for the session. */
static bool end_event(mcpw_event_reader *reader, mcpw_str *data) {
    const bool says = reader->data.len != 0 && !reader->has_type;
    if (reader->has_new_id) {
        const mcpw_buffer before = reader->id;
        reader->id = reader->new_id;
        reader->new_id = before;
        reader->has_new_id = false;
    }
    if (says) {
        *data = (mcpw_str){reader->data.data, reader->data.len - 1};
        reader->data_given = true;
    } else {
        reader->data.len = 0;
    }
    reader->has_type = false;
    return says;
}

/* ---- Lines ---- */

/* Takes a line off the bytes; false: its end has not arrived. */
static bool cut_line(mcpw_event_reader *reader, const char **bytes, size_t *len, mcpw_str *line) {
    if (reader->after_cr && *len != 0) {
        reader->after_cr = false;
        if (**bytes == '\n') {
            (*bytes)++;
            (*len)--;
        }
    }
    size_t end = 0;
    while (end < *len && (*bytes)[end] != '\n' && (*bytes)[end] != '\r') {
        end++;
    }
    *line = (mcpw_str){*bytes, end};
    const bool ends = end < *len;
    reader->after_cr = ends && (*bytes)[end] == '\r';
    *bytes += ends ? end + 1 : end;
    *len -= ends ? end + 1 : end;
    return ends;
}

/* Removes a byte order mark before the first line. */
static mcpw_str without_mark(mcpw_event_reader *reader, mcpw_str line) {
    if (!reader->is_begun && line.len >= mark.len && memcmp(line.ptr, mark.ptr, mark.len) == 0) {
        line = (mcpw_str){line.ptr + mark.len, line.len - mark.len};
    }
    reader->is_begun = true;
    return line;
}

mcpw_status mcpw_event_reader_next(mcpw_event_reader *reader, const char **bytes, size_t *len,
                                   mcpw_str *data) {
    mcpw_status status = MCPW_OK;
    mcpw_str line;
    if (reader->data_given) {
        reader->data_given = false;
        reader->data.len = 0;
    }
    while (status == MCPW_OK && *len != 0) {
        const bool ends = cut_line(reader, bytes, len, &line);
        if (!ends || reader->line.len != 0) {
            status = put(reader, &reader->line, line, BEFORE);
            line = (mcpw_str){reader->line.data, reader->line.len};
        } else if (is_too_long(reader, line.len, BEFORE)) { /* as for a line in parts */
            status = MCPW_E_SIZE;
        }
        if (status != MCPW_OK || !ends) {
            continue;
        }
        reader->line.len = 0;
        line = without_mark(reader, line);
        if (line.len != 0) {
            status = take_field(reader, line);
        } else if (end_event(reader, data)) {
            return MCPW_OK;
        }
    }
    return status == MCPW_OK ? MCPW_PENDING : status;
}

void mcpw_event_reader_restart(mcpw_event_reader *reader) {
    reader->line.len = 0;
    reader->data.len = 0;
    reader->new_id.len = 0;
    reader->has_new_id = false;
    reader->has_type = false;
    reader->is_begun = false;
    reader->after_cr = false;
    reader->data_given = false;
}

mcpw_str mcpw_event_reader_id(const mcpw_event_reader *reader) {
    return (mcpw_str){reader->id.data, reader->id.len};
}

void mcpw_event_reader_free(mcpw_event_reader *reader) {
    mcpw_buffer_free(&reader->line);
    mcpw_buffer_free(&reader->data);
    mcpw_buffer_free(&reader->new_id);
    mcpw_buffer_free(&reader->id);
}
