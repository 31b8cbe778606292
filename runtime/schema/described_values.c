/* SPDX-License-Identifier: MIT */
/* Values of structs that are described by their members, from JSON and to it. */
#include <mcpw/json.h>

#include <string.h>

#include "../base/arena_internal.h"
#include "../base/error_text.h"
#include "described.h"

/* A status of a reader or writer, with its usual words. */
static mcpw_status explained(mcpw_error *error, mcpw_status status) {
    return status == MCPW_OK ? MCPW_OK : mcpw_error_status(error, status);
}

static mcpw_status no_word(mcpw_error *error, const char *why) {
    mcpw_error_text(error, MCPW_E_VALUE, 0, why);
    return MCPW_E_VALUE;
}

static mcpw_status missing(mcpw_error *error, const mcpw_described_member *m) {
    mcpw_error_set(error, MCPW_E_MISSING, 0, "missing required member \"%s\"", m->name);
    return MCPW_E_MISSING;
}

static mcpw_status in_bounds(const mcpw_described_member *m, double value, mcpw_error *error) {
    const bool good = !m->bounded || (value >= m->least && value <= m->most);
    return explained(error, good ? MCPW_OK : MCPW_E_RANGE);
}

/* ---- From JSON ----------------------------------------------------------------------------------------- */

static mcpw_status read_struct(const mcpw_described *type, mcpw_json value, mcpw_arena *arena, void *out,
                               mcpw_error *error);

static mcpw_status read_integer(const mcpw_described_member *m, mcpw_member_kind kind, mcpw_json value,
                                void *to, mcpw_error *error) {
    const mcpw_member_range range = mcpw_member_range_of(kind, m->size);
    int64_t integer = 0;
    mcpw_status status = mcpw_json_int(value, &integer);
    if (status == MCPW_OK && (integer < range.least || integer > range.most)) {
        status = MCPW_E_RANGE;
    }
    const uint32_t low = (uint32_t)integer;
    if (m->size == sizeof low) {
        memcpy(to, &low, sizeof low);
    } else {
        memcpy(to, &integer, sizeof integer); /* long or long long */
    }
    return status == MCPW_OK ? in_bounds(m, (double)integer, error) : explained(error, status);
}

static mcpw_status read_number(const mcpw_described_member *m, mcpw_json value, double *to,
                               mcpw_error *error) {
    const mcpw_status status = mcpw_json_double(value, to);
    return status == MCPW_OK ? in_bounds(m, *to, error) : explained(error, status);
}

static mcpw_status read_word(const mcpw_described_member *m, mcpw_json value, mcpw_arena *arena, int32_t *to,
                             mcpw_error *error) {
    static const char why[] = "value is not one of the words";
    mcpw_str word;
    if (mcpw_json_kind_of(value) != MCPW_JSON_STRING) {
        return no_word(error, why);
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
    return no_word(error, why);
}

static mcpw_status copy_text(mcpw_str text, mcpw_arena *arena, mcpw_str *to, mcpw_error *error) {
    *to = mcpw_arena_str(arena, text.ptr, text.len);
    return explained(error, to->ptr != NULL ? MCPW_OK : mcpw_arena_status(arena));
}

static mcpw_status read_string(mcpw_json value, mcpw_arena *arena, mcpw_str *to, mcpw_error *error) {
    mcpw_str text;
    const mcpw_status status = mcpw_json_string(value, arena, &text);
    return status == MCPW_OK ? copy_text(text, arena, to, error) : explained(error, status);
}

static mcpw_status read_json(mcpw_json value, mcpw_arena *arena, mcpw_json *to, mcpw_error *error) {
    mcpw_str copy;
    const mcpw_status status = copy_text((mcpw_str){value.ptr, value.len}, arena, &copy, error);
    *to = (mcpw_json){copy.ptr, copy.len, 0};
    return status;
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
                             mcpw_arena *arena, char *to, mcpw_error *error) {
    const mcpw_member_facts *const facts = mcpw_member_facts_of(kind);
    if (facts->inside != 0) {
        *(bool *)to = true;
        to += facts->inside;
    }
    switch (facts->plain) {
    case MCPW_MEMBER_BOOLEAN:
        return explained(error, mcpw_json_bool(value, (bool *)to));
    case MCPW_MEMBER_INTEGER:
    case MCPW_MEMBER_UNSIGNED:
        return read_integer(m, kind, value, to, error);
    case MCPW_MEMBER_NUMBER:
        return read_number(m, value, (double *)(void *)to, error);
    case MCPW_MEMBER_STRING:
        return read_string(value, arena, (mcpw_str *)(void *)to, error);
    case MCPW_MEMBER_WORD:
        return read_word(m, value, arena, (int32_t *)(void *)to, error);
    case MCPW_MEMBER_OBJECT:
        return read_struct(m->type, value, arena, to, error);
    case MCPW_MEMBER_POINTER:
        return read_pointer(m, value, arena, to, error);
    default:
        return read_json(value, arena, (mcpw_json *)(void *)to, error);
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
        if (mcpw_json_get(value, m->name, &found) == MCPW_E_NOT_FOUND) {
            if (mcpw_member_may_lack(m)) {
                continue;
            }
            return missing(error, m);
        }
        const mcpw_status status = m->kind == MCPW_MEMBER_LIST
                                       ? read_list(m, found, arena, object, error)
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

static mcpw_status write_struct(const mcpw_described *type, const char *object, mcpw_json_writer *w,
                                unsigned depth, mcpw_error *error);

static mcpw_status write_integer(const mcpw_described_member *m, mcpw_member_kind kind, const void *from,
                                 mcpw_json_writer *w, mcpw_error *error) {
    int64_t value = 0;
    if (kind == MCPW_MEMBER_UNSIGNED) {
        value = *(const uint32_t *)from;
    } else if (m->size == sizeof(int32_t)) {
        value = *(const int32_t *)from;
    } else {
        memcpy(&value, from, sizeof value);
    }
    mcpw_json_write_int(w, value);
    return in_bounds(m, (double)value, error);
}

static mcpw_status write_word(const mcpw_described_member *m, int32_t value, mcpw_json_writer *w,
                              mcpw_error *error) {
    for (int32_t i = 0; m->words[i] != NULL; i++) {
        if (value == i + 1) {
            mcpw_json_write_string(w, m->words[i], strlen(m->words[i]));
            return MCPW_OK;
        }
    }
    return no_word(error, "the enum has no such value");
}

static mcpw_status write_kind(const mcpw_described_member *m, mcpw_member_kind kind, const char *from,
                              mcpw_json_writer *w, unsigned depth, mcpw_error *error) {
    const mcpw_member_facts *const facts = mcpw_member_facts_of(kind);
    const void *const plain = from + facts->inside;
    const mcpw_str *const text = plain;
    const char *object = from;
    switch (facts->plain) {
    case MCPW_MEMBER_BOOLEAN:
        mcpw_json_write_bool(w, *(const bool *)plain);
        return MCPW_OK;
    case MCPW_MEMBER_INTEGER:
    case MCPW_MEMBER_UNSIGNED:
        return write_integer(m, kind, plain, w, error);
    case MCPW_MEMBER_NUMBER:
        mcpw_json_write_double(w, *(const double *)plain);
        return in_bounds(m, *(const double *)plain, error);
    case MCPW_MEMBER_STRING:
        mcpw_json_write_string(w, text->ptr, text->len);
        return MCPW_OK;
    case MCPW_MEMBER_WORD:
        return write_word(m, *(const int32_t *)plain, w, error);
    case MCPW_MEMBER_POINTER:
        memcpy((void *)&object, from, sizeof object);
        return write_struct(m->type, object, w, depth + 1, error);
    case MCPW_MEMBER_OBJECT:
        return write_struct(m->type, from, w, depth + 1, error);
    default:
        mcpw_json_write_raw(w, *(const mcpw_json *)plain);
        return MCPW_OK;
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

static bool is_absent(const mcpw_described_member *m, const char *at) {
    static const char zeros[sizeof(void *)] = {0};
    const size_t size = mcpw_member_facts_of(m->kind)->absent;
    return size != 0 && memcmp(at, zeros, size) == 0;
}

static mcpw_status write_member(const mcpw_described_member *m, const char *object, mcpw_json_writer *w,
                                unsigned depth, mcpw_error *error) {
    const char *const at = object + m->offset;
    if (is_absent(m, at)) {
        return mcpw_member_may_lack(m) ? MCPW_OK : missing(error, m);
    }
    mcpw_json_write_key(w, m->name);
    const mcpw_status status = m->kind == MCPW_MEMBER_LIST ? write_list(m, object, w, depth, error)
                                                           : write_kind(m, m->kind, at, w, depth, error);
    if (status != MCPW_OK) {
        mcpw_error_prepend_key(error, m->name, strlen(m->name));
    }
    return status;
}

static mcpw_status write_struct(const mcpw_described *type, const char *object, mcpw_json_writer *w,
                                unsigned depth, mcpw_error *error) {
    mcpw_status status = MCPW_OK;
    if (depth >= MCPW_JSON_WRITE_DEPTH / 2) { /* a list is a level as well */
        return explained(error, MCPW_E_DEPTH);
    }
    mcpw_json_write_object(w);
    for (size_t i = 0; status == MCPW_OK && i < type->count; i++) {
        status = write_member(type->members + i, object, w, depth, error);
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
        status = explained(error, mcpw_json_write_end(&w, &unused));
    }
    if (status != MCPW_OK) {
        out->len = before;
    }
    return status;
}
