/* SPDX-License-Identifier: MIT */
/* support/: what knows no session: JSON text, formats, defaults, templates, the clock. */
/*
 * The writer by which sessions make JSON. Text grows while it is written, and commas and colons come by
 * themselves. Calls after a failure do nothing, so the status is looked at once, at the end.
 */
#ifndef MCPW_TEXT_H
#define MCPW_TEXT_H

#include <mcpw/arena.h>

typedef struct mcpw_text {
    mcpw_buffer buffer;
    mcpw_status status;
} mcpw_text;

/* Makes room, inline, because mostly there is some. */
MCPW_NODISCARD static inline mcpw_status mcpw_text_room(mcpw_buffer *buffer, size_t len) {
    return len <= buffer->capacity - buffer->len ? MCPW_OK : mcpw_buffer_reserve(buffer, len);
}

#define MCPW_TEXT_INIT                                                                                       \
    { MCPW_BUFFER_INIT, MCPW_OK }

/* Bytes as they are: what is JSON already, or words that will be a string. */
void mcpw_text_raw(mcpw_text *text, const char *bytes, size_t len);
void mcpw_text_put(mcpw_text *text, const char *words);

/* Values. In an array, a comma comes before each but the first. */
void mcpw_text_json(mcpw_text *text, mcpw_json value);
/* Absent text is written as an empty string. */
void mcpw_text_string(mcpw_text *text, mcpw_str value);
void mcpw_text_int(mcpw_text *text, int64_t value);
/* MCPW_E_VALUE for what is not finite. */
void mcpw_text_number(mcpw_text *text, double value);
void mcpw_text_bool(mcpw_text *text, bool value);
void mcpw_text_id(mcpw_text *text, const mcpw_id *id);
void mcpw_text_object(mcpw_text *text);
void mcpw_text_object_end(mcpw_text *text);
void mcpw_text_array(mcpw_text *text);
void mcpw_text_array_end(mcpw_text *text);

/* Writes the name of a member, which needs no escapes. Its value follows. */
void mcpw_text_key(mcpw_text *text, const char *name);
/* The same for any name. */
void mcpw_text_key_str(mcpw_text *text, mcpw_str name);
/* Writes a name with its value. */
void mcpw_text_member(mcpw_text *text, const char *name, mcpw_str value);
void mcpw_text_member_json(mcpw_text *text, const char *name, mcpw_json value);
/* Copies a member of another text. The key is JSON already. */
void mcpw_text_member_copy(mcpw_text *text, mcpw_json key, mcpw_json value);
/* Copies the members of an object, but for those whose names another object has. */
void mcpw_text_rest(mcpw_text *text, mcpw_json object, mcpw_json but);
/* Puts a comma where one is due, before members that are copied as they are. */
void mcpw_text_comma(mcpw_text *text);

/* Writes an integer, and returns where it ends. All MCPW_INT_ROOM bytes may be written. */
enum { MCPW_INT_ROOM = 20 };
char *mcpw_text_put_int(char *to, int64_t value);

/* The text so far; absent after a failure. It lives until the text is written to again or freed. */
mcpw_json mcpw_text_get(const mcpw_text *text);
/* Puts a copy into the arena, and frees the text. */
MCPW_NODISCARD mcpw_status mcpw_text_finish(mcpw_text *text, mcpw_arena *arena, mcpw_json *out);
void mcpw_text_free(mcpw_text *text);

#endif
