/* SPDX-License-Identifier: MIT */
/* The schema of a struct that is described by its members. */
#include "described.h"

#include <mcpw/json.h>

#include <stdio.h>
#include <string.h>

#include "../base/error_text.h"

enum { MOST_STRUCTS = 64 };

/* The structs that others refer to, each once. They stand under "$defs". */
typedef struct known {
    const mcpw_described *root;
    const mcpw_described *list[MOST_STRUCTS];
    size_t count;
} known;

/* ---- What members may be ------------------------------------------------------------------------------- */

mcpw_member_range mcpw_member_range_of(mcpw_member_kind kind, size_t size) {
    if (kind == MCPW_MEMBER_UNSIGNED) {
        return (mcpw_member_range){0, UINT32_MAX};
    }
    return size == sizeof(int32_t) ? (mcpw_member_range){INT32_MIN, INT32_MAX}
                                   : (mcpw_member_range){INT64_MIN, INT64_MAX};
}

size_t mcpw_member_size(mcpw_member_kind kind) {
    switch (kind) {
    case MCPW_MEMBER_BOOLEAN:
        return sizeof(bool);
    case MCPW_MEMBER_UNSIGNED:
        return sizeof(uint32_t);
    case MCPW_MEMBER_NUMBER:
        return sizeof(double);
    case MCPW_MEMBER_STRING:
        return sizeof(mcpw_str);
    case MCPW_MEMBER_JSON:
        return sizeof(mcpw_json);
    case MCPW_MEMBER_OPT_BOOLEAN:
        return sizeof(mcpw_opt_bool);
    case MCPW_MEMBER_OPT_INTEGER:
        return sizeof(mcpw_opt_int);
    case MCPW_MEMBER_OPT_NUMBER:
        return sizeof(mcpw_opt_double);
    case MCPW_MEMBER_WORD:
        return sizeof(int32_t);
    case MCPW_MEMBER_POINTER:
        return sizeof(void *);
    default:
        return 0;
    }
}

bool mcpw_member_may_lack(const mcpw_described_member *m) {
    return m->optional || m->kind == MCPW_MEMBER_OPT_BOOLEAN || m->kind == MCPW_MEMBER_OPT_INTEGER ||
           m->kind == MCPW_MEMBER_OPT_NUMBER;
}

static bool is_number(mcpw_member_kind kind) {
    return kind == MCPW_MEMBER_INTEGER || kind == MCPW_MEMBER_UNSIGNED || kind == MCPW_MEMBER_NUMBER ||
           kind == MCPW_MEMBER_OPT_INTEGER || kind == MCPW_MEMBER_OPT_NUMBER;
}

static bool fits(mcpw_member_kind kind, size_t size, const mcpw_described *type) {
    switch (kind) {
    case MCPW_MEMBER_INTEGER:
        return size == sizeof(int32_t) || size == sizeof(int64_t);
    case MCPW_MEMBER_OBJECT:
        return type != NULL && size == type->size;
    case MCPW_MEMBER_POINTER:
        return type != NULL && size == sizeof(void *);
    default:
        return size == mcpw_member_size(kind) && size != 0;
    }
}

mcpw_status mcpw_member_check(const mcpw_described_member *m, mcpw_error *error) {
    const mcpw_member_kind kind = m->kind == MCPW_MEMBER_LIST ? m->item : m->kind;
    const char *why = NULL;
    if (m->name == NULL) {
        why = "a member has no name";
    } else if (!fits(kind, m->size, m->type)) {
        why = "its description is of another type";
    } else if (m->kind == MCPW_MEMBER_WORD && (m->words == NULL || m->words[0] == NULL)) {
        why = "its enum has no words";
    } else if (m->bounded && (!is_number(m->kind) || !(m->least <= m->most))) {
        why = "its bounds are those of no number";
    }
    if (why != NULL) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "%s", why);
        if (m->name != NULL) {
            mcpw_error_prepend_key(error, m->name, strlen(m->name));
        }
        return MCPW_E_ARGUMENT;
    }
    return MCPW_OK;
}

/* ---- The schema ---------------------------------------------------------------------------------------- */

/* Notes a struct, and those that it has. */
static mcpw_status note(known *all, const mcpw_described *type, mcpw_error *error) {
    for (size_t i = 0; i < all->count; i++) {
        if (all->list[i] == type) {
            return MCPW_OK;
        }
        if (strcmp(all->list[i]->name, type->name) == 0) {
            mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "two structs are called %s", type->name);
            return MCPW_E_ARGUMENT;
        }
    }
    if (all->count == MOST_STRUCTS) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "more than %d structs refer to each other", MOST_STRUCTS);
        return MCPW_E_ARGUMENT;
    }
    all->list[all->count++] = type;
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; status == MCPW_OK && i < type->count; i++) {
        const mcpw_described_member *const m = type->members + i;
        status = mcpw_member_check(m, error);
        if (status == MCPW_OK && m->type != NULL) {
            status = note(all, m->type, error);
        }
    }
    return status;
}

static void put_text(mcpw_json_writer *w, const char *name, const char *text) {
    mcpw_json_write_key(w, name);
    mcpw_json_write_string(w, text, strlen(text));
}

static void put_integer(mcpw_json_writer *w, const char *name, int64_t value) {
    mcpw_json_write_key(w, name);
    mcpw_json_write_int(w, value);
}

/* The bounds of a number: those of the member, or else those of its C type. */
static void put_bounds(mcpw_json_writer *w, const mcpw_described_member *m, mcpw_member_kind kind) {
    if (m->bounded) {
        mcpw_json_write_key(w, "minimum");
        mcpw_json_write_double(w, m->least);
        mcpw_json_write_key(w, "maximum");
        mcpw_json_write_double(w, m->most);
    } else if (kind != MCPW_MEMBER_NUMBER && kind != MCPW_MEMBER_OPT_NUMBER) {
        const mcpw_member_range range = mcpw_member_range_of(kind, m->size);
        put_integer(w, "minimum", range.least);
        put_integer(w, "maximum", range.most);
    }
}

static void put_reference(mcpw_json_writer *w, const known *all, const mcpw_described *type) {
    static const char before[] = "#/$defs/";
    char text[sizeof before + MCPW_ERROR_MESSAGE_SIZE];
    (void)snprintf(text, sizeof text, "%s%s", before, type->name);
    put_text(w, "$ref", type == all->root ? "#" : text);
}

/* The members of a schema for a value of a kind. */
static void put_kind(mcpw_json_writer *w, const known *all, const mcpw_described_member *m,
                     mcpw_member_kind kind) {
    switch (kind) {
    case MCPW_MEMBER_BOOLEAN:
    case MCPW_MEMBER_OPT_BOOLEAN:
        put_text(w, "type", "boolean");
        break;
    case MCPW_MEMBER_INTEGER:
    case MCPW_MEMBER_UNSIGNED:
    case MCPW_MEMBER_OPT_INTEGER:
        put_text(w, "type", "integer");
        put_bounds(w, m, kind);
        break;
    case MCPW_MEMBER_NUMBER:
    case MCPW_MEMBER_OPT_NUMBER:
        put_text(w, "type", "number");
        put_bounds(w, m, kind);
        break;
    case MCPW_MEMBER_STRING:
        put_text(w, "type", "string");
        break;
    case MCPW_MEMBER_WORD:
        mcpw_json_write_key(w, "enum");
        mcpw_json_write_array(w);
        for (const char *const *word = m->words; *word != NULL; word++) {
            mcpw_json_write_string(w, *word, strlen(*word));
        }
        mcpw_json_write_close(w);
        break;
    case MCPW_MEMBER_OBJECT:
    case MCPW_MEMBER_POINTER:
        put_reference(w, all, m->type);
        break;
    case MCPW_MEMBER_LIST:
        put_text(w, "type", "array");
        mcpw_json_write_key(w, "items");
        mcpw_json_write_object(w);
        put_kind(w, all, m, m->item);
        mcpw_json_write_close(w);
        break;
    default: /* any value */
        break;
    }
}

/* The members of a schema for a struct. */
static void put_struct(mcpw_json_writer *w, const known *all, const mcpw_described *type) {
    put_text(w, "type", "object");
    mcpw_json_write_key(w, "properties");
    mcpw_json_write_object(w);
    for (size_t i = 0; i < type->count; i++) {
        const mcpw_described_member *const m = type->members + i;
        mcpw_json_write_key(w, m->name);
        mcpw_json_write_object(w);
        put_kind(w, all, m, m->kind);
        if (m->description != NULL) {
            put_text(w, "description", m->description);
        }
        mcpw_json_write_close(w);
    }
    mcpw_json_write_close(w);
    mcpw_json_write_key(w, "required");
    mcpw_json_write_array(w);
    for (size_t i = 0; i < type->count; i++) {
        if (!mcpw_member_may_lack(type->members + i)) {
            mcpw_json_write_string(w, type->members[i].name, strlen(type->members[i].name));
        }
    }
    mcpw_json_write_close(w);
}

mcpw_status mcpw_described_schema(const mcpw_described *type, mcpw_buffer *out, mcpw_error *error) {
    known all = {type, {NULL}, 0};
    mcpw_json_writer w;
    mcpw_json unused;
    mcpw_status status = note(&all, type, error);
    if (status != MCPW_OK) {
        return status;
    }
    mcpw_json_write_into(&w, out);
    mcpw_json_write_object(&w);
    put_struct(&w, &all, type);
    if (all.count > 1) {
        mcpw_json_write_key(&w, "$defs");
        mcpw_json_write_object(&w);
        for (size_t i = 1; i < all.count; i++) {
            mcpw_json_write_key(&w, all.list[i]->name);
            mcpw_json_write_object(&w);
            put_struct(&w, &all, all.list[i]);
            mcpw_json_write_close(&w);
        }
        mcpw_json_write_close(&w);
    }
    mcpw_json_write_close(&w);
    status = mcpw_json_write_end(&w, &unused);
    if (status != MCPW_OK) {
        mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
    }
    return status;
}
