/* SPDX-License-Identifier: MIT */
/* Reads the overlays of the command and of files. */
#define _POSIX_C_SOURCE 200809L

#include "glance.h"
#include "input.h"
#include "overlay_internal.h"
#include "overlay_text.h"
#include "text.h"
#include "tool.h"
#include "unwrap.h"

#include <mcpw/codec.h>
#include <mcpw/detail/catalogue.h>

#include <stdlib.h>
#include <string.h>

#define CAPABILITY "extensions."

static mcpw_json text_of(const overlay_text *known) {
    const mcpw_json text = mcpw_json_of((const char *)known->text, known->len);
    return text;
}

static const overlay_text *find_own(const char *name, size_t len) {
    size_t count = 0;
    const overlay_text *const own = overlay_texts(TEXT_OVERLAY, &count);
    for (size_t i = 0; i < count; i++) {
        if (strlen(own[i].name) == len && memcmp(own[i].name, name, len) == 0) {
            return own + i;
        }
    }
    return NULL;
}

static bool is_none(const char *name, const char *why) {
    tool_complain("%s is not an overlay: %s", name, why);
    return false;
}

void overlay_free(overlay *one) {
    free(one->owned);
    free(one->capability);
    mcpw_arena_free(&one->arena);
}

/* ---- metadata of an overlay ---- */

/* Converts "notifications.taskIds" to a pointer. */
static const char *pointer_of(overlay *one, mcpw_str path) {
    char *const pointer = mcpw_arena_alloc(&one->arena, path.len + 2);
    if (pointer != NULL) {
        pointer[0] = '/';
        for (size_t i = 0; i < path.len; i++) {
            pointer[i + 1] = path.ptr[i] == '.' ? '/' : path.ptr[i];
        }
        pointer[path.len + 1] = '\0';
    }
    return pointer;
}

static bool take_members(overlay *one, mcpw_json members) {
    mcpw_json_iter it;
    mcpw_json entry = {NULL, 0, 0};
    if (members.ptr == NULL) {
        return true;
    }
    one->members = mcpw_arena_alloc(&one->arena, (mcpw_json_count(members) + 1) * sizeof *one->members);
    if (one->members == NULL || mcpw_json_iterate(members, &it) != MCPW_OK) {
        return false;
    }
    while (mcpw_json_next(&it, NULL, &entry)) {
        overlay_member *const m = one->members + one->member_count;
        const mcpw_str path = glance_string(entry, "path", &one->arena);
        m->method = glance_string(entry, "method", &one->arena);
        m->is_result = mcpw_str_is(glance_string(entry, "part", &one->arena), "result");
        m->value = glance_string(entry, "value", &one->arena);
        m->pointer = path.ptr != NULL ? pointer_of(one, path) : NULL;
        if (m->method.ptr == NULL || m->pointer == NULL) {
            return false;
        }
        one->member_count++;
    }
    return true;
}

bool overlay_has(const overlay *one, mcpw_str method, bool is_result, mcpw_json part) {
    for (size_t i = 0; i < one->member_count && method.ptr != NULL && part.ptr != NULL; i++) {
        const overlay_member *const m = one->members + i;
        mcpw_json found = {NULL, 0, 0};
        if (m->is_result != is_result || !mcpw_str_equal(m->method, method) ||
            !unwrap_find(part, m->pointer, &found)) {
            continue;
        }
        if (m->value.ptr == NULL || (found.len == m->value.len + 2 && /* in quotes, without escapes */
                                     memcmp(found.ptr + 1, m->value.ptr, m->value.len) == 0)) {
            return true;
        }
    }
    return false;
}

/* Reads the name of the extension as a capability. */
static bool take_extension(overlay *one, mcpw_json extension) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_str name = {NULL, 0};
    text path = TEXT_INIT;
    one->is_extension = extension.ptr != NULL;
    if (mcpw_json_get_string(extension, "name", &arena, &name) == MCPW_OK) {
        text_add(&path, CAPABILITY);
        text_bytes(&path, name.ptr, name.len);
        text_bytes(&path, "", 1);
        one->capability = path.lost ? NULL : strdup(path.buffer.data);
    }
    const bool good = one->capability != NULL || name.ptr == NULL;
    text_free(&path);
    mcpw_arena_free(&arena);
    return good;
}

static bool take_joins(overlay *one, mcpw_json joins) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_str name = {NULL, 0};
    one->joins = joins;
    if (mcpw_json_get_string(joins, "revision", &arena, &name) == MCPW_OK) {
        text revision = TEXT_INIT;
        text_bytes(&revision, name.ptr, name.len);
        text_bytes(&revision, "", 1);
        one->base = revision.lost ? NULL : tool_find_revision(revision.buffer.data);
        text_free(&revision);
    }
    mcpw_arena_free(&arena);
    return one->base != NULL && take_extension(one, glance_member(joins, "extension")) &&
           take_members(one, glance_member(glance_member(joins, "extension"), "members"));
}

/* ---- published schemas of extensions ---- */

/* The revision with the most definition names in common; if several are equal, the newest. */
static const mcpw_revision *nearest(mcpw_json definitions) {
    size_t count = 0;
    size_t best = 0;
    const mcpw_revision *const *const all = mcpw_revisions(&count);
    const mcpw_revision *found = all[count - 1];
    for (size_t i = count; i > 0; i--) {
        mcpw_arena arena = MCPW_ARENA_INIT;
        mcpw_json_iter it;
        mcpw_json key = {NULL, 0, 0};
        mcpw_str name = {NULL, 0};
        size_t common = 0;
        if (mcpw_json_iterate(definitions, &it) != MCPW_OK) {
            break;
        }
        while (mcpw_json_next(&it, &key, NULL)) {
            text bytes = TEXT_INIT;
            if (mcpw_json_string(key, &arena, &name) == MCPW_OK) {
                text_bytes(&bytes, name.ptr, name.len);
                text_bytes(&bytes, "", 1);
                common += !bytes.lost && mcpw_revision_type(all[i - 1], bytes.buffer.data) != NULL ? 1U : 0U;
            }
            text_free(&bytes);
        }
        mcpw_arena_free(&arena);
        if (common > best) {
            best = common;
            found = all[i - 1];
        }
    }
    return found;
}

/* The own overlay of an extension whose published schema is in a folder with the same name. */
static const overlay_text *own_of_folder(const char *file, const mcpw_revision *base) {
    const char *const end = strrchr(file, '/');
    const char *begin = end;
    text name = TEXT_INIT;
    while (begin != NULL && begin > file && begin[-1] != '/') {
        begin--;
    }
    if (begin == NULL) {
        return NULL;
    }
    text_format(&name, "%s-", mcpw_revision_name(base));
    text_bytes(&name, begin, (size_t)(end - begin));
    const overlay_text *const own = name.lost ? NULL : find_own(name.buffer.data, name.buffer.len);
    text_free(&name);
    return own;
}

/* Takes the definitions of a published schema. The own overlay of the same name declares how they join the
 * revision. Without one, its requests are sent by clients and its notifications by servers. */
static bool take_published(overlay *one) {
    one->base = nearest(one->definitions);
    const overlay_text *const own = own_of_folder(one->name, one->base);
    one->is_extension = true;
    return own == NULL || take_joins(one, text_of(own));
}

/* ---- reading ---- */

static bool take(overlays *all, const char *name, mcpw_json whole, char *owned) {
    overlay *const one = all->each + all->count;
    const bool published =
        glance_member(whole, "overlay").ptr == NULL && glance_member(whole, "revision").ptr == NULL;
    memset(one, 0, sizeof *one);
    one->arena = (mcpw_arena)MCPW_ARENA_INIT;
    all->count++; /* count it now, so that it is freed */
    one->name = name;
    one->owned = owned;
    one->definitions = glance_member(whole, "definitions");
    if (one->definitions.ptr == NULL) {
        one->definitions = glance_member(whole, "$defs");
    }
    if (!published) {
        return take_joins(one, whole) || is_none(name, "its \"revision\" or \"extension\" says nothing");
    }
    if (one->definitions.ptr == NULL || mcpw_json_kind_of(one->definitions) != MCPW_JSON_OBJECT) {
        return is_none(name, "it has neither definitions nor $defs");
    }
    return take_published(one) || is_none(name, "out of memory");
}

static bool read_file(overlays *all, const char *file) {
    char why[INPUT_REASON_SIZE];
    mcpw_error error;
    input in;
    input_value value;
    char *copy = NULL;
    if (!input_open(&in, file, MCPW_SCHEMA_DEFAULT_BYTES) || input_whole(&in, &value) == INPUT_FAILED) {
        input_reason(&in, why);
        tool_complain("%s: %s", file, why);
        input_close(&in);
        return false;
    }
    const size_t len = value.too_long ? 0 : value.len;
    copy = malloc(len + 1);
    if (copy != NULL && len != 0) {
        memcpy(copy, value.text, len);
    }
    const bool too_long = value.too_long;
    input_close(&in);
    const mcpw_json whole = mcpw_json_of(copy, len);
    if (copy == NULL || too_long) {
        free(copy);
        return is_none(file, too_long ? "it is longer than a schema may be" : "out of memory");
    }
    const mcpw_status status = mcpw_json_check(whole, MCPW_DEFAULT_DEPTH, &error);
    if (status != MCPW_OK || mcpw_json_kind_of(whole) != MCPW_JSON_OBJECT) {
        (void)is_none(file, status != MCPW_OK ? error.message : "it is not an object");
        free(copy);
        return false;
    }
    return take(all, file, whole, copy);
}

bool overlay_read(overlays *all, const char *value) {
    const overlay_text *const own = find_own(value, strlen(value));
    const size_t at = all->count;
    const bool good = own != NULL ? take(all, own->name, text_of(own), NULL) : read_file(all, value);
    if (good) {
        all->each[at].is_given = true;
    }
    return good;
}

/* True if an own extension was given in another form, such as its published schema. */
static bool is_there(const overlays *all, const overlay_text *own) {
    for (size_t i = 0; i < all->count; i++) {
        if (all->each[i].name == own->name || all->each[i].joins.ptr == text_of(own).ptr) {
            return true;
        }
    }
    return false;
}

bool overlay_read_own(overlays *all) {
    size_t count = 0;
    const overlay_text *const own = overlay_texts(TEXT_OVERLAY, &count);
    bool good = true;
    for (size_t i = 0; i < count && good && all->count < OVERLAY_ALL; i++) {
        const bool wanted =
            glance_member(text_of(own + i), "extension").ptr != NULL && !is_there(all, own + i);
        good = !wanted || take(all, own[i].name, text_of(own + i), NULL);
    }
    return good;
}

void overlays_list_names(text *out, const char *separator) {
    size_t count = 0;
    const overlay_text *const own = overlay_texts(TEXT_OVERLAY, &count);
    for (size_t i = 0; i < count; i++) {
        text_add(out, i != 0 ? separator : "");
        text_add(out, own[i].name);
    }
}
