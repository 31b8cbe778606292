/* SPDX-License-Identifier: MIT */
/* Values of structs that are described by their members, from JSON and to it. */
#include <mcpw/json.h>

#include <string.h>

#include "../base/arena_internal.h"
#include "../base/error_text.h"
#include "described.h"

/* ---- From JSON ----------------------------------------------------------------------------------------- */

static mcpw_status read_struct(const mcpw_described *type, mcpw_json value, mcpw_arena *arena, void *out,
                               mcpw_error *error);

static mcpw_status refuse(mcpw_error *error, mcpw_status status, const char *why) {
    mcpw_error_set(error, status, 0, "%s", why);
    return status;
}

/* A status of a reader, with its usual words. */
static mcpw_status explained(mcpw_error *error, mcpw_status status) {
    return status == MCPW_OK ? MCPW_OK : refuse(error, status, mcpw_status_text(status));
}

static mcpw_status read_integer(const mcpw_described_member *m, mcpw_member_kind kind, mcpw_json value,
                                void *to, mcpw_error *error) {
    const mcpw_member_range range = mcpw_member_range_of(kind, m->size);
    int64_t integer = 0;
    const mcpw_status status = mcpw_json_int(value, &integer);
    if (status != MCPW_OK) {
        return explained(error, status);
    }
    if (integer < range.least || integer > range.most ||
        (m->bounded && ((double)integer < m->least || (double)integer > m->most))) {
        return refuse(error, MCPW_E_RANGE, mcpw_status_text(MCPW_E_RANGE));
    }
    if (kind == MCPW_MEMBER_OPT_INTEGER) {
        *(mcpw_opt_int *)to = (mcpw_opt_int)MCPW_INT(integer);
    } else if (kind == MCPW_MEMBER_UNSIGNED) {
        *(uint32_t *)to = (uint32_t)integer;
    } else if (m->size == sizeof(int32_t)) {
        *(int32_t *)to = (int32_t)integer;
    } else {
        memcpy(to, &integer, sizeof integer); /* long or long long */
    }
    return MCPW_OK;
}

static mcpw_status read_number(const mcpw_described_member *m, mcpw_member_kind kind, mcpw_json value,
                               void *to, mcpw_error *error) {
    double number = 0;
    const mcpw_status status = mcpw_json_double(value, &number);
    if (status != MCPW_OK) {
        return explained(error, status);
    }
    if (m->bounded && (number < m->least || number > m->most)) {
        return refuse(error, MCPW_E_RANGE, mcpw_status_text(MCPW_E_RANGE));
    }
    if (kind == MCPW_MEMBER_OPT_NUMBER) {
        *(mcpw_opt_double *)to = (mcpw_opt_double)MCPW_DOUBLE(number);
    } else {
        *(double *)to = number;
    }
    return MCPW_OK;
}

static mcpw_status read_word(const mcpw_described_member *m, mcpw_json value, mcpw_arena *arena, int32_t *to,
                             mcpw_error *error) {
    mcpw_str word;
    if (mcpw_json_kind_of(value) != MCPW_JSON_STRING) {
        return refuse(error, MCPW_E_VALUE, "value is not one of the words");
    }
    const mcpw_status status = mcpw_json_string(value, arena, &word);
    if (status != MCPW_OK) {
        return explained(error, status);
    }
    for (int32_t i = 0; m->words[i] != NULL; i++) {
        if (mcpw_str_is(word, m->words[i])) {
            *to = i + 1;
            return MCPW_OK;
        }
    }
    return refuse(error, MCPW_E_VALUE, "value is not one of the words");
}

static mcpw_status read_string(mcpw_json value, mcpw_arena *arena, mcpw_str *to, mcpw_error *error) {
    mcpw_str text;
    const mcpw_status status = mcpw_json_string(value, arena, &text);
    if (status != MCPW_OK) {
        return explained(error, status);
    }
    *to = mcpw_arena_str(arena, text.ptr, text.len);
    return to->ptr != NULL ? MCPW_OK : explained(error, mcpw_arena_status(arena));
}

static mcpw_status read_json(mcpw_json value, mcpw_arena *arena, mcpw_json *to, mcpw_error *error) {
    const mcpw_str copy = mcpw_arena_str(arena, value.ptr, value.len);
    *to = (mcpw_json){copy.ptr, copy.len, 0};
    return copy.ptr != NULL ? MCPW_OK : explained(error, mcpw_arena_status(arena));
}

static mcpw_status read_bool(mcpw_member_kind kind, mcpw_json value, void *to, mcpw_error *error) {
    bool flag = false;
    const mcpw_status status = mcpw_json_bool(value, &flag);
    if (status == MCPW_OK && kind == MCPW_MEMBER_OPT_BOOLEAN) {
        *(mcpw_opt_bool *)to = (mcpw_opt_bool)MCPW_BOOL(flag);
    } else if (status == MCPW_OK) {
        *(bool *)to = flag;
    }
    return explained(error, status);
}

static mcpw_status read_pointer(const mcpw_described_member *m, mcpw_json value, mcpw_arena *arena, void *to,
                                mcpw_error *error) {
    void *const object = mcpw_arena_alloc(arena, m->type->size);
    if (object == NULL) {
        return explained(error, mcpw_arena_status(arena));
    }
    memcpy(to, (const void *)&object, sizeof object);
    return read_struct(m->type, value, arena, object, error);
}

static mcpw_status read_kind(const mcpw_described_member *m, mcpw_member_kind kind, mcpw_json value,
                             mcpw_arena *arena, void *to, mcpw_error *error) {
    switch (kind) {
    case MCPW_MEMBER_BOOLEAN:
    case MCPW_MEMBER_OPT_BOOLEAN:
        return read_bool(kind, value, to, error);
    case MCPW_MEMBER_INTEGER:
    case MCPW_MEMBER_UNSIGNED:
    case MCPW_MEMBER_OPT_INTEGER:
        return read_integer(m, kind, value, to, error);
    case MCPW_MEMBER_NUMBER:
    case MCPW_MEMBER_OPT_NUMBER:
        return read_number(m, kind, value, to, error);
    case MCPW_MEMBER_STRING:
        return read_string(value, arena, to, error);
    case MCPW_MEMBER_WORD:
        return read_word(m, value, arena, to, error);
    case MCPW_MEMBER_OBJECT:
        return read_struct(m->type, value, arena, to, error);
    case MCPW_MEMBER_POINTER:
        return read_pointer(m, value, arena, to, error);
    default:
        return read_json(value, arena, to, error);
    }
}

static mcpw_status read_list(const mcpw_described_member *m, mcpw_json value, mcpw_arena *arena, char *object,
                             mcpw_error *error) {
    mcpw_json_iter it;
    mcpw_json item;
    if (mcpw_json_kind_of(value) != MCPW_JSON_ARRAY || mcpw_json_iterate(value, &it) != MCPW_OK) {
        return explained(error, MCPW_E_TYPE);
    }
    const size_t count = mcpw_json_count(value);
    if (count > SIZE_MAX / m->size) {
        return explained(error, MCPW_E_MEMORY);
    }
    char *const items = mcpw_arena_alloc(arena, count != 0 ? count * m->size : 1);
    if (items == NULL) {
        return explained(error, mcpw_arena_status(arena));
    }
    memset(items, 0, count * m->size);
    for (size_t i = 0; i < count && mcpw_json_next(&it, NULL, &item); i++) {
        const mcpw_status status = read_kind(m, m->item, item, arena, items + i * m->size, error);
        if (status != MCPW_OK) {
            mcpw_error_prepend_index(error, i);
            return status;
        }
    }
    memcpy(object + m->offset, (const void *)&items, sizeof items);
    memcpy(object + m->count_offset, &count, sizeof count);
    return MCPW_OK;
}

static mcpw_status read_struct(const mcpw_described *type, mcpw_json value, mcpw_arena *arena, void *out,
                               mcpw_error *error) {
    char *const object = out;
    memset(object, 0, type->size);
    if (mcpw_json_kind_of(value) != MCPW_JSON_OBJECT) {
        return explained(error, MCPW_E_TYPE);
    }
    for (size_t i = 0; i < type->count; i++) {
        const mcpw_described_member *const m = type->members + i;
        mcpw_json found;
        mcpw_status status = mcpw_json_get(value, m->name, &found);
        if (status == MCPW_E_NOT_FOUND && mcpw_member_may_lack(m)) {
            continue;
        }
        if (status == MCPW_E_NOT_FOUND) {
            mcpw_error_set(error, MCPW_E_MISSING, 0, "missing required member \"%s\"", m->name);
            return MCPW_E_MISSING;
        }
        status = m->kind == MCPW_MEMBER_LIST ? read_list(m, found, arena, object, error)
                                             : read_kind(m, m->kind, found, arena, object + m->offset, error);
        if (status != MCPW_OK) {
            mcpw_error_prepend_key(error, m->name, strlen(m->name));
            return status;
        }
    }
    return MCPW_OK;
}

mcpw_status mcpw_described_decode(const mcpw_described *type, mcpw_json value, mcpw_arena *arena, void *out,
                                  mcpw_error *error) {
    const mcpw_mark mark = mcpw_arena_mark(arena);
    mcpw_status status = mcpw_json_check(value, 0, error);
    status = status == MCPW_OK ? read_struct(type, value, arena, out, error) : status;
    if (status != MCPW_OK) {
        memset(out, 0, type->size);
        mcpw_arena_rewind(arena, mark);
    }
    return status;
}

/* ---- To JSON ------------------------------------------------------------------------------------------- */

static mcpw_status write_struct(const mcpw_described *type, const void *value, mcpw_json_writer *w,
                                unsigned depth, mcpw_error *error);

static mcpw_status write_integer(const mcpw_described_member *m, int64_t value, mcpw_json_writer *w,
                                 mcpw_error *error) {
    if (m->bounded && ((double)value < m->least || (double)value > m->most)) {
        return refuse(error, MCPW_E_RANGE, mcpw_status_text(MCPW_E_RANGE));
    }
    mcpw_json_write_int(w, value);
    return MCPW_OK;
}

static mcpw_status write_number(const mcpw_described_member *m, double value, mcpw_json_writer *w,
                                mcpw_error *error) {
    if (m->bounded && !(value >= m->least && value <= m->most)) {
        return refuse(error, MCPW_E_RANGE, mcpw_status_text(MCPW_E_RANGE));
    }
    mcpw_json_write_double(w, value);
    return MCPW_OK;
}

static mcpw_status write_word(const mcpw_described_member *m, int32_t value, mcpw_json_writer *w,
                              mcpw_error *error) {
    int32_t count = 0;
    while (m->words[count] != NULL) {
        count++;
    }
    if (value < 1 || value > count) {
        return refuse(error, MCPW_E_VALUE, "the enum has no such value");
    }
    mcpw_json_write_string(w, m->words[value - 1], strlen(m->words[value - 1]));
    return MCPW_OK;
}

static int64_t integer_of(const mcpw_described_member *m, const void *from) {
    int64_t value = 0;
    if (m->size == sizeof(int32_t)) {
        return *(const int32_t *)from;
    }
    memcpy(&value, from, sizeof value);
    return value;
}

static mcpw_status write_kind(const mcpw_described_member *m, mcpw_member_kind kind, const void *from,
                              mcpw_json_writer *w, unsigned depth, mcpw_error *error) {
    const void *object = from;
    switch (kind) {
    case MCPW_MEMBER_BOOLEAN:
        mcpw_json_write_bool(w, *(const bool *)from);
        break;
    case MCPW_MEMBER_OPT_BOOLEAN:
        mcpw_json_write_bool(w, ((const mcpw_opt_bool *)from)->value);
        break;
    case MCPW_MEMBER_INTEGER:
        return write_integer(m, integer_of(m, from), w, error);
    case MCPW_MEMBER_UNSIGNED:
        return write_integer(m, *(const uint32_t *)from, w, error);
    case MCPW_MEMBER_OPT_INTEGER:
        return write_integer(m, ((const mcpw_opt_int *)from)->value, w, error);
    case MCPW_MEMBER_NUMBER:
        return write_number(m, *(const double *)from, w, error);
    case MCPW_MEMBER_OPT_NUMBER:
        return write_number(m, ((const mcpw_opt_double *)from)->value, w, error);
    case MCPW_MEMBER_STRING:
        mcpw_json_write_string(w, ((const mcpw_str *)from)->ptr, ((const mcpw_str *)from)->len);
        break;
    case MCPW_MEMBER_WORD:
        return write_word(m, *(const int32_t *)from, w, error);
    case MCPW_MEMBER_POINTER:
        memcpy((void *)&object, from, sizeof object);
        return write_struct(m->type, object, w, depth + 1, error);
    case MCPW_MEMBER_OBJECT:
        return write_struct(m->type, from, w, depth + 1, error);
    default:
        mcpw_json_write_raw(w, *(const mcpw_json *)from);
        break;
    }
    return MCPW_OK;
}

/* Whether a member that may be absent is. */
static bool is_absent(const mcpw_described_member *m, const void *at) {
    const void *object = NULL;
    switch (m->kind) {
    case MCPW_MEMBER_OPT_BOOLEAN:
        return !((const mcpw_opt_bool *)at)->set;
    case MCPW_MEMBER_OPT_INTEGER:
        return !((const mcpw_opt_int *)at)->set;
    case MCPW_MEMBER_OPT_NUMBER:
        return !((const mcpw_opt_double *)at)->set;
    case MCPW_MEMBER_STRING:
        return ((const mcpw_str *)at)->ptr == NULL;
    case MCPW_MEMBER_JSON:
        return ((const mcpw_json *)at)->ptr == NULL;
    case MCPW_MEMBER_WORD:
        return *(const int32_t *)at == 0;
    case MCPW_MEMBER_POINTER:
        memcpy((void *)&object, at, sizeof object);
        return object == NULL;
    default:
        return false;
    }
}

static mcpw_status write_list(const mcpw_described_member *m, const char *object, mcpw_json_writer *w,
                              unsigned depth, mcpw_error *error) {
    const char *items = NULL;
    size_t count = 0;
    memcpy((void *)&items, object + m->offset, sizeof items);
    memcpy(&count, object + m->count_offset, sizeof count);
    mcpw_json_write_array(w);
    for (size_t i = 0; i < count; i++) {
        const mcpw_status status = write_kind(m, m->item, items + i * m->size, w, depth, error);
        if (status != MCPW_OK) {
            mcpw_error_prepend_index(error, i);
            return status;
        }
    }
    mcpw_json_write_close(w);
    return MCPW_OK;
}

static mcpw_status write_member(const mcpw_described_member *m, const char *object, mcpw_json_writer *w,
                                unsigned depth, mcpw_error *error) {
    const void *const at = object + m->offset;
    if (m->kind != MCPW_MEMBER_LIST && is_absent(m, at)) {
        if (mcpw_member_may_lack(m)) {
            return MCPW_OK;
        }
        mcpw_error_set(error, MCPW_E_MISSING, 0, "missing required member \"%s\"", m->name);
        return MCPW_E_MISSING;
    }
    mcpw_json_write_key(w, m->name);
    const mcpw_status status = m->kind == MCPW_MEMBER_LIST ? write_list(m, object, w, depth, error)
                                                           : write_kind(m, m->kind, at, w, depth, error);
    if (status != MCPW_OK) {
        mcpw_error_prepend_key(error, m->name, strlen(m->name));
    }
    return status;
}

static mcpw_status write_struct(const mcpw_described *type, const void *value, mcpw_json_writer *w,
                                unsigned depth, mcpw_error *error) {
    mcpw_status status = MCPW_OK;
    if (depth >= MCPW_JSON_WRITE_DEPTH / 2) { /* a list is a level as well */
        return explained(error, MCPW_E_DEPTH);
    }
    mcpw_json_write_object(w);
    for (size_t i = 0; status == MCPW_OK && i < type->count; i++) {
        status = write_member(type->members + i, value, w, depth, error);
    }
    if (status == MCPW_OK) {
        mcpw_json_write_close(w);
    }
    return status;
}

mcpw_status mcpw_described_encode(const mcpw_described *type, const void *value, mcpw_buffer *out,
                                  mcpw_error *error) {
    const size_t before = out->len;
    mcpw_json_writer w;
    mcpw_json unused;
    mcpw_json_write_into(&w, out);
    mcpw_status status = write_struct(type, value, &w, 0, error);
    if (status == MCPW_OK) {
        status = mcpw_json_write_end(&w, &unused);
        if (status != MCPW_OK) {
            mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
        }
    }
    if (status != MCPW_OK) {
        out->len = before;
    }
    return status;
}
