/* SPDX-License-Identifier: MIT */
#include "call.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_REFS = 16,     /* in a chain */
    MAX_SHOWN = 6,     /* values of an enum */
    MAX_ABOUT = 1000,  /* bytes of a description that others refer to */
    MAX_VALUE = 200,   /* bytes of one value */
    MAX_NESTED = 8,    /* schemas within each other */
    MAX_POINTER = 200, /* bytes */
    MAX_PLACES = 1 << 17
};

/* The types that a schema allows, as bits by mcpw_json_kind; integers have their own bit. */
enum { KIND_INTEGER = 1U << (MCPW_JSON_OBJECT + 1) };

static unsigned bit(mcpw_json_kind kind) { return 1U << kind; }

static const struct {
    const char *name;
    unsigned kinds;
} types[] = {
    {"string", 1U << MCPW_JSON_STRING}, {"integer", KIND_INTEGER},
    {"number", 1U << MCPW_JSON_NUMBER}, {"boolean", 1U << MCPW_JSON_BOOLEAN},
    {"object", 1U << MCPW_JSON_OBJECT}, {"array", 1U << MCPW_JSON_ARRAY},
    {"null", 1U << MCPW_JSON_NULL},
};

/* ---- references ---- */

/* The target of a JSON pointer, with cached results because many schemas may refer to it. */
typedef struct place {
    mcpw_json value;
    bool indexed; /* its members have places */
    bool looked;  /* next is set if it refers to another place */
    struct place *next;
    bool known; /* kinds is set */
    unsigned kinds;
    mcpw_str described; /* the description of the type; absent: not yet */
    bool told;          /* about is set */
    mcpw_str about;
} place;

static int by_name(const void *a, const void *b) {
    const mcpw_str *const x = a;
    const mcpw_str *const y = b;
    const size_t common = x->len < y->len ? x->len : y->len;
    const int order = common != 0 ? memcmp(x->ptr, y->ptr, common) : 0;
    return order != 0 ? order : (x->len > y->len) - (x->len < y->len);
}

static void index_required(schema *s) {
    const mcpw_json list = glance_member(s->root, "required");
    const size_t most = mcpw_json_kind_of(list) == MCPW_JSON_ARRAY ? mcpw_json_count(list) : 0;
    mcpw_str *const names = most != 0 ? mcpw_arena_alloc(s->arena, most * sizeof *names) : NULL;
    mcpw_json_iter it;
    mcpw_json item = {NULL, 0, 0};
    size_t count = 0;
    if (names == NULL || mcpw_json_iterate(list, &it) != MCPW_OK) {
        return;
    }
    while (count < most && mcpw_json_next(&it, NULL, &item)) {
        names[count] = glance_text(item, s->arena);
        count += names[count].ptr != NULL ? 1U : 0U;
    }
    qsort(names, count, sizeof *names, by_name);
    s->required = names;
    s->required_count = count;
}

static place *find_place(const schema *s, mcpw_str pointer) {
    const mcpw_id id = {MCPW_ID_STRING, {.string = pointer}};
    const open_request *const entry = requests_find(&s->places, &id);
    return entry != NULL ? entry->facts : NULL;
}

/* Adds a place. The first one with a pointer wins. */
static place *add_place(schema *s, mcpw_str pointer, mcpw_json value) {
    static const mcpw_answered_request none = {0, false};
    const mcpw_id id = {MCPW_ID_STRING, {.string = pointer}};
    place *const known = find_place(s, pointer);
    if (known != NULL || !requests_add(&s->places, &id, none)) {
        return known;
    }
    place *const added = calloc(1, sizeof *added);
    if (added != NULL) {
        added->value = value;
        requests_find(&s->places, &id)->facts = added;
    }
    return added;
}

void schema_begin(schema *s, mcpw_json root, mcpw_arena *arena) {
    static const mcpw_str nowhere = {"", 0};
    memset(s, 0, sizeof *s);
    s->root = root;
    s->arena = arena;
    requests_init(&s->places, MAX_PLACES);
    s->places.drop = free;
    (void)add_place(s, nowhere, root);
    index_required(s);
}

void schema_free(schema *s) { requests_free(&s->places); }

/* Appends "/NAME", escaped for a pointer. */
static void put_step(text *pointer, mcpw_str name) {
    text_add(pointer, "/");
    for (size_t i = 0; i < name.len; i++) {
        const char c = name.ptr[i];
        if (c == '~' || c == '/') {
            text_add(pointer, c == '~' ? "~0" : "~1");
        } else {
            text_bytes(pointer, &c, 1);
        }
    }
}

/* Makes a place for every member of an object. */
static void index_members(schema *s, place *at, mcpw_str pointer) {
    text step = TEXT_INIT;
    mcpw_json_iter it;
    mcpw_json key = {NULL, 0, 0};
    mcpw_json value = {NULL, 0, 0};
    at->indexed = true;
    if (mcpw_json_kind_of(at->value) != MCPW_JSON_OBJECT || mcpw_json_iterate(at->value, &it) != MCPW_OK) {
        return;
    }
    while (mcpw_json_next(&it, &key, &value)) {
        const mcpw_str name = glance_text(key, s->arena);
        if (name.ptr == NULL) {
            break; /* no memory */
        }
        text_clear(&step);
        text_bytes(&step, pointer.ptr, pointer.len);
        put_step(&step, name);
        const mcpw_str whole = {step.buffer.data, step.buffer.len};
        if (!step.lost) {
            (void)add_place(s, whole, value);
        }
    }
    text_free(&step);
}

/* The place of a pointer; NULL: there is none, or the chain is too long. */
static place *follow(schema *s, mcpw_str pointer) {
    mcpw_str to = {pointer.ptr, 0};
    place *at = find_place(s, pointer);
    if (at != NULL || pointer.len > MAX_POINTER) {
        return at;
    }
    at = find_place(s, to);
    while (at != NULL && to.len < pointer.len && pointer.ptr[to.len] == '/') {
        if (!at->indexed) {
            index_members(s, at, to);
        }
        const char *const next = memchr(pointer.ptr + to.len + 1, '/', pointer.len - to.len - 1);
        to.len = next != NULL ? (size_t)(next - pointer.ptr) : pointer.len;
        at = find_place(s, to);
    }
    return at;
}

/* The place that a schema refers to; NULL: none. */
static place *referred(schema *s, mcpw_json part) {
    const mcpw_str ref = glance_string(part, "$ref", s->arena);
    if (ref.ptr == NULL || ref.len == 0 || ref.ptr[0] != '#') {
        return NULL;
    }
    const mcpw_str pointer = {ref.ptr + 1, ref.len - 1};
    return follow(s, pointer);
}

/* The last place of a chain of references; NULL: the schema has no reference. */
static place *resolve(schema *s, mcpw_json part) {
    place *at = referred(s, part);
    for (int i = 1; i < MAX_REFS && at != NULL; i++) {
        if (!at->looked) {
            at->looked = true;
            at->next = referred(s, at->value);
        }
        if (at->next == NULL) {
            break;
        }
        at = at->next;
    }
    return at;
}

mcpw_str schema_about(schema *s, mcpw_json part) {
    place *const at = resolve(s, part);
    if (at == NULL) {
        return glance_string(part, "description", s->arena);
    }
    if (!at->told) {
        at->told = true;
        at->about = glance_string(at->value, "description", s->arena);
        if (at->about.ptr != NULL) {
            at->about.len = text_cut(at->about.ptr, at->about.len, MAX_ABOUT);
        }
    }
    return at->about;
}

/* ---- Types ---- */

static unsigned kinds_named(mcpw_str name) {
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (mcpw_str_is(name, types[i].name)) {
            return types[i].kinds;
        }
    }
    return 0;
}

/* The union of the kinds of an array's items. */
static unsigned kinds_of_items(schema *s, mcpw_json array, int depth,
                               unsigned (*kinds)(schema *s, mcpw_json item, int depth)) {
    unsigned all = 0;
    mcpw_json_iter it;
    mcpw_json item = {NULL, 0, 0};
    if (mcpw_json_kind_of(array) == MCPW_JSON_ARRAY && mcpw_json_iterate(array, &it) == MCPW_OK) {
        while (mcpw_json_next(&it, NULL, &item)) {
            all |= kinds(s, item, depth);
        }
    }
    return all;
}

static unsigned kinds_of_name(schema *s, mcpw_json name, int depth) {
    (void)depth;
    return kinds_named(glance_text(name, s->arena));
}

static unsigned kinds_of_value(schema *s, mcpw_json value, int depth) {
    (void)s;
    (void)depth;
    return bit(mcpw_json_kind_of(value));
}

/* The kinds that a schema allows; 0: any. The result for a referenced place is cached. */
static unsigned kinds_of(schema *s, mcpw_json part, int depth) {
    place *const last = resolve(s, part);
    const mcpw_json at = last != NULL ? last->value : part;
    if (last != NULL && last->known) {
        return last->kinds;
    }
    if (last != NULL) {
        last->known = true; /* a cycle adds nothing */
    }
    const mcpw_json type = glance_member(at, "type");
    unsigned kinds = mcpw_json_kind_of(type) == MCPW_JSON_STRING
                         ? kinds_named(glance_text(type, s->arena))
                         : kinds_of_items(s, type, depth, kinds_of_name);
    if (kinds == 0) {
        kinds = kinds_of_items(s, glance_member(at, "enum"), depth, kinds_of_value);
    }
    if (kinds == 0 && depth < MAX_NESTED) {
        kinds = kinds_of_items(s, glance_member(at, "anyOf"), depth + 1, kinds_of) |
                kinds_of_items(s, glance_member(at, "oneOf"), depth + 1, kinds_of);
    }
    if (last != NULL) {
        last->kinds = kinds;
    }
    return kinds;
}

/* ---- Descriptions ---- */

/* Appends a value of the schema, or its beginning. */
static void put_value(text *out, mcpw_json value) {
    const size_t shown = text_cut(value.ptr, value.len, MAX_VALUE);
    text_bytes(out, value.ptr, shown);
    text_add(out, shown < value.len ? "..." : "");
}

static void describe_enum(text *out, mcpw_json values) {
    mcpw_json_iter it;
    mcpw_json item = {NULL, 0, 0};
    size_t shown = 0;
    if (mcpw_json_iterate(values, &it) != MCPW_OK) {
        return;
    }
    while (mcpw_json_next(&it, NULL, &item)) {
        if (++shown > MAX_SHOWN) {
            text_add(out, " | ...");
            return;
        }
        text_add(out, shown != 1 ? " | " : "");
        put_value(out, item);
    }
}

static void describe_kinds(text *out, unsigned kinds) {
    bool first = true;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if ((kinds & types[i].kinds) != 0) {
            text_add(out, first ? "" : " | ");
            text_add(out, types[i].name);
            first = false;
        }
    }
    text_add(out, first ? "any" : "");
}

static void describe(text *out, schema *s, mcpw_json at, unsigned kinds) {
    const mcpw_json values = glance_member(at, "enum");
    const mcpw_json constant = glance_member(at, "const");
    const mcpw_json items = glance_member(at, "items");
    if (mcpw_json_kind_of(values) == MCPW_JSON_ARRAY) {
        describe_enum(out, values);
    } else if (constant.ptr != NULL) {
        put_value(out, constant);
    } else if (kinds == bit(MCPW_JSON_ARRAY) && mcpw_json_kind_of(items) == MCPW_JSON_OBJECT) {
        const unsigned each = kinds_of(s, items, 0);
        const bool several =
            (each & (each - 1)) != 0; /* otherwise the brackets would apply to the last type only */
        text_add(out, several ? "(" : "");
        describe_kinds(out, each);
        text_add(out, several ? ")[]" : "[]");
    } else {
        describe_kinds(out, kinds);
    }
}

void schema_describe(text *out, schema *s, mcpw_json part) {
    place *const at = resolve(s, part);
    const unsigned kinds = kinds_of(s, part, 0);
    if (at == NULL) {
        describe(out, s, part, kinds);
        return;
    }
    if (at->described.ptr == NULL) {
        text words = TEXT_INIT;
        describe(&words, s, at->value, kinds);
        at->described = mcpw_arena_str(s->arena, words.buffer.data, words.buffer.len);
        text_free(&words);
    }
    text_bytes(out, at->described.ptr != NULL ? at->described.ptr : "", at->described.len);
}

bool schema_requires(const schema *s, mcpw_str name) {
    return s->required_count != 0 &&
           bsearch(&name, s->required, s->required_count, sizeof *s->required, by_name) != NULL;
}

/* ---- values ---- */

bool schema_value(text *out, schema *s, mcpw_json part, mcpw_str word) {
    const unsigned kinds = kinds_of(s, part, 0);
    const mcpw_json value = mcpw_json_of(word.ptr, word.len);
    mcpw_error unused;
    int64_t integer = 0;
    if (kinds != 0 && mcpw_json_check(value, 0, &unused) == MCPW_OK) {
        const mcpw_json_kind kind = mcpw_json_kind_of(value);
        const bool fits = kind == MCPW_JSON_NUMBER && mcpw_json_int(value, &integer) == MCPW_OK
                              ? (kinds & (KIND_INTEGER | bit(kind))) != 0
                              : (kinds & bit(kind)) != 0;
        if (fits && kind != MCPW_JSON_STRING) {
            text_bytes(out, value.ptr, value.len);
            return true;
        }
    }
    if (kinds != 0 && (kinds & bit(MCPW_JSON_STRING)) == 0) {
        return false;
    }
    text_json(out, word.ptr, word.len);
    return true;
}
