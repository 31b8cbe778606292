/* SPDX-License-Identifier: MIT */
/* Structs that are described by their members: what members may be, and the schema. */
#include "described.h"

#include <mcpw/json.h>

#include <stdio.h>
#include <string.h>

#include "../base/error_text.h"

/* ---- What members may be ------------------------------------------------------------------------------- */

mcpw_member_range mcpw_member_range_of(mcpw_member_kind kind, size_t size) {
    if (kind == MCPW_MEMBER_UNSIGNED) {
        return (mcpw_member_range){0, UINT32_MAX};
    }
    return size == sizeof(int32_t) ? (mcpw_member_range){INT32_MIN, INT32_MAX}
                                   : (mcpw_member_range){INT64_MIN, INT64_MAX};
}

mcpw_kind mcpw_described_kind(mcpw_member_kind kind, size_t size) {
    static const uint8_t kinds[] = {
        [MCPW_MEMBER_BOOLEAN] = MCPW_KIND_BOOLEAN,
        [MCPW_MEMBER_INTEGER] = MCPW_KIND_INTEGER,
        [MCPW_MEMBER_UNSIGNED] = MCPW_KIND_INT32,
        [MCPW_MEMBER_NUMBER] = MCPW_KIND_NUMBER,
        [MCPW_MEMBER_STRING] = MCPW_KIND_STRING,
        [MCPW_MEMBER_JSON] = MCPW_KIND_JSON,
        [MCPW_MEMBER_OPT_BOOLEAN] = MCPW_KIND_OPT_BOOLEAN,
        [MCPW_MEMBER_OPT_INTEGER] = MCPW_KIND_OPT_INTEGER,
        [MCPW_MEMBER_OPT_NUMBER] = MCPW_KIND_OPT_NUMBER,
        [MCPW_MEMBER_WORD] = MCPW_KIND_ENUM,
        [MCPW_MEMBER_OBJECT] = MCPW_KIND_STRUCT,
        [MCPW_MEMBER_POINTER] = MCPW_KIND_STRUCT_PTR,
        [MCPW_MEMBER_LIST] = MCPW_KIND_ARRAY,
    };
    if (kind == MCPW_MEMBER_INTEGER && size == sizeof(int32_t)) {
        return MCPW_KIND_INT32;
    }
    return (size_t)kind < sizeof kinds ? (mcpw_kind)kinds[kind] : MCPW_KIND_END;
}

static mcpw_ref plain_ref(mcpw_member_kind kind, size_t size) {
    const mcpw_ref ref = {(uint8_t)mcpw_described_kind(kind, size), 0, 0};
    return mcpw_plain_ref(ref);
}

bool mcpw_described_may_lack(const mcpw_described_member *m) {
    const mcpw_ref ref = {(uint8_t)mcpw_described_kind(m->kind, m->size), 0, 0};
    return m->optional || mcpw_is_optional(ref);
}

static bool is_number(mcpw_member_kind kind, size_t size) {
    const mcpw_ref plain = plain_ref(kind, size);
    return mcpw_is_number(plain) || plain.kind == MCPW_KIND_INT32;
}

/* Infinities and what is no number are none. */
static bool are_bounds(double least, double most) {
    return least <= most && least - least == 0 && most - most == 0;
}

static bool fits(mcpw_member_kind kind, size_t size, const mcpw_described *type) {
    const mcpw_kind known = mcpw_described_kind(kind, size);
    const bool refers = kind == MCPW_MEMBER_OBJECT || kind == MCPW_MEMBER_POINTER;
    if (known == MCPW_KIND_END || kind == MCPW_MEMBER_LIST || (refers && type == NULL)) {
        return false;
    }
    return size == (kind == MCPW_MEMBER_OBJECT ? type->size : mcpw_kinds[known].size);
}

/* Whether the description can be that of the member. It says so in error where not. */
static mcpw_status check_member(const mcpw_described_member *m, mcpw_error *error) {
    const bool is_list = m->kind == MCPW_MEMBER_LIST;
    const mcpw_member_kind kind = is_list ? m->item : m->kind;
    const char *why = NULL;
    if (m->name == NULL) {
        why = "a member has no name";
    } else if (!fits(kind, m->size, m->type)) {
        why = "its description is of another type";
    } else if (is_list && m->count_offset != m->offset + sizeof(void *)) {
        why = "its count does not follow its items";
    } else if (kind == MCPW_MEMBER_WORD && (m->words == NULL || m->words[0] == NULL)) {
        why = "its enum has no words";
    } else if (m->bounded && (!is_number(m->kind, m->size) || !are_bounds(m->least, m->most))) {
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

mcpw_status mcpw_described_collect(mcpw_described_set *all, const mcpw_described *type, mcpw_error *error) {
    for (size_t i = 0; i < all->count; i++) {
        if (all->list[i] == type) {
            return MCPW_OK;
        }
        if (strcmp(all->list[i]->name, type->name) == 0) {
            mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "two structs are called %s", type->name);
            return MCPW_E_ARGUMENT;
        }
    }
    if (all->count == MCPW_DESCRIBED_STRUCTS) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "more than %d structs refer to each other",
                       MCPW_DESCRIBED_STRUCTS);
        return MCPW_E_ARGUMENT;
    }
    all->list[all->count++] = type;
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; status == MCPW_OK && i < type->count; i++) {
        const mcpw_described_member *const m = type->members + i;
        status = check_member(m, error);
        if (status == MCPW_OK && m->type != NULL) {
            status = mcpw_described_collect(all, m->type, error);
        }
    }
    return status;
}

/* ---- The schema ---------------------------------------------------------------------------------------- */

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
    } else if (plain_ref(kind, m->size).kind != MCPW_KIND_NUMBER) {
        const mcpw_member_range range = mcpw_member_range_of(kind, m->size);
        put_integer(w, "minimum", range.least);
        put_integer(w, "maximum", range.most);
    }
}

static void put_reference(mcpw_json_writer *w, const mcpw_described_set *all, const mcpw_described *type) {
    static const char before[] = "#/$defs/";
    char text[sizeof before + MCPW_ERROR_MESSAGE_SIZE];
    (void)snprintf(text, sizeof text, "%s%s", before, type->name);
    put_text(w, "$ref", type == all->list[0] ? "#" : text);
}

/* The members of a schema for a value of a kind. */
static void put_kind(mcpw_json_writer *w, const mcpw_described_set *all, const mcpw_described_member *m,
                     mcpw_member_kind kind) {
    switch (plain_ref(kind, m->size).kind) {
    case MCPW_KIND_BOOLEAN:
        put_text(w, "type", "boolean");
        break;
    case MCPW_KIND_INTEGER:
    case MCPW_KIND_INT32:
        put_text(w, "type", "integer");
        put_bounds(w, m, kind);
        break;
    case MCPW_KIND_NUMBER:
        put_text(w, "type", "number");
        put_bounds(w, m, kind);
        break;
    case MCPW_KIND_STRING:
        put_text(w, "type", "string");
        break;
    case MCPW_KIND_ENUM:
        mcpw_json_write_key(w, "enum");
        mcpw_json_write_array(w);
        for (const char *const *word = m->words; *word != NULL; word++) {
            mcpw_json_write_string(w, *word, strlen(*word));
        }
        mcpw_json_write_close(w);
        break;
    case MCPW_KIND_STRUCT:
        put_reference(w, all, m->type);
        break;
    case MCPW_KIND_ARRAY:
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
static void put_struct(mcpw_json_writer *w, const mcpw_described_set *all, const mcpw_described *type) {
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
        if (!mcpw_described_may_lack(type->members + i)) {
            mcpw_json_write_string(w, type->members[i].name, strlen(type->members[i].name));
        }
    }
    mcpw_json_write_close(w);
}

mcpw_status mcpw_described_schema(const mcpw_described *type, mcpw_buffer *out, mcpw_error *error) {
    mcpw_described_set all = {{NULL}, 0};
    mcpw_json_writer w;
    mcpw_json unused;
    mcpw_status status = mcpw_described_collect(&all, type, error);
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
