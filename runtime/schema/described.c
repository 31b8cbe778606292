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

#define PLAIN(kind, type, absent) [kind] = {sizeof(type), kind, 0, absent}
/* A value behind a bool. */
#define OPTION(kind, type, plain) [kind] = {sizeof(type), plain, offsetof(type, value), sizeof(bool)}
/* A value of more than one size. */
#define SIZED(kind) [kind] = {0, kind, 0, 0}

static const mcpw_member_facts kinds[] = {
    SIZED(MCPW_MEMBER_INTEGER),
    SIZED(MCPW_MEMBER_OBJECT),
    PLAIN(MCPW_MEMBER_BOOLEAN, bool, 0),
    PLAIN(MCPW_MEMBER_UNSIGNED, uint32_t, 0),
    PLAIN(MCPW_MEMBER_NUMBER, double, 0),
    PLAIN(MCPW_MEMBER_STRING, mcpw_str, sizeof(void *)),
    PLAIN(MCPW_MEMBER_JSON, mcpw_json, sizeof(void *)),
    PLAIN(MCPW_MEMBER_POINTER, void *, sizeof(void *)),
    PLAIN(MCPW_MEMBER_WORD, int32_t, sizeof(int32_t)),
    OPTION(MCPW_MEMBER_OPT_BOOLEAN, mcpw_opt_bool, MCPW_MEMBER_BOOLEAN),
    OPTION(MCPW_MEMBER_OPT_INTEGER, mcpw_opt_int, MCPW_MEMBER_INTEGER),
    OPTION(MCPW_MEMBER_OPT_NUMBER, mcpw_opt_double, MCPW_MEMBER_NUMBER),
    SIZED(MCPW_MEMBER_LIST),
};

const mcpw_member_facts *mcpw_member_facts_of(mcpw_member_kind kind) {
    return kinds + ((size_t)kind < sizeof kinds / sizeof *kinds ? kind : 0);
}

bool mcpw_member_may_lack(const mcpw_described_member *m) {
    return m->optional || mcpw_member_facts_of(m->kind)->inside != 0;
}

static bool is_number(mcpw_member_kind kind) {
    const unsigned plain = mcpw_member_facts_of(kind)->plain;
    return plain == MCPW_MEMBER_INTEGER || plain == MCPW_MEMBER_UNSIGNED || plain == MCPW_MEMBER_NUMBER;
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
        return size == mcpw_member_facts_of(kind)->size && size != 0;
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
    } else if (mcpw_member_facts_of(kind)->plain != MCPW_MEMBER_NUMBER) {
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
    switch (mcpw_member_facts_of(kind)->plain) {
    case MCPW_MEMBER_BOOLEAN:
        put_text(w, "type", "boolean");
        break;
    case MCPW_MEMBER_INTEGER:
    case MCPW_MEMBER_UNSIGNED:
        put_text(w, "type", "integer");
        put_bounds(w, m, kind);
        break;
    case MCPW_MEMBER_NUMBER:
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
