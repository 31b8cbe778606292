/* SPDX-License-Identifier: MIT */
#include "defaults.h"

#include <string.h>

#include <mcpw/json.h>

#include "text.h"

enum { MOST_SCHEMAS = 16, MOST_DEPTH = 64, DECIMAL = 10, FEW = 8 /* entries, which need no order */ };

typedef struct insides insides;

/* A value in the text of the schema. Its insides are read when they are first asked for, and once: a schema
 * and a value of one peer must not make work that grows with the product of their lengths. */
typedef struct node {
    mcpw_json text;
    insides *in; /* NULL: nobody has asked */
} node;

/* A member or an item. */
typedef struct entry {
    node value;
    mcpw_json key;      /* absent in an array, as the name is */
    mcpw_str name;      /* what the key says */
    mcpw_json fallback; /* of a property: its default; absent: it has none */
    struct entry *next; /* the next property with a default */
    uint64_t met;       /* the last object with a member of this name */
} entry;

struct insides {
    entry *entries;  /* as they stand in the text */
    entry **by_name; /* NULL: they are few, or have no names */
    size_t count;
    bool is_array;
    bool is_followed; /* the target is known */
    bool is_searched; /* the properties with a default are known */
    node *target;     /* of a schema: that of its "$ref" */
    entry *first;     /* of properties: the first with a default */
};

/* Schemas that all hold for one value. More than that many are left out: a default less is filled in. */
typedef struct schemas {
    node *list[MOST_SCHEMAS];
    size_t count;
} schemas;

typedef struct filling {
    node root;
    mcpw_arena *arena;
    mcpw_text text;
    size_t most; /* bytes that the text may have */
    uint64_t objects;
    bool filled;
} filling;

bool mcpw_has_defaults(mcpw_json schema) {
    static const char key[] = "\"default\"";
    const char *at = schema.ptr;
    const char *const end = schema.len >= sizeof key - 1 ? at + schema.len - (sizeof key - 1) : at;
    while (at < end && (at = memchr(at, '"', (size_t)(end - at))) != NULL) {
        if (memcmp(at, key, sizeof key - 1) == 0) {
            return true;
        }
        at++;
    }
    return false;
}

/* ---- The text of the schema ---- */

/* Memory that is zeroed; NULL after a failure. */
static void *take(filling *f, size_t count, size_t size) {
    void *const memory = count <= SIZE_MAX / size ? mcpw_arena_alloc(f->arena, count * size) : NULL;
    if (memory != NULL) {
        return memset(memory, 0, count * size);
    }
    f->text.status = f->arena->status != MCPW_OK ? f->arena->status : MCPW_E_MEMORY;
    return NULL;
}

static int compare(mcpw_str a, mcpw_str b) {
    return a.len != b.len ? (a.len < b.len ? -1 : 1) : memcmp(a.ptr, b.ptr, a.len);
}

/* Merges two runs that stand side by side. */
static void merge(entry **to, entry *const *a, entry *const *middle, entry *const *end) {
    entry *const *b = middle;
    while (a < middle || b < end) {
        const bool is_first = b == end || (a < middle && compare((*a)->name, (*b)->name) <= 0);
        *to++ = is_first ? *a++ : *b++;
    }
}

/* Sorts the entries of an object by name. Those of one name stay in their order. */
static void sort(filling *f, insides *in) {
    const size_t count = in->count;
    entry **from = take(f, count, sizeof *from);
    entry **to = take(f, count, sizeof *to);
    if (from == NULL || to == NULL) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        from[i] = in->entries + i;
    }
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t at = 0; at < count; at += 2 * run) {
            const size_t middle = run < count - at ? at + run : count;
            const size_t end = run < count - middle ? middle + run : count;
            merge(to + at, from + at, from + middle, from + end);
        }
        entry **const sorted = to;
        to = from;
        from = sorted;
    }
    in->by_name = from;
}

/* The insides of a value; NULL: it has none, or there is no memory. */
static insides *read(filling *f, node *n) {
    const mcpw_json_kind kind = n != NULL ? mcpw_json_kind_of(n->text) : MCPW_JSON_ABSENT;
    mcpw_json_iter it;
    if ((kind != MCPW_JSON_OBJECT && kind != MCPW_JSON_ARRAY) || n->in != NULL ||
        mcpw_json_iterate(n->text, &it) != MCPW_OK) {
        return n != NULL ? n->in : NULL;
    }
    insides *const in = take(f, 1, sizeof *in);
    const size_t count = mcpw_json_count(n->text);
    entry *const entries = in != NULL && count != 0 ? take(f, count, sizeof *entries) : NULL;
    if (in == NULL) {
        return NULL;
    }
    n->in = in;
    in->is_array = kind == MCPW_JSON_ARRAY;
    in->entries = entries;
    while (entries != NULL && in->count < count &&
           mcpw_json_next(&it, &entries[in->count].key, &entries[in->count].value.text)) {
        entry *const e = entries + in->count++;
        const mcpw_status status = in->is_array ? MCPW_OK : mcpw_json_string(e->key, f->arena, &e->name);
        f->text.status = status != MCPW_OK ? status : f->text.status;
    }
    if (!in->is_array && in->count > FEW) {
        sort(f, in);
    }
    return in;
}

/* The first member of a name. */
static entry *find(const insides *in, mcpw_str name) {
    size_t low = 0;
    size_t high = in != NULL && !in->is_array ? in->count : 0;
    if (high > FEW && in->by_name != NULL) {
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            const bool is_after = compare(in->by_name[middle]->name, name) >= 0;
            high = is_after ? middle : high;
            low = is_after ? low : middle + 1;
        }
        return low < in->count && mcpw_str_equal(in->by_name[low]->name, name) ? in->by_name[low] : NULL;
    }
    for (high = high <= FEW ? high : 0; low < high; low++) { /* more without an order: there is no memory */
        if (mcpw_str_equal(in->entries[low].name, name)) {
            return in->entries + low;
        }
    }
    return NULL;
}

static node *get(filling *f, node *from, const char *name) {
    entry *const found = find(read(f, from), mcpw_str_from(name));
    return found != NULL ? &found->value : NULL;
}

/* ---- References ---- */

/* The index that a step names; SIZE_MAX: none that an array has. */
static size_t index_of(const char *key) {
    size_t index = 0;
    for (; *key >= '0' && *key <= '9' && index < SIZE_MAX / DECIMAL; key++) {
        index = index * DECIMAL + (size_t)(*key - '0');
    }
    return *key == '\0' ? index : SIZE_MAX;
}

/* The value to which a step of a JSON pointer leads. The step ends with its text or at a slash. */
static node *step(filling *f, node *at, mcpw_str name) {
    const insides *const in = read(f, at);
    char *const key = take(f, name.len + 1, 1);
    size_t len = 0;
    if (in == NULL || key == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < name.len; i++) {
        const bool escape = name.ptr[i] == '~' && i + 1 < name.len;
        i += escape;
        key[len++] = !escape ? name.ptr[i] : name.ptr[i] == '1' ? '/' : '~';
    }
    if (in->is_array) {
        const size_t index = index_of(key);
        return index < in->count ? &in->entries[index].value : NULL;
    }
    entry *const found = find(in, (mcpw_str){key, len});
    return found != NULL ? &found->value : NULL;
}

/* The schema that "#/a/b" leads to; what leads elsewhere is left out. */
static node *follow(filling *f, mcpw_str reference) {
    const char *const end = reference.ptr + reference.len;
    const char *at = reference.ptr;
    node *found = &f->root;
    if (reference.len == 0 || *at != '#') {
        return NULL;
    }
    at++;
    while (at < end && *at == '/' && found != NULL) {
        const char *const next = memchr(at + 1, '/', (size_t)(end - at - 1));
        const char *const stop = next != NULL ? next : end;
        found = step(f, found, (mcpw_str){at + 1, (size_t)(stop - at - 1)});
        at = stop;
    }
    return at == end ? found : NULL;
}

/* The schema that another refers to; NULL: to none. */
static node *target_of(filling *f, node *schema) {
    insides *const in = read(f, schema);
    const node *const written = get(f, schema, "$ref");
    mcpw_str reference;
    if (in == NULL || written == NULL || in->is_followed) {
        return in != NULL ? in->target : NULL;
    }
    in->is_followed = true;
    if (mcpw_json_string(written->text, f->arena, &reference) == MCPW_OK) {
        in->target = follow(f, reference);
    }
    return in->target;
}

/* ---- Schemas that hold together ---- */

/* A schema is there once, so that one that refers to itself ends. */
static void add(schemas *all, node *schema) {
    for (size_t i = 0; i < all->count; i++) {
        if (all->list[i] == schema) {
            return;
        }
    }
    if (schema != NULL && all->count < MOST_SCHEMAS && mcpw_json_kind_of(schema->text) == MCPW_JSON_OBJECT) {
        all->list[all->count++] = schema;
    }
}

/* Adds what holds along with the schemas that are there. */
static void expand(filling *f, schemas *all) {
    for (size_t i = 0; i < all->count; i++) {
        add(all, target_of(f, all->list[i]));
        const insides *const parts = read(f, get(f, all->list[i], "allOf"));
        for (size_t k = 0; parts != NULL && k < parts->count && k < MOST_SCHEMAS; k++) {
            add(all, &parts->entries[k].value);
        }
    }
}

/* Those under a keyword of each, or in the object under it by a name. */
static schemas below(filling *f, const schemas *all, const char *keyword, const mcpw_str *name) {
    schemas out = {.count = 0};
    for (size_t i = 0; i < all->count; i++) {
        node *found = get(f, all->list[i], keyword);
        if (name != NULL) {
            entry *const property = find(read(f, found), *name);
            found = property != NULL ? &property->value : NULL;
        }
        add(&out, found);
    }
    expand(f, &out);
    return out;
}

/* The properties of a schema, those with a default in a list. */
static const insides *properties_of(filling *f, node *schema) {
    insides *const in = read(f, get(f, schema, "properties"));
    if (in == NULL || in->is_searched || in->is_array) {
        return in;
    }
    entry **end = &in->first;
    in->is_searched = true;
    for (size_t i = 0; i < in->count; i++) {
        entry *const e = in->entries + i;
        if (mcpw_json_get(e->value.text, "default", &e->fallback) == MCPW_OK && find(in, e->name) == e) {
            *end = e;
            end = &e->next;
        }
    }
    return in;
}

/* ---- Filling ---- */

/* Notes which of the properties a value has. */
static void meet(filling *f, const insides *const *properties, size_t count, mcpw_json value) {
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_str name;
    f->objects++;
    if (mcpw_json_iterate(value, &it) != MCPW_OK) {
        return;
    }
    while (f->text.status == MCPW_OK && mcpw_json_next(&it, &key, NULL)) {
        f->text.status = mcpw_json_string(key, f->arena, &name);
        for (size_t i = 0; i < count && f->text.status == MCPW_OK; i++) {
            entry *const e = find(properties[i], name);
            if (e != NULL) {
                e->met = f->objects;
            }
        }
    }
}

/* Whether a schema before that one has a default for the member, too: the first one counts. */
static bool is_filled_by(const insides *const *properties, size_t before, mcpw_str name) {
    bool is_filled = false;
    for (size_t i = 0; i < before && !is_filled; i++) {
        const entry *const e = find(properties[i], name);
        is_filled = e != NULL && e->fallback.ptr != NULL;
    }
    return is_filled;
}

static void put_missing(filling *f, const schemas *all, mcpw_json value) {
    const insides *properties[MOST_SCHEMAS];
    bool any = false;
    for (size_t i = 0; i < all->count; i++) {
        properties[i] = properties_of(f, all->list[i]);
        any = any || (properties[i] != NULL && properties[i]->first != NULL);
    }
    if (!any) {
        return;
    }
    meet(f, properties, all->count, value);
    for (size_t i = 0; i < all->count; i++) {
        const entry *e = properties[i] != NULL ? properties[i]->first : NULL;
        for (; e != NULL && f->text.status == MCPW_OK; e = e->next) {
            if (e->met == f->objects || is_filled_by(properties, i, e->name)) {
                continue;
            }
            mcpw_text_member_copy(&f->text, e->key, e->fallback);
            f->filled = true;
            if (f->text.buffer.len > f->most) { /* a short value may lack many long ones */
                f->text.status = MCPW_E_ARENA;
            }
        }
    }
}

static void put(filling *f, const schemas *all, mcpw_json value, unsigned depth);

static bool has_insides(mcpw_json value) {
    const mcpw_json_kind kind = mcpw_json_kind_of(value);
    return kind == MCPW_JSON_OBJECT || kind == MCPW_JSON_ARRAY;
}

/* A member that is there, with what is missing in its value. */
static void put_member(filling *f, const schemas *all, mcpw_json key, mcpw_json item, unsigned depth) {
    mcpw_str name = {"", 0};
    if (!has_insides(item)) {
        mcpw_text_member_copy(&f->text, key, item);
        return;
    }
    f->text.status = mcpw_json_string(key, f->arena, &name);
    const schemas inner = below(f, all, "properties", &name);
    mcpw_text_key_str(&f->text, name);
    put(f, &inner, item, depth + 1);
}

static void put_object(filling *f, const schemas *all, mcpw_json value, unsigned depth) {
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json item;
    mcpw_text_object(&f->text);
    if (mcpw_json_iterate(value, &it) == MCPW_OK) {
        while (f->text.status == MCPW_OK && mcpw_json_next(&it, &key, &item)) {
            put_member(f, all, key, item, depth);
        }
    }
    put_missing(f, all, value);
    mcpw_text_object_end(&f->text);
}

static void put_array(filling *f, const schemas *all, mcpw_json value, unsigned depth) {
    const schemas items = below(f, all, "items", NULL);
    mcpw_json_iter it;
    mcpw_json item;
    mcpw_text_array(&f->text);
    if (mcpw_json_iterate(value, &it) == MCPW_OK) {
        while (f->text.status == MCPW_OK && mcpw_json_next(&it, NULL, &item)) {
            put(f, &items, item, depth + 1);
        }
    }
    mcpw_text_array_end(&f->text);
}

static void put(filling *f, const schemas *all, mcpw_json value, unsigned depth) {
    if (all->count == 0 || depth > MOST_DEPTH || !has_insides(value)) {
        mcpw_text_json(&f->text, value);
    } else if (mcpw_json_kind_of(value) == MCPW_JSON_OBJECT) {
        put_object(f, all, value, depth);
    } else {
        put_array(f, all, value, depth);
    }
}

mcpw_status mcpw_fill_defaults(mcpw_json schema, mcpw_json value, mcpw_arena *arena, mcpw_json *out) {
    const mcpw_mark mark = mcpw_arena_mark(arena);
    filling f = {{schema, NULL}, arena, MCPW_TEXT_INIT, 0, 0, false};
    schemas all = {.count = 0};
    *out = value;
    f.most = arena->limit != 0 ? arena->limit : MCPW_ARENA_DEFAULT_LIMIT;
    add(&all, &f.root);
    expand(&f, &all);
    put(&f, &all, value, 0);
    const mcpw_status status = f.text.status;
    mcpw_arena_rewind(arena, mark); /* the filled text is not there yet */
    if (status == MCPW_OK && f.filled) {
        return mcpw_text_finish(&f.text, arena, out);
    }
    mcpw_text_free(&f.text);
    return status;
}
