/* SPDX-License-Identifier: MIT */
/* Targets of references: documents, anchors, and places that JSON pointers name. */
#include "compiler.h"

enum { FEW = 8 /* members that are looked through one by one */ };

/* Gets a document that is not there yet. */
static void fetch(mcpw_compiler *c, const mcpw_site *at, uint32_t number, mcpw_site *out) {
    const mcpw_str uri = mcpw_uri_text(c, number);
    if (mcpw_failed(c)) {
        return;
    }
    mcpw_json text = mcpw_find_metaschema(uri.ptr, uri.len);
    mcpw_status status = MCPW_OK;
    if (text.ptr == NULL) {
        status = c->options.resolve != NULL ? c->options.resolve(c->options.user, uri.ptr, &text)
                                            : MCPW_E_NOT_FOUND;
        if (status == MCPW_OK && text.ptr == NULL) {
            status = MCPW_E_NOT_FOUND;
        }
    }
    if (status != MCPW_OK) {
        mcpw_fault(c, at, status, "'", uri, "' is not in this schema, and no resolver gives it");
        return;
    }
    mcpw_load_document(c, text, uri, out);
}

/* ---- references ---- */

/* Indexes the items of an array, each once. */
static uint32_t index_items(mcpw_compiler *c, const mcpw_tape *tape, uint32_t array) {
    const uint32_t first = c->tables[MCPW_TABLE_INDEXED].count;
    const uint32_t end = tape->nodes[array].next;
    for (uint32_t i = array + 1; i < end && !mcpw_failed(c); i = mcpw_tape_after(tape, i)) {
        (void)mcpw_add_row(c, MCPW_TABLE_INDEXED, &i);
    }
    return first;
}

static uint64_t room_of(uint32_t index) { return (uint64_t)index * MCPW_ROOMS + MCPW_ROOM_MEMBERS; }

/* Indexes the members of an object, each once. If several have the same name, the last one counts. */
static uint32_t index_members(mcpw_compiler *c, const mcpw_tape *tape, uint32_t object) {
    const uint32_t index = c->indexes++;
    const uint32_t end = tape->nodes[object].next;
    for (uint32_t i = object + 1; i < end && !mcpw_failed(c); i = mcpw_tape_after(tape, i + 1)) {
        mcpw_entry *const e = mcpw_enter(c, room_of(index), mcpw_tape_text(tape, i), i + 1);
        if (e != NULL) {
            e->value = i + 1;
        }
    }
    return index;
}

/* The index of an array or object, which is made when it is first asked for. */
static uint32_t index_of(mcpw_compiler *c, const mcpw_site *site) {
    uint32_t *const known = mcpw_document_at(c, site->document)->indexes + site->node;
    const mcpw_tape *const tape = mcpw_tape_of(c, site);
    if (*known == 0) {
        *known = 1 + (tape->nodes[site->node].type == MCPW_IS_OBJECT ? index_members(c, tape, site->node)
                                                                     : index_items(c, tape, site->node));
    }
    return *known - 1;
}

static uint32_t member_at(mcpw_compiler *c, const mcpw_site *site, mcpw_str name) {
    const mcpw_tape *const tape = mcpw_tape_of(c, site);
    if (tape->nodes[site->node].size <= FEW) {
        return mcpw_tape_find(tape, site->node, name.ptr, name.len);
    }
    const uint32_t found = mcpw_look_up(c, room_of(index_of(c, site)), name);
    return found != MCPW_NO_ENTRY ? found : 0;
}

static uint32_t item_at(mcpw_compiler *c, const mcpw_site *site, mcpw_str step) {
    const mcpw_tape_node *const n = mcpw_tape_of(c, site)->nodes + site->node;
    int64_t index = 0;
    if (step.len == 0 || (step.ptr[0] == '0' && step.len > 1)) {
        return 0;
    }
    for (size_t i = 0; i < step.len; i++) {
        if (step.ptr[i] < '0' || step.ptr[i] > '9' || index > n->size) {
            return 0;
        }
        index = index * 10 + (step.ptr[i] - '0');
    }
    if (index >= n->size) {
        return 0;
    }
    const uint32_t first = index_of(c, site);
    return mcpw_failed(c) ? 0
                          : *(const uint32_t *)mcpw_row_at(c, MCPW_TABLE_INDEXED, first + (uint32_t)index);
}

/* One step of a pointer. 0: it leads nowhere. */
static uint32_t step_into(mcpw_compiler *c, const mcpw_site *site, mcpw_str step) {
    switch (mcpw_tape_of(c, site)->nodes[site->node].type) {
    case MCPW_IS_OBJECT:
        return member_at(c, site, step);
    case MCPW_IS_ARRAY:
        return item_at(c, site, step);
    default:
        return 0;
    }
}

/* Follows a JSON pointer from a site. False: it leads nowhere. */
static bool follow(mcpw_compiler *c, mcpw_site *site, mcpw_str pointer) {
    char *const room = mcpw_arena_bump(&c->arena, pointer.len + 1);
    if (room == NULL) {
        c->status = mcpw_error_status(c->error, mcpw_arena_status(&c->arena));
        return false;
    }
    while (pointer.len != 0) {
        mcpw_str step = {room, 0};
        if (pointer.ptr[0] != '/' || !mcpw_pointer_step(&pointer, room, &step.len)) {
            return false;
        }
        const uint32_t node = step_into(c, site, step);
        if (node == 0) {
            return false;
        }
        *site = mcpw_part_of(c, site, node);
    }
    return true;
}

bool mcpw_find_reference(mcpw_compiler *c, const mcpw_site *at, mcpw_str reference, mcpw_site *out,
                         const mcpw_label **label) {
    static const mcpw_str none = {"", 0};
    mcpw_target target;
    *label = NULL;
    if (!mcpw_resolve_at(c, at, mcpw_resource_at(c, at->resource)->uri, reference, &target)) {
        return false;
    }
    const mcpw_label *found = mcpw_find_label(c, target.uri, none);
    *out = *at;
    if (found != NULL) {
        *out = found->site;
    } else if (!mcpw_failed(c)) {
        fetch(c, at, target.uri, out);
    }
    if (mcpw_failed(c)) {
        return false;
    }
    if (target.fragment.len == 0) {
        return true;
    }
    if (target.fragment.ptr[0] == '/') {
        if (follow(c, out, target.fragment)) {
            return true;
        }
    } else {
        found = mcpw_find_label(c, mcpw_resource_at(c, out->resource)->uri, target.fragment);
        if (found != NULL) {
            *out = found->site;
            *label = found;
            return true;
        }
    }
    mcpw_fault(c, at, MCPW_E_NOT_FOUND, "reference '", reference, "' has no target");
    return false;
}
