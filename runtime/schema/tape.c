/* SPDX-License-Identifier: MIT */
#include "tape.h"

#include "../json/reader.h"

enum {
    BYTES_A_NODE = 4, /* a guess: few texts have more nodes */
    MORE_NODES = 16,
    AT_ONCE = 2 /* a value, and the name of the member after it */
};

static const uint32_t none_open = UINT32_MAX;

typedef struct builder {
    mcpw_reader reader;
    mcpw_arena *arena;
    mcpw_tape_node *nodes;
    uint32_t count;
    uint32_t capacity;
    uint32_t open;   /* the innermost array or object, whose `next` is the one around it */
    size_t elements; /* that may still come */
} builder;

MCPW_INLINE mcpw_tape_node *add(builder *b, const unsigned char *p, uint32_t type) {
    mcpw_tape_node *const node = b->nodes + b->count++;
    node->at = (uint32_t)(p - b->reader.base);
    node->size = 0;
    node->next = 0;
    node->type = type;
    return node;
}

/* mcpw_space, with a single space in mind, as many writers put it after commas and colons. */
MCPW_INLINE unsigned char *skip_space(mcpw_reader *r, unsigned char *p) {
    if (MCPW_LIKELY(*p > ' ')) {
        return p;
    }
    return *p == ' ' && p[1] > ' ' ? p + 1 : mcpw_skip_space(r, p);
}

/* Room for all nodes that the text can have: two bytes each, but for brackets that are not closed. */
static bool grow(builder *b) {
    const size_t most = b->reader.len / 2 + MCPW_MAX_DEPTH + MORE_NODES;
    mcpw_tape_node *const nodes = mcpw_arena_bump(b->arena, most * sizeof *nodes);
    if (nodes == NULL) {
        return false;
    }
    memcpy(nodes, b->nodes, b->count * sizeof *nodes);
    b->nodes = nodes;
    b->capacity = (uint32_t)most;
    return true;
}

MCPW_INLINE unsigned char *read_string(builder *b, unsigned char *p) {
    mcpw_tape_node *const node = add(b, p + 1, MCPW_IS_STRING);
    mcpw_str text;
    p = mcpw_read_string(&b->reader, p + 1, &text);
    if (MCPW_LIKELY(p != NULL)) {
        node->size = (uint32_t)text.len;
    }
    return p;
}

static unsigned char *read_literal(builder *b, unsigned char *p, const char *text, uint32_t type) {
    const size_t len = strlen(text);
    add(b, p, type)->size = (uint32_t)len;
    return memcmp(p, text, len) == 0 ? p + len : mcpw_stop(&b->reader, p, MCPW_E_SYNTAX);
}

MCPW_INLINE unsigned char *read_number(builder *b, unsigned char *p) {
    mcpw_tape_node *const node = add(b, p, MCPW_IS_WHOLE);
    unsigned char *end = p + (*p == '-');
    const unsigned char *const first = end;
    while (mcpw_is_digit(*end)) {
        end++;
    }
    if (MCPW_UNLIKELY(end == first || (*first == '0' && end - first > 1) || *end == '.' ||
                      (*end | 0x20) == 'e')) {
        node->type = MCPW_IS_NUMBER;
        end = mcpw_skip_number(&b->reader, p);
        if (end == NULL) {
            return NULL;
        }
    }
    node->size = (uint32_t)(end - p);
    return end;
}

static unsigned char *read_scalar(builder *b, unsigned char *p) {
    switch (*p) {
    case '"':
        return read_string(b, p);
    case 't':
        return read_literal(b, p, "true", MCPW_IS_BOOLEAN);
    case 'f':
        return read_literal(b, p, "false", MCPW_IS_BOOLEAN);
    case 'n':
        return read_literal(b, p, "null", MCPW_IS_NULL);
    default:
        return read_number(b, p);
    }
}

/* The name of a member and its colon, up to the value. */
MCPW_INLINE unsigned char *read_name(builder *b, unsigned char *p) {
    mcpw_reader *const r = &b->reader;
    if (MCPW_UNLIKELY(*p != '"')) {
        return mcpw_stop(r, p, MCPW_E_SYNTAX);
    }
    mcpw_tape_node *const node = b->nodes + b->count;
    p = read_string(b, p);
    if (MCPW_UNLIKELY(p == NULL)) {
        return NULL;
    }
    node->next = mcpw_hash_text((const char *)r->base + node->at, node->size);
    p = skip_space(r, p);
    return MCPW_LIKELY(*p == ':') ? skip_space(r, p + 1) : mcpw_stop(r, p, MCPW_E_SYNTAX);
}

/* One more item or member is to come. */
MCPW_INLINE unsigned char *read_on(builder *b, unsigned char *p) {
    if (MCPW_UNLIKELY(b->elements-- == 0)) {
        return mcpw_stop(&b->reader, p, MCPW_E_ELEMENTS);
    }
    if (MCPW_UNLIKELY(b->capacity - b->count < AT_ONCE) && !grow(b)) {
        return mcpw_stop(&b->reader, p, mcpw_arena_status(b->arena));
    }
    b->nodes[b->open].size++;
    return b->nodes[b->open].type == MCPW_IS_OBJECT ? read_name(b, p) : p;
}

/* Closes what ends at p, up to where the next value begins, if anything is open then. */
static unsigned char *close_open(builder *b, unsigned char *p) {
    while (b->open != none_open) {
        mcpw_tape_node *const node = b->nodes + b->open;
        p = skip_space(&b->reader, p);
        if (*p == ',') {
            return read_on(b, skip_space(&b->reader, p + 1));
        }
        if (MCPW_UNLIKELY(*p != (node->type == MCPW_IS_OBJECT ? '}' : ']'))) {
            return mcpw_stop(&b->reader, p, MCPW_E_SYNTAX);
        }
        b->open = node->next;
        node->next = b->count;
        b->reader.depth++;
        p++;
    }
    return p;
}

/* The bracket that opens an array or object, up to its first value, or past it when it is empty. */
static unsigned char *open_nested(builder *b, unsigned char *p) {
    const bool object = *p == '{';
    if (MCPW_UNLIKELY(b->reader.depth == 0)) {
        return mcpw_stop(&b->reader, p, MCPW_E_DEPTH);
    }
    b->reader.depth--;
    add(b, p, object ? MCPW_IS_OBJECT : MCPW_IS_ARRAY)->next = b->open;
    b->open = b->count - 1;
    p = skip_space(&b->reader, p + 1);
    return *p == (object ? '}' : ']') ? close_open(b, p) : read_on(b, p);
}

static unsigned char *read_document(builder *b) {
    mcpw_reader *const r = &b->reader;
    unsigned char *p = skip_space(r, r->base);
    do {
        if (*p == '{' || *p == '[') {
            p = open_nested(b, p);
        } else {
            p = read_scalar(b, p);
            p = p != NULL ? close_open(b, p) : NULL;
        }
    } while (p != NULL && b->open != none_open);
    if (p == NULL) {
        return NULL;
    }
    p = skip_space(r, p);
    return p == r->base + r->len ? p : mcpw_stop(r, p, MCPW_E_SYNTAX);
}

mcpw_status mcpw_tape_read(mcpw_tape *tape, const char *text, size_t len, mcpw_arena *arena,
                           const mcpw_tape_limits *limits) {
    builder b;
    const bool is_short = len < UINT32_MAX && len < SIZE_MAX / sizeof *b.nodes;
    const size_t guess = len / BYTES_A_NODE + MORE_NODES;
    char *const copy = is_short ? mcpw_arena_bump(arena, len + MCPW_TAIL) : NULL;
    b.nodes = copy != NULL ? mcpw_arena_bump(arena, guess * sizeof *b.nodes) : NULL;
    tape->at = 0;
    if (!is_short) {
        return MCPW_E_SIZE;
    }
    if (b.nodes == NULL) {
        return mcpw_arena_status(arena);
    }
    if (len != 0) {
        memcpy(copy, text, len);
    }
    mcpw_reader_open_in_place(&b.reader, copy, len, limits->depth);
    b.arena = arena;
    b.count = 0;
    b.capacity = (uint32_t)guess;
    b.open = none_open;
    b.elements = limits->elements;
    if (read_document(&b) == NULL) {
        tape->at = (size_t)(b.reader.at - b.reader.base);
        return b.reader.status;
    }
    tape->text = copy;
    tape->len = len;
    tape->nodes = b.nodes;
    tape->count = b.count;
    return MCPW_OK;
}

uint32_t mcpw_tape_find(const mcpw_tape *tape, uint32_t object, const char *name, size_t len) {
    const mcpw_tape_node *const o = tape->nodes + object;
    if (o->type != MCPW_IS_OBJECT) {
        return 0;
    }
    uint32_t found = 0;
    for (uint32_t i = object + 1; i < o->next; i = mcpw_tape_after(tape, i + 1)) {
        if (tape->nodes[i].size == len && memcmp(tape->text + tape->nodes[i].at, name, len) == 0) {
            found = i + 1;
        }
    }
    return found;
}
