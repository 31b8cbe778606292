/* SPDX-License-Identifier: MIT */
#include "glance.h"
#include "overlay_internal.h"
#include "overlay_merge.h"
#include "overlay_text.h"
#include "tool.h"

#include <mcpw/codec.h>

#include <stdlib.h>
#include <string.h>

bool overlay_take(void *to, const option *entry, const char *value) {
    overlay_settings *const set = to;
    if (set->count == OVERLAY_MOST) {
        tool_complain("%s is given more than %d times", entry->name, OVERLAY_MOST);
        return false;
    }
    set->given[set->count++] = value;
    return true;
}

/* ---- editions ---- */

edition *overlay_edition(overlays *all, const mcpw_revision *revision) {
    for (size_t i = 0; all != NULL && i < all->edition_count; i++) {
        if (all->editions[i].base == revision) {
            return all->editions + i;
        }
    }
    return NULL;
}

static mcpw_json own_text(overlay_kind kind, const char *name) {
    size_t count = 0;
    const overlay_text *const texts = overlay_texts(kind, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(texts[i].name, name) == 0) {
            return mcpw_json_of((const char *)texts[i].text, texts[i].len);
        }
    }
    return (mcpw_json){NULL, 0, 0};
}

/* The own overlay that declares how another one joins its revision; "": none. */
static const char *joined_by(const overlay *one) {
    size_t count = 0;
    const overlay_text *const texts = overlay_texts(TEXT_OVERLAY, &count);
    for (size_t i = 0; i < count; i++) {
        if ((const char *)texts[i].text == one->joins.ptr) {
            return texts[i].name;
        }
    }
    return "";
}

/* The selectors of results in a revision or an overlay. */
static mcpw_json selectors_of(const char *name) {
    return glance_member(glance_member(own_text(TEXT_METHODS, "methods"), "result_alternatives"), name);
}

/* The corrected schema of a revision, with or without its overlays; NULL: it failed. */
static char *merged(const overlays *all, const edition *e, bool with_overlays, size_t *len) {
    const char *const name = mcpw_revision_name(e->base);
    merger m;
    merge_begin(&m, own_text(TEXT_SCHEMA, name));
    m.name = name;
    bool good = merge_changes(&m, glance_member(own_text(TEXT_ERRATA, name), "errata"));
    for (size_t i = 0; i < all->count && good && with_overlays; i++) {
        const overlay *const one = all->each + i;
        m.name = one->name;
        good = one->base != e->base || (merge_definitions(&m, one->definitions) &&
                                        merge_alternatives(&m, glance_member(one->joins, "alternatives")) &&
                                        merge_changes(&m, glance_member(one->joins, "changes")) &&
                                        (all->by_name || merge_selectors(&m, selectors_of(joined_by(one)))));
    }
    good = good && (all->by_name || merge_selectors(&m, selectors_of(name)));
    const mcpw_json result = merge_text(&m);
    char *const text = good ? malloc(result.len + 1) : NULL;
    if (text != NULL) {
        memcpy(text, result.ptr, result.len);
        text[result.len] = '\0';
        *len = result.len;
    }
    merge_free(&m);
    return text;
}

/* The overlay that contains a definition; NULL: it belongs to the revision. */
static const overlay *owner_of(const overlays *all, const edition *e, const char *definition) {
    for (size_t i = 0; i < all->count; i++) {
        const overlay *const one = all->each + i;
        if (one->base == e->base && glance_member(one->definitions, definition).ptr != NULL) {
            return one;
        }
    }
    return NULL;
}

/* True if a union of the schema refers to a definition. */
static bool lists(const edition *e, const char *union_name, const char *definition) {
    const protocol_definition *const u = protocol_find(&e->schema, union_name, strlen(union_name));
    mcpw_json_iter it;
    mcpw_json item = {NULL, 0, 0};
    text ref = TEXT_INIT;
    bool found = false;
    text_format(&ref, "\"#/%s/%s\"", e->schema.keyword, definition);
    const mcpw_json all = u != NULL ? glance_member(u->value, "anyOf") : (mcpw_json){NULL, 0, 0};
    if (all.ptr != NULL && mcpw_json_iterate(all, &it) == MCPW_OK) {
        while (!found && mcpw_json_next(&it, NULL, &item)) {
            const mcpw_json to = glance_member(item, "$ref");
            found = to.len == ref.buffer.len && to.len != 0 && memcmp(to.ptr, ref.buffer.data, to.len) == 0;
        }
    }
    text_free(&ref);
    return found;
}

static void add_method(const overlays *all, edition *e, const protocol_method *m) {
    const protocol_definition *const request = m->by[PROTOCOL_REQUEST];
    const protocol_definition *const d = request != NULL ? request : m->by[PROTOCOL_NOTIFICATION];
    overlay_method *const out = e->methods + e->method_count++;
    const overlay *const owner = owner_of(all, e, d->name.ptr);
    out->name = m->name;
    out->number = OVERLAY_METHODS + (int)(m - e->schema.methods);
    out->capability = owner != NULL ? owner->capability : NULL;
    out->by_client = lists(e, request != NULL ? "ClientRequest" : "ClientNotification", d->name.ptr);
    out->by_server = lists(e, request != NULL ? "ServerRequest" : "ServerNotification", d->name.ptr);
    if (!out->by_client && !out->by_server) {
        out->by_client = request != NULL;
        out->by_server = request == NULL;
    }
}

static bool list_methods(const overlays *all, edition *e) {
    e->methods = calloc(e->schema.method_count + 1, sizeof *e->methods);
    for (size_t i = 1; e->methods != NULL && i < e->schema.method_count; i++) {
        const protocol_method *const m = e->schema.methods + i;
        if (mcpw_method_number(e->base, m->name.ptr, m->name.len) == 0) {
            add_method(all, e, m);
        }
    }
    return e->methods != NULL;
}

edition *overlay_opened(overlays *all, const mcpw_revision *revision, bool check) {
    edition *const e = overlay_edition(all, revision);
    size_t len = 0;
    if (e == NULL || e->tried) {
        return e != NULL && e->works ? e : NULL;
    }
    e->tried = true;
    e->text = merged(all, e, true, &len);
    e->works = e->text != NULL &&
               protocol_open_text(&e->schema, mcpw_revision_name(revision), mcpw_json_of(e->text, len),
                                  all->strict, check) &&
               protocol_find_methods(&e->schema, revision) && list_methods(all, e);
    return e->works ? e : NULL;
}

protocol *overlay_plain(overlays *all, edition *e) {
    size_t len = 0;
    if (!e->plain_tried) {
        e->plain_tried = true;
        e->plain_text = merged(all, e, false, &len);
        e->plain_works = e->plain_text != NULL &&
                         protocol_open_text(&e->plain, mcpw_revision_name(e->base),
                                            mcpw_json_of(e->plain_text, len), all->strict, false) &&
                         protocol_find_methods(&e->plain, e->base);
    }
    return e->plain_works ? &e->plain : NULL;
}

/* ---- all of them ---- */

static bool list_editions(overlays *all) {
    for (size_t i = 0; i < all->count; i++) {
        const overlay *const one = all->each + i;
        edition *e = overlay_edition(all, one->base);
        if (e == NULL && all->edition_count == OVERLAY_EDITIONS) {
            tool_complain("the overlays apply to too many revisions");
            return false;
        }
        if (e == NULL) {
            e = all->editions + all->edition_count++;
            e->base = one->base;
        }
        e->replaces = e->replaces || (one->is_given && !one->is_extension);
    }
    return true;
}

/* Reads the overlays of the options first, so that their errors are reported before any check. */
static bool open_given(overlays *all) {
    for (size_t i = 0; i < all->count; i++) {
        if (all->each[i].is_given && overlay_opened(all, all->each[i].base, true) == NULL) {
            return false;
        }
    }
    return true;
}

overlays *overlays_open(const overlay_settings *set) {
    overlays *const all = calloc(1, sizeof *all);
    bool good = all != NULL;
    if (!good) {
        tool_complain("out of memory");
        return NULL;
    }
    all->strict = set->strict;
    all->by_name = set->by_name;
    for (size_t i = 0; i < set->count && good; i++) {
        good = overlay_read(all, set->given[i]);
    }
    good = good && (!set->with_own || overlay_read_own(all)) && list_editions(all) && open_given(all);
    if (!good) {
        overlays_free(all);
        return NULL;
    }
    return all;
}

void overlays_free(overlays *all) {
    for (size_t i = 0; all != NULL && i < all->count; i++) {
        overlay_free(all->each + i);
    }
    for (size_t i = 0; all != NULL && i < all->edition_count; i++) {
        edition *const e = all->editions + i;
        if (e->tried) {
            protocol_close(&e->schema);
        }
        if (e->plain_tried) {
            protocol_close(&e->plain);
        }
        free(e->methods);
        free(e->text);
        free(e->plain_text);
    }
    free(all);
}

protocol *overlays_schema(overlays *all, const mcpw_revision **revision) {
    edition *const e = overlay_opened(all, all->each[0].base, true);
    *revision = all->each[0].base;
    return e != NULL ? &e->schema : NULL;
}

/* ---- methods ---- */

const overlay_method *overlays_find(overlays *all, const mcpw_revision *revision, mcpw_str name) {
    const edition *const e = name.ptr != NULL ? overlay_opened(all, revision, false) : NULL;
    for (size_t i = 0; e != NULL && i < e->method_count; i++) {
        if (mcpw_str_equal(e->methods[i].name, name)) {
            return e->methods + i;
        }
    }
    return NULL;
}

const overlay_method *overlays_at(overlays *all, const mcpw_revision *revision, int number) {
    const edition *const e = number > OVERLAY_METHODS ? overlay_opened(all, revision, false) : NULL;
    for (size_t i = 0; e != NULL && i < e->method_count; i++) {
        if (e->methods[i].number == number) {
            return e->methods + i;
        }
    }
    return NULL;
}
