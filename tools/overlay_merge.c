/* SPDX-License-Identifier: MIT */
#include "overlay_merge.h"

#include "glance.h"
#include "tool.h"
#include "unwrap.h"

#include <stdint.h>
#include <string.h>

static const char *const keywords[] = {"/$defs/", "/definitions/"};

enum { KEYWORDS = sizeof keywords / sizeof keywords[0] };

void merge_begin(merger *m, mcpw_json schema) {
    memset(m, 0, sizeof *m);
    m->out = (text)TEXT_INIT;
    m->arena = (mcpw_arena)MCPW_ARENA_INIT;
    text_bytes(&m->out, schema.ptr, schema.len);
}

void merge_free(merger *m) {
    text_free(&m->out);
    mcpw_arena_free(&m->arena);
}

mcpw_json merge_text(const merger *m) {
    const mcpw_json all = mcpw_json_of(m->out.buffer.data, m->out.buffer.len);
    return all;
}

static bool misfits(const merger *m, const char *pointer, const char *why) {
    tool_complain("%s: %s: %s", m->name, pointer, why);
    return false;
}

/* A string, NUL-terminated; "" if the value is none. */
static const char *string_of(merger *m, mcpw_json value) {
    mcpw_str found = {NULL, 0};
    if (value.ptr == NULL || mcpw_json_string(value, &m->arena, &found) != MCPW_OK) {
        return "";
    }
    char *const copy = mcpw_arena_alloc(&m->arena, found.len + 1);
    if (copy == NULL) {
        return "";
    }
    memcpy(copy, found.ptr, found.len);
    copy[found.len] = '\0';
    return copy;
}

/* The keyword of the schema for its definitions. */
static const char *keyword_of(const merger *m) {
    return glance_member(merge_text(m), "$defs").ptr != NULL ? keywords[0] : keywords[1];
}

/* Converts a pointer to the schema's keyword. */
static const char *pointer_of(merger *m, mcpw_json value) {
    const char *const given = string_of(m, value);
    const char *const own = keyword_of(m);
    for (size_t i = 0; i < KEYWORDS; i++) {
        const size_t len = strlen(keywords[i]);
        if (strncmp(given, keywords[i], len) == 0 && keywords[i] != own) {
            const size_t rest = strlen(given + len);
            char *const copy = mcpw_arena_alloc(&m->arena, strlen(own) + rest + 1);
            if (copy == NULL) {
                return "";
            }
            memcpy(copy, own, strlen(own));
            memcpy(copy + strlen(own), given + len, rest + 1);
            return copy;
        }
    }
    return given;
}

/* Replaces bytes of the schema. */
static bool splice(merger *m, size_t at, size_t gone, const text *in_place) {
    const mcpw_json all = merge_text(m);
    text next = TEXT_INIT;
    text_bytes(&next, all.ptr, at);
    text_bytes(&next, in_place->buffer.len != 0 ? in_place->buffer.data : "", in_place->buffer.len);
    text_bytes(&next, all.ptr + at + gone, all.len - at - gone);
    const bool lost = next.lost || in_place->lost;
    text_free(&m->out);
    m->out = next;
    return lost ? misfits(m, "/", "out of memory") : true;
}

static size_t place_of(const merger *m, mcpw_json value) { return (size_t)(value.ptr - m->out.buffer.data); }

/* Appends a value, converting its references to the schema's keyword. */
static void put_value(merger *m, text *out, mcpw_json value) {
    const char *const own = keyword_of(m);
    size_t from = 0;
    for (size_t i = 0; i + 2 < value.len; i++) {
        for (size_t k = 0; k < KEYWORDS && value.ptr[i] == '"' && value.ptr[i + 1] == '#'; k++) {
            const size_t len = strlen(keywords[k]);
            if (i + 2 + len <= value.len && memcmp(value.ptr + i + 2, keywords[k], len) == 0) {
                text_bytes(out, value.ptr + from, i + 2 - from);
                text_add(out, own);
                from = i + 2 + len;
                i = from - 1;
                break;
            }
        }
    }
    text_bytes(out, value.ptr + from, value.len - from);
}

/* ---- changes ---- */

/* The beginning of a value's entry in its parent, including its key. */
static const char *entry_begin(mcpw_json parent, mcpw_json value) {
    mcpw_json_iter it;
    mcpw_json key = {NULL, 0, 0};
    mcpw_json each = {NULL, 0, 0};
    if (mcpw_json_kind_of(parent) != MCPW_JSON_OBJECT || mcpw_json_iterate(parent, &it) != MCPW_OK) {
        return value.ptr;
    }
    while (mcpw_json_next(&it, &key, &each)) {
        if (each.ptr == value.ptr) {
            return key.ptr;
        }
    }
    return value.ptr;
}

static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/* Removes an entry and the comma before or after it. */
static bool take_out(merger *m, mcpw_json parent, mcpw_json value) {
    static const text nothing = TEXT_INIT;
    const char *begin = entry_begin(parent, value);
    const char *end = value.ptr + value.len;
    while (is_space(*end)) {
        end++;
    }
    if (*end == ',') {
        end++;
    } else {
        const char *before = begin - 1;
        while (is_space(*before)) {
            before--;
        }
        begin = *before == ',' ? before : begin;
    }
    return splice(m, (size_t)(begin - m->out.buffer.data), (size_t)(end - begin), &nothing);
}

/* Inserts a member into an object as the first one. */
static bool put_in(merger *m, mcpw_json parent, const char *name, mcpw_json value) {
    text entry = TEXT_INIT;
    text_json(&entry, name, strlen(name));
    text_add(&entry, ":");
    put_value(m, &entry, value);
    text_add(&entry, mcpw_json_count(parent) != 0 ? "," : "");
    const bool done = splice(m, place_of(m, parent) + 1, 0, &entry);
    text_free(&entry);
    return done;
}

static bool replace(merger *m, mcpw_json old, mcpw_json value) {
    text in_place = TEXT_INIT;
    put_value(m, &in_place, value);
    const bool done = splice(m, place_of(m, old), old.len, &in_place);
    text_free(&in_place);
    return done;
}

static bool is_true(mcpw_json value) { return value.len == 4 && memcmp(value.ptr, "true", value.len) == 0; }

/* True if the value is the one that a change expects. */
static bool is_expected(merger *m, mcpw_json found, mcpw_json old) {
    text own = TEXT_INIT; /* with the schema's keyword */
    put_value(m, &own, old);
    const mcpw_json wanted = mcpw_json_of(own.buffer.data, own.buffer.len);
    const bool is = !own.lost && mcpw_json_equal(found, wanted);
    text_free(&own);
    return is;
}

static bool change(merger *m, mcpw_json entry) {
    char *const pointer = (char *)(uintptr_t)pointer_of(m, glance_member(entry, "pointer"));
    const mcpw_json value = glance_member(entry, "new");
    const mcpw_json old = glance_member(entry, "old");
    const bool gone = is_true(glance_member(entry, "gone"));
    char *const last = strrchr(pointer, '/');
    mcpw_json parent = {NULL, 0, 0};
    mcpw_json found = {NULL, 0, 0};
    if (last == NULL || (value.ptr == NULL && !gone)) {
        return misfits(m, pointer, "a change has a pointer, and \"new\" or \"gone\"");
    }
    const bool there = unwrap_find(merge_text(m), pointer, &found);
    *last = '\0';
    const bool has_parent = unwrap_find(merge_text(m), pointer, &parent);
    *last = '/';
    if (is_true(glance_member(entry, "old_absent"))) {
        return there || !has_parent || mcpw_json_kind_of(parent) != MCPW_JSON_OBJECT || gone
                   ? misfits(m, pointer, "the change expects that nothing is there yet")
                   : put_in(m, parent, last + 1, value);
    }
    if (!there || old.ptr == NULL || !is_expected(m, found, old)) {
        return misfits(m, pointer, "the value is not the one that the change expects");
    }
    return gone ? take_out(m, parent, found) : replace(m, found, value);
}

/* Calls `follow` for each item of a list; a value that is no list has none. */
static bool follow_each(merger *m, mcpw_json list, bool (*follow)(merger *m, mcpw_json entry)) {
    mcpw_json_iter it;
    mcpw_json entry = {NULL, 0, 0};
    bool good = true;
    if (list.ptr == NULL || mcpw_json_kind_of(list) != MCPW_JSON_ARRAY ||
        mcpw_json_iterate(list, &it) != MCPW_OK) {
        return list.ptr == NULL || misfits(m, "/", "a list is expected");
    }
    while (good && mcpw_json_next(&it, NULL, &entry)) {
        good = follow(m, entry);
    }
    return good;
}

bool merge_changes(merger *m, mcpw_json changes) { return follow_each(m, changes, change); }

/* ---- selectors of results ---- */

/* Selects a definition by a value: the selecting member becomes constant if the schema leaves it open. */
static bool select(merger *m, const char *name, mcpw_json value, const char *definition) {
    const mcpw_json all = merge_text(m);
    const mcpw_json known =
        glance_member(all, glance_member(all, "$defs").ptr != NULL ? "$defs" : "definitions");
    const mcpw_json open = glance_member(glance_member(glance_member(known, definition), "properties"), name);
    if (open.ptr == NULL || glance_member(open, "const").ptr != NULL) {
        return true;
    }
    text constant = TEXT_INIT;
    text_add(&constant, "{\"type\":\"string\",\"const\":");
    text_bytes(&constant, value.ptr, value.len);
    text_add(&constant, "}");
    const bool done = splice(m, place_of(m, open), open.len, &constant);
    text_free(&constant);
    return done;
}

bool merge_selectors(merger *m, mcpw_json methods) {
    mcpw_json_iter it;
    mcpw_json_iter values;
    mcpw_json entry = {NULL, 0, 0};
    mcpw_json value = {NULL, 0, 0};
    mcpw_json definition = {NULL, 0, 0};
    bool good = true;
    if (methods.ptr == NULL || mcpw_json_iterate(methods, &it) != MCPW_OK) {
        return true;
    }
    while (good && mcpw_json_next(&it, NULL, &entry)) {
        const char *const name = string_of(m, glance_member(entry, "member"));
        if (mcpw_json_iterate(glance_member(entry, "values"), &values) != MCPW_OK) {
            continue;
        }
        while (good && mcpw_json_next(&values, &value, &definition)) {
            good = select(m, name, value, string_of(m, definition));
        }
    }
    return good;
}

/* ---- definitions and alternatives ---- */

bool merge_definitions(merger *m, mcpw_json definitions) {
    mcpw_json_iter it;
    mcpw_json key = {NULL, 0, 0};
    mcpw_json value = {NULL, 0, 0};
    bool good = true;
    if (definitions.ptr == NULL) {
        return true;
    }
    if (mcpw_json_kind_of(definitions) != MCPW_JSON_OBJECT ||
        mcpw_json_iterate(definitions, &it) != MCPW_OK) {
        return misfits(m, "/definitions", "definitions are an object");
    }
    while (good && mcpw_json_next(&it, &key, &value)) {
        const char *const name = string_of(m, key);
        const mcpw_json all = merge_text(m);
        const mcpw_json known =
            glance_member(all, glance_member(all, "$defs").ptr != NULL ? "$defs" : "definitions");
        if (glance_member(known, name).ptr == NULL) {
            good = put_in(m, known, name, value);
        }
    }
    return good;
}

static bool add_alternatives(merger *m, mcpw_json entry) {
    const char *const at = pointer_of(m, glance_member(entry, "at"));
    const mcpw_json names = glance_member(entry, "add");
    mcpw_json_iter it;
    mcpw_json name = {NULL, 0, 0};
    mcpw_json list = {NULL, 0, 0};
    text refs = TEXT_INIT;
    if (!unwrap_find(merge_text(m), at, &list) || mcpw_json_kind_of(list) != MCPW_JSON_ARRAY ||
        mcpw_json_iterate(names, &it) != MCPW_OK) {
        return misfits(m, at, "alternatives are added to an array");
    }
    while (mcpw_json_next(&it, NULL, &name)) {
        const char *const definition = string_of(m, name);
        text_add(&refs,
                 mcpw_json_count(list) != 0 || refs.buffer.len != 0 ? ",{\"$ref\":\"#" : "{\"$ref\":\"#");
        text_add(&refs, keyword_of(m));
        text_add(&refs, definition);
        text_add(&refs, "\"}");
    }
    const bool done = splice(m, place_of(m, list) + list.len - 1, 0, &refs);
    text_free(&refs);
    return done;
}

bool merge_alternatives(merger *m, mcpw_json alternatives) {
    return follow_each(m, alternatives, add_alternatives);
}
