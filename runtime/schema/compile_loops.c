/* SPDX-License-Identifier: MIT */
/* Refuses references that lead back to themselves without a step into the value: they would never end. */
#include "compiler.h"

/* The next shapes of a walk that stays at one value. Those of shape i stand from first[i] on. */
typedef struct graph {
    uint32_t *first;
    uint32_t *edges;
    uint32_t count;
    bool fill;
} graph;

static void add_edge(graph *g, uint32_t shape) {
    if (g->fill) {
        g->edges[g->count] = shape;
    }
    g->count++;
}

static void add_step_edges(const mcpw_compiler *c, graph *g, const mcpw_step *step) {
    uint32_t first = step->a;
    uint32_t count = step->b;
    switch ((mcpw_step_kind)step->kind) {
    case MCPW_STEP_REF:
    case MCPW_STEP_NOT:
        add_edge(g, step->a);
        return;
    case MCPW_STEP_IF:
        count = 3;
        break;
    case MCPW_STEP_ANY_OF:
    case MCPW_STEP_ONE_OF:
        break;
    default: /* dynamic references show when they are followed */
        return;
    }
    for (; count > 0; count--, first++) {
        add_edge(g, *(const uint32_t *)mcpw_row_at(c, MCPW_TABLE_NUMBERS, first));
    }
}

static void add_edges(const mcpw_compiler *c, graph *g, uint32_t shape) {
    const mcpw_shape *const s = mcpw_row_at(c, MCPW_TABLE_SHAPES, shape);
    for (uint32_t i = 0; i < s->steps.count; i++) {
        add_step_edges(c, g, mcpw_row_at(c, MCPW_TABLE_STEPS, s->steps.first + i));
    }
    const mcpw_object_row *const row = mcpw_row_at(c, MCPW_TABLE_OBJECT_ROWS, s->object);
    for (uint32_t i = 0; i < row->names.count && row->depends != 0; i++) {
        const mcpw_name *const name = mcpw_row_at(c, MCPW_TABLE_NAMES, row->names.first + i);
        if (name->entails != MCPW_NO_SHAPE) {
            add_edge(g, name->entails);
        }
    }
}

static void *room_for(mcpw_compiler *c, size_t count) {
    uint32_t *const room = mcpw_arena_alloc(&c->arena, (count + 1) * sizeof *room);
    if (room == NULL) {
        c->status = mcpw_error_status(c->error, mcpw_arena_status(&c->arena));
    } else {
        memset(room, 0, (count + 1) * sizeof *room);
    }
    return room;
}

static bool build(mcpw_compiler *c, graph *g) {
    const uint32_t shapes = c->tables[MCPW_TABLE_SHAPES].count;
    for (uint32_t i = 0; i < shapes; i++) {
        add_edges(c, g, i);
    }
    g->first = room_for(c, shapes);
    g->edges = room_for(c, g->count);
    if (mcpw_failed(c)) {
        return false;
    }
    g->fill = true;
    g->count = 0;
    for (uint32_t i = 0; i < shapes; i++) {
        g->first[i] = g->count;
        add_edges(c, g, i);
    }
    g->first[shapes] = g->count;
    return true;
}

enum { NEW = 0, OPEN = 1, DONE = 2 };

/* Goes through all that can be reached from a shape. The way there is a list: `from`. */
static void visit(mcpw_compiler *c, const graph *g, uint32_t root, uint32_t *state, uint32_t *from,
                  uint32_t *next) {
    uint32_t at = root;
    from[root] = MCPW_NO_SHAPE;
    state[root] = OPEN;
    while (at != MCPW_NO_SHAPE) {
        if (next[at] == g->first[at + 1] - g->first[at]) {
            state[at] = DONE;
            at = from[at];
            continue;
        }
        const uint32_t to = g->edges[g->first[at] + next[at]++];
        if (state[to] == OPEN) {
            mcpw_fault_text(c, mcpw_row_at(c, MCPW_TABLE_SITES, to), MCPW_E_UNION,
                            "schema leads back to itself without looking into the value");
            return;
        }
        if (state[to] == NEW) {
            state[to] = OPEN;
            from[to] = at;
            at = to;
        }
    }
}

void mcpw_refuse_loops(mcpw_compiler *c) {
    const uint32_t shapes = c->tables[MCPW_TABLE_SHAPES].count;
    graph g = {NULL, NULL, 0, false};
    uint32_t *const state = room_for(c, shapes);
    uint32_t *const from = room_for(c, shapes);
    uint32_t *const next = room_for(c, shapes);
    if (mcpw_failed(c) || !build(c, &g)) {
        return;
    }
    for (uint32_t i = 0; i < shapes && !mcpw_failed(c); i++) {
        if (state[i] == NEW) {
            visit(c, &g, i, state, from, next);
        }
    }
}
