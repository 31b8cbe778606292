/* SPDX-License-Identifier: MIT */
/* Places that JSON pointers name in documents. */
#include "compiler.h"

enum { FEW = 8 /* members that are looked through one by one */ };

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
        mcpw_schema_entry *const e = mcpw_enter(c, room_of(index), mcpw_tape_text(tape, i), i + 1);
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

mcpw_site mcpw_part_of(const mcpw_compiler *c, const mcpw_site *site, uint32_t node) {
    const uint32_t root = mcpw_document_at(c, site->document)->roots[node];
    const mcpw_site part = {site->document, node, root != 0 ? root - 1 : site->resource};
    return part;
}

bool mcpw_follow_pointer(mcpw_compiler *c, mcpw_site *site, mcpw_str pointer) {
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
