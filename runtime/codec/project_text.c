/* SPDX-License-Identifier: MIT */
/* Projection by way of text. */
#include <mcpw/detail/generated.h>
#include <mcpw/json.h>

#include "project_internal.h"
#include "walks.h"
#include "write.h"

/* A failure whose record, if there is one, says where inside the value. */
static bool fail_inside(mcpw_projector *p, mcpw_status status, const mcpw_error *record) {
    p->status = status;
    p->misfit = false;
    if (p->error != NULL) {
        *p->error = *record;
        p->error->offset = 0;
        mcpw_project_place(p, p->error);
    }
    return false;
}

/* Text that is no value of its type. It is a misfit if it is JSON: the engine may have stopped before its
 * end, so that is checked here. */
MCPW_COLD static bool fail_text(mcpw_projector *p, mcpw_json text, mcpw_status status,
                                const mcpw_error *record) {
    mcpw_error broken;
    const mcpw_status grammar =
        mcpw_is_verdict(status) ? mcpw_json_check(text, MCPW_DEFAULT_DEPTH, &broken) : MCPW_OK;
    if (grammar != MCPW_OK) {
        return fail_inside(p, grammar, &broken);
    }
    (void)fail_inside(p, status, record);
    p->misfit = mcpw_is_verdict(status);
    return false;
}

/* Gives back what a buffer did not need. The buffer is the newest thing in the arena. */
static void give_back(mcpw_arena *arena, const mcpw_buffer *buffer) {
    const size_t mask = MCPW_ARENA_ALIGN - 1;
    unsigned char *const data = (unsigned char *)buffer->data;
    if (data + ((buffer->capacity + mask) & ~mask) == arena->next) {
        arena->next = data + ((buffer->len + mask) & ~mask);
    }
}

bool mcpw_project_text(mcpw_projector *p, const mcpw_source *source, mcpw_json *out) {
    if (mcpw_is_raw(source->ref)) {
        *out = mcpw_load_json(source->at);
        return true;
    }
    mcpw_buffer buffer = MCPW_BUFFER_INIT;
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_writer w;
    mcpw_error record;
    buffer.allocator.resize = mcpw_resize_in_arena;
    buffer.allocator.user = p->arena;
    options.flags = MCPW_ALLOW_UNKNOWN;
    unsigned char *q = mcpw_write_open(&w, p->from.revision, &buffer, &options, &record);
    q = q != NULL ? mcpw_write_document(&w, q, source->ref, source->at) : NULL;
    const mcpw_status status = mcpw_write_close(&w, q);
    if (status == MCPW_E_MEMORY) { /* of the buffer, which is in the arena */
        return mcpw_project_fail_status(p, mcpw_arena_status(p->arena));
    }
    if (status != MCPW_OK) {
        return fail_inside(p, status, &record);
    }
    give_back(p->arena, &buffer);
    *out = (mcpw_json){buffer.data, buffer.len, 0};
    return true;
}

bool mcpw_project_object(mcpw_projector *p, const mcpw_members *members, mcpw_json *out) {
    mcpw_buffer buffer = MCPW_BUFFER_INIT;
    mcpw_error record;
    buffer.allocator.resize = mcpw_resize_in_arena;
    buffer.allocator.user = p->arena;
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; status == MCPW_OK && i < members->count; i++) {
        const mcpw_member *const m = members->items + i;
        status = mcpw_buffer_append(&buffer, i == 0 ? "{" : ",", 1);
        status = status == MCPW_OK ? mcpw_json_append_string(&buffer, m->name) : status;
        status = status == MCPW_OK ? mcpw_buffer_append(&buffer, ":", 1) : status;
        status = status == MCPW_OK ? mcpw_json_append_raw(&buffer, m->value, 0, &record) : status;
    }
    status = status == MCPW_OK ? mcpw_buffer_append(&buffer, "}", 1) : status;
    if (status != MCPW_OK) {
        return mcpw_project_fail_status(p, status == MCPW_E_MEMORY ? mcpw_arena_status(p->arena) : status);
    }
    give_back(p->arena, &buffer);
    *out = (mcpw_json){buffer.data, buffer.len, 0};
    return true;
}

bool mcpw_project_check(mcpw_projector *p, mcpw_json text, mcpw_ref to) {
    const mcpw_type type = {p->to.revision, "", to, 0};
    mcpw_error record;
    const mcpw_status status = mcpw_validate(&type, text.ptr, text.len, p->arena, NULL, &record);
    return status == MCPW_OK || fail_text(p, text, status, &record);
}

bool mcpw_project_meets(mcpw_projector *p, mcpw_ref to, const unsigned char *value) {
    const mcpw_type type = {p->to.revision, "", to, 0};
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_error record;
    options.flags = MCPW_ALLOW_UNKNOWN; /* the text of an unknown value is looked at where it stands */
    const mcpw_status status = mcpw_validate_value(&type, value, p->arena, &options, &record);
    if (status == MCPW_OK) {
        return true;
    }
    (void)fail_inside(p, status, &record);
    p->misfit = mcpw_is_verdict(status);
    return false;
}

/* The engine refused the text: the validator says why. */
MCPW_COLD static bool explain(mcpw_projector *p, mcpw_json text, mcpw_ref to, mcpw_status status,
                              const mcpw_options *options) {
    const mcpw_type type = {p->to.revision, "", to, 0};
    mcpw_error record;
    const mcpw_status verdict = mcpw_validate(&type, text.ptr, text.len, p->arena, options, &record);
    if (verdict != MCPW_OK) {
        return fail_text(p, text, verdict, &record);
    }
    return mcpw_project_fail(p, status, "%s", mcpw_status_text(status));
}

bool mcpw_project_read(mcpw_projector *p, mcpw_json text, bool allow_unknown, mcpw_ref to,
                       unsigned char *out) {
    const mcpw_mark mark = mcpw_arena_mark(p->arena);
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_walk w;
    options.flags = allow_unknown ? MCPW_ALLOW_UNKNOWN : 0;
    mcpw_status status = mcpw_walk_start(&w, p->to.revision, text.ptr, text.len, p->arena, &options);
    if (status == MCPW_OK) {
        unsigned char *q = mcpw_build_ref(&w, mcpw_space(&w.reader, w.reader.base), to, out);
        q = q != NULL ? mcpw_space(&w.reader, q) : NULL;
        if (MCPW_LIKELY(q == w.reader.base + w.reader.len)) {
            p->saw_unknown = p->saw_unknown || w.saw_unknown;
            return true;
        }
        status = q != NULL ? MCPW_E_SYNTAX : w.reader.status;
    }
    mcpw_arena_rewind(p->arena, mark);
    return explain(p, text, to, status, &options);
}

static bool looks_like_object(mcpw_json text) {
    size_t i = 0;
    while (i < text.len && strchr(" \t\r\n", text.ptr[i]) != NULL && text.ptr[i] != '\0') {
        i++;
    }
    return i < text.len && text.ptr[i] == '{';
}

bool mcpw_project_raw(mcpw_projector *p, const mcpw_source *source, mcpw_ref to, mcpw_json *out) {
    if (!mcpw_project_text(p, source, out)) {
        return false;
    }
    /* Text of any type is not read here: the writer checks that it is JSON. */
    if (to.kind == MCPW_KIND_JSON || (to.kind == MCPW_KIND_JSON_OBJECT && looks_like_object(*out))) {
        return true;
    }
    return mcpw_project_check(p, *out, to);
}

bool mcpw_project_members(mcpw_projector *p, const mcpw_source *source, mcpw_members *out) {
    static const mcpw_ref object = {MCPW_KIND_JSON_OBJECT, 0, 0};
    mcpw_json text = {NULL, 0, 0};
    mcpw_json key;
    mcpw_json value;
    mcpw_json_iter it;
    if (!mcpw_project_text(p, source, &text) || !mcpw_project_check(p, text, object)) {
        return false;
    }
    mcpw_member *const items =
        (mcpw_member *)(void *)mcpw_project_alloc(p, mcpw_json_count(text), sizeof *items);
    if (items == NULL) {
        return false;
    }
    out->items = items;
    out->count = 0;
    mcpw_status status = mcpw_json_iterate(text, &it);
    while (status == MCPW_OK && mcpw_json_next(&it, &key, &value)) {
        status = mcpw_json_string(key, p->arena, &items[out->count].name);
        items[out->count++].value = value;
    }
    status = status == MCPW_OK ? it.status : status;
    return status == MCPW_OK || mcpw_project_fail(p, status, "%s", mcpw_status_text(status));
}

/* Values of kinds that have nothing to do with each other. */
bool mcpw_project_odd(mcpw_projector *p, const mcpw_source *source, mcpw_ref to, unsigned char *out) {
    mcpw_json text = {NULL, 0, 0};
    return mcpw_project_text(p, source, &text) &&
           mcpw_project_read(p, text, source->unknown || p->allow_unknown, to, out);
}
