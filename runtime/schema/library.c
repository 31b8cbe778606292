/* SPDX-License-Identifier: MIT */
/* The documents that a schema consists of, the resources in them, and what references lead to. */
#include "compiler.h"

enum { FIRST_LABELS = 16, MOST_LOADING = 8 /* meta-schemas of meta-schemas */ };

/* ---- labels: a hash table, open, at most half full ---- */

static mcpw_label *labels(const mcpw_compiler *c) { return mcpw_row_at(c, MCPW_TABLE_LABELS, 0); }

static uint32_t hash_of(mcpw_str uri, mcpw_str anchor) {
    return (uint32_t)mcpw_hash_mix(mcpw_hash_text(uri.ptr, uri.len), mcpw_hash_text(anchor.ptr, anchor.len));
}

/* The place of a label, which is free when there is none such. Who makes texts that collide runs out of work.
 */
static mcpw_label *place_of(mcpw_compiler *c, uint32_t hash, mcpw_str uri, mcpw_str anchor) {
    const uint32_t mask = c->tables[MCPW_TABLE_LABELS].count - 1;
    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        mcpw_label *const l = labels(c) + i;
        if (l->uri.ptr == NULL ||
            (l->hash == hash && mcpw_str_equal(l->uri, uri) && mcpw_str_equal(l->anchor, anchor))) {
            return l;
        }
        if (c->work-- == 0) { /* uncovered: thousands of names whose hashes are the same */
            c->work = 0;
            c->status = c->status != MCPW_OK ? c->status : mcpw_error_status(c->error, MCPW_E_WORK);
            return l;
        }
    }
}

static void grow_labels(mcpw_compiler *c) {
    mcpw_rows *const t = c->tables + MCPW_TABLE_LABELS;
    const mcpw_rows old = *t;
    const uint32_t count = old.count == 0 ? FIRST_LABELS : 2 * old.count;
    t->rows = mcpw_arena_bump(&c->arena, count * t->size);
    if (t->rows == NULL) {
        c->status = mcpw_error_status(c->error, mcpw_arena_status(&c->arena));
        *t = old;
        return;
    }
    memset(t->rows, 0, count * t->size);
    t->count = count;
    for (uint32_t i = 0; i < old.count && !mcpw_failed(c); i++) {
        const mcpw_label *const l = (const mcpw_label *)(const void *)old.rows + i;
        if (l->uri.ptr != NULL) {
            *place_of(c, l->hash, l->uri, l->anchor) = *l;
        }
    }
}

static const mcpw_label *find_label(mcpw_compiler *c, mcpw_str uri, mcpw_str anchor) {
    if (c->tables[MCPW_TABLE_LABELS].count == 0) {
        return NULL;
    }
    const mcpw_label *const l = place_of(c, hash_of(uri, anchor), uri, anchor);
    return l->uri.ptr != NULL && !mcpw_failed(c) ? l : NULL;
}

/* The first of two with the same name stays, unless it is the same place; `at` is where it stands. */
static void add_label(mcpw_compiler *c, const mcpw_site *site, const mcpw_site *at, mcpw_str anchor,
                      bool dynamic) {
    const mcpw_str uri = mcpw_resource_at(c, site->resource)->uri;
    const mcpw_label made = {uri, anchor, hash_of(uri, anchor), *site, dynamic};
    if (2 * (c->label_count + 1) > c->tables[MCPW_TABLE_LABELS].count) {
        grow_labels(c);
    }
    if (mcpw_failed(c)) {
        return;
    }
    mcpw_label *const l = place_of(c, made.hash, uri, anchor);
    if (mcpw_failed(c)) { /* uncovered: place_of says why */
        return;
    }
    if (l->uri.ptr == NULL) {
        *l = made;
        c->label_count++;
    } else if (l->site.document != site->document || l->site.node != site->node) {
        mcpw_fault(c, at, MCPW_E_DUPLICATE, "'", anchor.len != 0 ? anchor : uri,
                   "' is the name of two schemas");
    } else {
        l->dynamic = l->dynamic || dynamic;
    }
    if (dynamic) {
        (void)mcpw_add_row(c, MCPW_TABLE_DYNAMIC_LABELS, &made);
    }
}

/* ---- what is in a document ---- */

mcpw_site mcpw_part_of(const mcpw_compiler *c, const mcpw_site *site, uint32_t node) {
    const uint32_t root = mcpw_document_at(c, site->document)->roots[node];
    const mcpw_site part = {site->document, node, root != 0 ? root - 1 : site->resource};
    return part;
}

static mcpw_str text_of(const mcpw_compiler *c, const mcpw_site *site, uint32_t node) {
    return mcpw_tape_text(mcpw_tape_of(c, site), node);
}

/* The text of a member of a schema, when it is one. */
static mcpw_str text_member(const mcpw_compiler *c, const mcpw_site *site, const char *name, uint32_t *node) {
    const mcpw_tape *const tape = mcpw_tape_of(c, site);
    const mcpw_str none = {NULL, 0};
    *node = mcpw_tape_find(tape, site->node, name, strlen(name));
    return *node != 0 && tape->nodes[*node].type == MCPW_IS_STRING ? text_of(c, site, *node) : none;
}

/* Resolves a reference that stands at `at`. */
static bool resolve(mcpw_compiler *c, const mcpw_site *at, mcpw_str base, mcpw_str reference,
                    mcpw_target *out) {
    const mcpw_status status = mcpw_uri_resolve(&c->arena, base, reference, out);
    if (status == MCPW_E_FORMAT) {
        mcpw_fault(c, at, MCPW_E_VALUE, "'", reference, "' is no URI reference");
    } else if (status != MCPW_OK && !mcpw_failed(c)) {
        c->status = mcpw_error_status(c->error, status);
    }
    return status == MCPW_OK;
}

/* The vocabularies that a meta-schema names, and its own dialect. */
static void read_metaschema(mcpw_compiler *c, const mcpw_site *at, const mcpw_site *meta,
                            mcpw_language *out) {
    const mcpw_tape *const tape = mcpw_tape_of(c, meta);
    const uint32_t list = mcpw_tape_find(tape, meta->node, "$vocabulary", strlen("$vocabulary"));
    unsigned found = 0;
    *out = mcpw_resource_at(c, meta->resource)->language;
    out->vocabularies = MCPW_VOCABULARY_USUAL;
    if (list == 0 || tape->nodes[list].type != MCPW_IS_OBJECT || out->dialect == MCPW_SCHEMA_DRAFT_07) {
        return;
    }
    for (uint32_t i = list + 1; i < tape->nodes[list].next; i = mcpw_tape_after(tape, i + 1)) {
        const mcpw_str uri = mcpw_tape_text(tape, i);
        const unsigned bits = mcpw_find_vocabulary(uri.ptr, uri.len);
        if (bits == 0 && mcpw_tape_is_true(tape, i + 1)) {
            mcpw_fault(c, at, MCPW_E_NOT_FOUND, "vocabulary '", uri, "' is not known");
        }
        found |= bits;
    }
    out->vocabularies = found | MCPW_VOCABULARY_CORE;
}

static void find_language(mcpw_compiler *c, const mcpw_site *at, mcpw_str uri, mcpw_language *out) {
    mcpw_target target;
    mcpw_site meta = *at;
    const mcpw_label *label = NULL;
    const mcpw_str base = {"", 0};
    if (!resolve(c, at, base, uri, &target)) {
        return;
    }
    out->dialect = mcpw_find_dialect(target.uri.ptr, target.uri.len);
    out->vocabularies = MCPW_VOCABULARY_USUAL;
    if (out->dialect != 0) {
        return;
    }
    if (c->loading == MOST_LOADING) {
        mcpw_fault(c, at, MCPW_E_DEPTH, "meta-schema '", uri, "' leads to too many others");
        return;
    }
    c->loading++;
    if (mcpw_find_reference(c, at, uri, &meta, &label)) {
        read_metaschema(c, at, &meta, out);
    }
    c->loading--;
}

/* Makes the schema at the site a resource. */
static void add_resource(mcpw_compiler *c, mcpw_site *site, mcpw_str uri, mcpw_language language) {
    const mcpw_resource made = {uri, site->document, site->node, language, false};
    site->resource = mcpw_add_row(c, MCPW_TABLE_RESOURCES, &made);
    if (!mcpw_failed(c)) {
        mcpw_document_at(c, site->document)->roots[site->node] = site->resource + 1;
    }
}

static bool is_draft_07(const mcpw_compiler *c, const mcpw_site *site) {
    return mcpw_resource_at(c, site->resource)->language.dialect == MCPW_SCHEMA_DRAFT_07;
}

/* Whether $ref hides what stands beside it. */
static bool is_hidden(const mcpw_compiler *c, const mcpw_site *site) {
    return is_draft_07(c, site) &&
           mcpw_tape_find(mcpw_tape_of(c, site), site->node, "$ref", strlen("$ref")) != 0;
}

static const mcpw_str no_anchor = {"", 0};

/* $id: a new resource, or in draft-07 an anchor as well. */
static void scan_id(mcpw_compiler *c, mcpw_site *site, bool whole) {
    uint32_t node = 0;
    const mcpw_str id = text_member(c, site, "$id", &node);
    const mcpw_site at = {site->document, node, site->resource};
    mcpw_language language = mcpw_resource_at(c, site->resource)->language;
    mcpw_target target;
    if (id.ptr == NULL) {
        return;
    }
    if (!resolve(c, &at, mcpw_resource_at(c, site->resource)->uri, id, &target)) {
        return;
    }
    const bool anchor = target.fragment.len != 0;
    if (anchor && language.dialect != MCPW_SCHEMA_DRAFT_07) {
        mcpw_fault(c, &at, MCPW_E_VALUE, "'", id, "' has a fragment, which no $id may have");
        return;
    }
    if (id.len != 0 && id.ptr[0] != '#') {
        uint32_t schema = 0;
        const mcpw_str dialect = text_member(c, site, "$schema", &schema);
        if (dialect.ptr != NULL && !whole) {
            find_language(c, &at, dialect, &language);
        }
        if (whole) {
            mcpw_resource_at(c, site->resource)->uri = target.uri;
        } else if (!mcpw_failed(c)) {
            add_resource(c, site, target.uri, language);
        }
        if (!mcpw_failed(c)) {
            add_label(c, site, &at, no_anchor, false);
        }
    }
    if (anchor && !mcpw_failed(c)) {
        add_label(c, site, &at, target.fragment, false);
    }
}

static void scan_anchors(mcpw_compiler *c, const mcpw_site *site) {
    mcpw_site at = *site;
    mcpw_resource *const resource = mcpw_resource_at(c, site->resource);
    const mcpw_schema_dialect dialect = resource->language.dialect;
    if (dialect == MCPW_SCHEMA_DRAFT_07) {
        return;
    }
    const mcpw_str anchor = text_member(c, site, "$anchor", &at.node);
    if (anchor.ptr != NULL) {
        add_label(c, site, &at, anchor, false);
    }
    if (dialect == MCPW_SCHEMA_2020_12) {
        const mcpw_str dynamic = text_member(c, site, "$dynamicAnchor", &at.node);
        if (dynamic.ptr != NULL) {
            add_label(c, site, &at, dynamic, true);
        }
        return;
    }
    static const char name[] = "$recursiveAnchor";
    const mcpw_tape *const tape = mcpw_tape_of(c, site);
    const uint32_t recursive = mcpw_tape_find(tape, site->node, name, sizeof name - 1);
    if (recursive != 0 && mcpw_tape_is_true(tape, recursive) && resource->node == site->node &&
        !resource->recursive) {
        resource->recursive = true;
        const mcpw_label label = {resource->uri, no_anchor, 0, *site, true};
        (void)mcpw_add_row(c, MCPW_TABLE_DYNAMIC_LABELS, &label);
    }
}

static void scan(mcpw_compiler *c, mcpw_site site, bool whole);

static void scan_part(mcpw_compiler *c, const mcpw_site *site, uint32_t node) {
    const mcpw_site part = {site->document, node, site->resource};
    scan(c, part, false);
}

/* The subschemas in the value of a keyword. */
static void scan_keyword(mcpw_compiler *c, const mcpw_site *site, mcpw_holds holds, uint32_t value) {
    const mcpw_tape *const tape = mcpw_tape_of(c, site);
    const mcpw_tape_node *const n = tape->nodes + value;
    const bool list = n->type == MCPW_IS_ARRAY && (holds == MCPW_HOLDS_LIST || holds == MCPW_HOLDS_ITEMS);
    const bool map = n->type == MCPW_IS_OBJECT && (holds == MCPW_HOLDS_MAP || holds == MCPW_HOLDS_MIXED);
    const uint32_t end = n->next;
    if (holds == MCPW_HOLDS_ONE || (holds == MCPW_HOLDS_ITEMS && !list)) {
        scan_part(c, site, value);
    }
    if (!list && !map) {
        return;
    }
    for (uint32_t i = value + 1; i < end && !mcpw_failed(c);) {
        const uint32_t part = i + (map ? 1 : 0);
        scan_part(c, site, part);
        i = mcpw_tape_after(mcpw_tape_of(c, site), part); /* the table of documents may have moved */
    }
}

/* Finds the resources and anchors in a schema. `whole`: it is a document. */
static void scan(mcpw_compiler *c, mcpw_site site, bool whole) {
    if (mcpw_failed(c) || mcpw_tape_of(c, &site)->nodes[site.node].type != MCPW_IS_OBJECT) {
        return;
    }
    if (!is_hidden(c, &site)) {
        scan_id(c, &site, whole);
        if (!mcpw_failed(c)) {
            scan_anchors(c, &site);
        }
    }
    const uint32_t end = mcpw_tape_of(c, &site)->nodes[site.node].next;
    for (uint32_t i = site.node + 1; i < end && !mcpw_failed(c);) {
        const mcpw_str name = text_of(c, &site, i);
        const mcpw_keyword keyword =
            mcpw_find_keyword(mcpw_resource_at(c, site.resource)->language, name.ptr, name.len);
        if (keyword != MCPW_KEYWORDS) {
            scan_keyword(c, &site, mcpw_keyword_rows[keyword].holds, i + 1);
        }
        i = mcpw_tape_after(mcpw_tape_of(c, &site), i + 1);
    }
}

/* ---- documents ---- */

static bool read_document(mcpw_compiler *c, mcpw_json text, mcpw_str uri, mcpw_document *d) {
    const mcpw_tape_limits limits = {c->options.max_depth, MCPW_DEFAULT_ELEMENTS};
    char excerpt[MCPW_EXCERPT_SIZE];
    mcpw_status status = text.len <= c->bytes_left ? MCPW_OK : MCPW_E_SIZE;
    d->uri = uri;
    d->tape.at = 0;
    if (status == MCPW_OK) {
        c->bytes_left -= text.len;
        status = mcpw_tape_read(&d->tape, text.ptr, text.len, &c->arena, &limits);
    }
    if (status == MCPW_OK) {
        const size_t size = 2 * (size_t)d->tape.count * sizeof *d->shapes;
        d->shapes = mcpw_arena_bump(&c->arena, size);
        if (d->shapes != NULL) {
            memset(d->shapes, 0, size);
            d->roots = d->shapes + d->tape.count;
            return true;
        }
        status = mcpw_arena_status(&c->arena);
    }
    c->status = status;
    mcpw_error_set(c->error, status, d->tape.at, "%s%s%s", mcpw_excerpt(excerpt, uri.ptr, uri.len),
                   uri.len != 0 ? ": " : "", mcpw_status_text(status));
    return false;
}

void mcpw_load_document(mcpw_compiler *c, mcpw_json text, mcpw_str uri, mcpw_site *out) {
    mcpw_document d;
    mcpw_language language = c->language;
    uint32_t node = 0;
    if (mcpw_failed(c) || !read_document(c, text, uri, &d)) {
        return;
    }
    out->node = 0;
    out->document = mcpw_add_row(c, MCPW_TABLE_DOCUMENTS, &d);
    if (mcpw_failed(c)) {
        return;
    }
    add_resource(c, out, uri, language); /* before its language is known, so that errors have a place */
    if (mcpw_failed(c)) {
        return;
    }
    const mcpw_str dialect = text_member(c, out, "$schema", &node);
    const mcpw_site at = {out->document, node, out->resource};
    if (dialect.ptr != NULL) {
        find_language(c, &at, dialect, &language);
        mcpw_resource_at(c, out->resource)->language = language;
    }
    if (!mcpw_failed(c)) {
        add_label(c, out, out, no_anchor, false);
    }
    scan(c, *out, true);
}

/* Gets a document that is not there yet. */
static void fetch(mcpw_compiler *c, const mcpw_site *at, mcpw_str uri, mcpw_site *out) {
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
        mcpw_fault(c, at, status, "'", uri, "' is not in this schema, and nobody gives it");
        return;
    }
    mcpw_load_document(c, text, uri, out);
}

/* ---- references ---- */

/* One step of a pointer. 0: it leads nowhere. */
static uint32_t step_into(const mcpw_tape *tape, uint32_t node, mcpw_str step) {
    const mcpw_tape_node *const n = tape->nodes + node;
    int64_t index = 0;
    if (n->type == MCPW_IS_OBJECT) {
        return mcpw_tape_find(tape, node, step.ptr, step.len);
    }
    if (n->type != MCPW_IS_ARRAY || step.len == 0 || (step.ptr[0] == '0' && step.len > 1)) {
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
    uint32_t item = node + 1;
    for (; index > 0; index--) {
        item = mcpw_tape_after(tape, item);
    }
    return item;
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
        const uint32_t node = step_into(mcpw_tape_of(c, site), site->node, step);
        const uint32_t cost = mcpw_tape_of(c, site)->nodes[site->node].size;
        if (node == 0 || c->work < cost) {
            return false;
        }
        c->work -= cost;
        *site = mcpw_part_of(c, site, node);
    }
    return true;
}

bool mcpw_find_reference(mcpw_compiler *c, const mcpw_site *at, mcpw_str reference, mcpw_site *out,
                         const mcpw_label **label) {
    mcpw_target target;
    *label = NULL;
    if (!resolve(c, at, mcpw_resource_at(c, at->resource)->uri, reference, &target)) {
        return false;
    }
    const mcpw_label *found = find_label(c, target.uri, no_anchor);
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
        found = find_label(c, mcpw_resource_at(c, out->resource)->uri, target.fragment);
        if (found != NULL) {
            *out = found->site;
            *label = found;
            return true;
        }
    }
    mcpw_fault(c, at, MCPW_E_NOT_FOUND, "reference '", reference, "' leads to nothing");
    return false;
}
