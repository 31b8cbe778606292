/* SPDX-License-Identifier: MIT */
/* Revisions, types and methods by name. */
#include <mcpw/codec.h>
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/generated.h>
#include <mcpw/detail/table.h>

#include "tables.h"

const mcpw_revision *mcpw_find_revision(const char *revision) {
    size_t count = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    if (revision == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(all[i]->name, revision) == 0) {
            return all[i];
        }
    }
    return NULL;
}

const mcpw_type *mcpw_find_type(const char *revision, const char *name) {
    return mcpw_revision_type(mcpw_find_revision(revision), name);
}

const mcpw_type *mcpw_revision_type(const mcpw_revision *revision, const char *name) {
    size_t low = 0;
    size_t high = revision != NULL ? revision->definition_count : 0;
    if (name == NULL) {
        return NULL;
    }
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const mcpw_type *const type = revision->definitions[middle];
        const int order = strcmp(name, type->name);
        if (order == 0) {
            return type;
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

static bool is_named(const mcpw_revision *revision, const mcpw_method *m, const char *name, size_t len) {
    return m->name_len == len && memcmp(revision->pool + m->name + 1, name, len) == 0;
}

int mcpw_method_number(const mcpw_revision *revision, const char *name, size_t len) {
    if (revision == NULL || name == NULL || len == 0 || len > MCPW_MAX_KEY) {
        return 0;
    }
    if (mcpw_has_method_slots(revision)) {
        const unsigned place = mcpw_method_slot(revision, name, len);
        const bool found = place != MCPW_NO_INDEX && is_named(revision, revision->methods + place, name, len);
        return found ? (int)place + 1 : 0;
    }
    int number = revision->method_count;
    while (number > 0 && !is_named(revision, revision->methods + (number - 1), name, len)) {
        number--;
    }
    return number;
}

const mcpw_method *mcpw_method_entry(const mcpw_revision *revision, int number) {
    if (revision == NULL || number < 1 || number > revision->method_count) {
        return NULL;
    }
    return revision->methods + (number - 1);
}

mcpw_str mcpw_method_name(const mcpw_revision *revision, int number) {
    const mcpw_method *const entry = mcpw_method_entry(revision, number);
    mcpw_str name = {NULL, 0};
    if (entry != NULL) {
        name.ptr = revision->pool + entry->name + 1;
        name.len = entry->name_len;
    }
    return name;
}

mcpw_str mcpw_enum_text(const mcpw_revision *revision, uint16_t enum_index, int value) {
    mcpw_str text = {NULL, 0};
    if (revision == NULL || enum_index >= revision->enum_count || value < 1 ||
        value > revision->enums[enum_index].count) {
        return text;
    }
    return mcpw_enum_value_text(revision->pool,
                                revision->enum_values + revision->enums[enum_index].first + (value - 1));
}

int mcpw_enum_value_of(const mcpw_revision *revision, uint16_t enum_index, const char *text, size_t len) {
    const mcpw_str wanted = {text, len};
    for (int value = 1;; value++) {
        const mcpw_str known = mcpw_enum_text(revision, enum_index, value);
        if (known.ptr == NULL) {
            return 0;
        }
        if (mcpw_str_equal(known, wanted)) {
            return value;
        }
    }
}
