/* SPDX-License-Identifier: MIT */
/*
 * Faults of servers that a client lets pass or mends.
 *
 * An answer that cannot be read is looked at again, member by member: the error of the validator names the
 * member, which is then left out, or replaced by a value that says the least. So a mended answer is one that
 * the schema accepts, and nothing in it is made up but what the tables below have.
 */
#include <mcpw/detail/catalogue.h>
#include <mcpw/detail/reflect.h>

#include "lenient.h"

#include "../support/text.h"
#include "../support/wire_names.h"

enum {
    MOST_FIXES = 16, /* of one object */
    NAME_SIZE = 64   /* bytes of a member's name that can be mended, its NUL included */
};

/* ---- What may be mended -------------------------------------------------------------------------------- */

/* The required members that are replaced where they are missing or broken: see put_substitute. */
static const char capabilities[] = "capabilities";
static const char server_info[] = "serverInfo";
static const char input_schema[] = "inputSchema";
static const char content[] = "content";
static const char *const replaced[] = {capabilities, server_info, input_schema, content};

/* The lists whose items are mended one by one, and the type of these. */
static const struct {
    const char *member;
    const char *type;
} lists[] = {{"tools", "Tool"},
             {"prompts", "Prompt"},
             {"resources", "Resource"},
             {"resourceTemplates", "ResourceTemplate"}};

/* An object on its way to being mended, and where it stands in the message, for notes. */
typedef struct patient {
    mcpw_session *session;
    mcpw_arena *arena;
    mcpw_id id;
    mcpw_str method;
    const mcpw_type *type;
    const char *list; /* it is an item of this list of the result; NULL: it is the result */
    size_t index;
    bool may_lose; /* members that are broken may be left out */
    mcpw_json value;
} patient;

static void diagnostic(const patient *p, const char *done, const mcpw_error *why) {
    mcpw_error error;
    mcpw_error_set(&error, why->code, 0, "%s: %s", done, why->message);
    (void)memcpy(error.path, why->path, sizeof error.path);
    if (p->list != NULL) {
        mcpw_error_prepend_index(&error, p->index);
        mcpw_error_prepend_key(&error, p->list, strlen(p->list));
    }
    mcpw_error_prepend_key(&error, "result", sizeof "result" - 1);
    mcpw_session_diagnose(p->session, MCPW_DIAGNOSTIC_TOLERATED, &p->id, p->method, &error);
}

/* ---- Writing an object again --------------------------------------------------------------------------- */

static bool is_named(mcpw_json key, const char *name, mcpw_arena *arena) {
    mcpw_str text;
    return mcpw_json_string(key, arena, &text) == MCPW_OK && mcpw_str_is(text, name);
}

/* The object with another value for a member; absent: without the member. */
static mcpw_json with_member(mcpw_session *session, mcpw_arena *arena, mcpw_json object, const char *name,
                             mcpw_json value) {
    mcpw_text out = mcpw_session_text(session);
    mcpw_json result = {NULL, 0, 0};
    mcpw_json_iter it;
    mcpw_json key;
    mcpw_json one;
    mcpw_text_object(&out);
    if (mcpw_json_iterate(object, &it) == MCPW_OK && it.kind == MCPW_JSON_OBJECT) {
        while (mcpw_json_next(&it, &key, &one)) {
            if (!is_named(key, name, arena)) {
                mcpw_text_member_copy(&out, key, one);
            }
        }
    }
    if (value.ptr != NULL) {
        mcpw_text_member_json(&out, name, value);
    }
    mcpw_text_object_end(&out);
    return mcpw_text_finish(&out, arena, &result) == MCPW_OK ? result : (mcpw_json){NULL, 0, 0};
}

static mcpw_json member(mcpw_json object, const char *name) {
    mcpw_json value = {NULL, 0, 0};
    return mcpw_json_get(object, name, &value) == MCPW_OK ? value : (mcpw_json){NULL, 0, 0};
}

/* ---- One fault ----------------------------------------------------------------------------------------- */

/* Takes the first name off a JSON pointer; empty: there is none, or it cannot be mended. */
static void take_name(const char **path, char out[NAME_SIZE]) {
    size_t len = 0;
    out[0] = '\0';
    if ((*path)[0] != '/') {
        return;
    }
    const char *at = *path + 1;
    while (*at != '\0' && *at != '/' && *at != '~' && len + 1 < NAME_SIZE) {
        out[len++] = *at++;
    }
    out[*at == '\0' || *at == '/' ? len : 0] = '\0';
    *path = at;
}

/* Writes what stands for a required member, and says the least. */
static void put_substitute(mcpw_text *out, const char *name) {
    if (strcmp(name, content) == 0) {
        mcpw_text_array(out);
        mcpw_text_array_end(out);
        return;
    }
    mcpw_text_object(out);
    if (strcmp(name, server_info) == 0) {
        mcpw_text_member(out, "name", mcpw_str_from("unknown"));
        mcpw_text_member(out, "version", mcpw_str_from("unknown"));
    } else if (strcmp(name, input_schema) == 0) {
        mcpw_text_member(out, "type", mcpw_str_from("object"));
    }
    mcpw_text_object_end(out);
}

/* Absent: nothing stands for a member of that name. */
static mcpw_json substitute_for(const patient *p, const char *name) {
    mcpw_json value = {NULL, 0, 0};
    for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++) {
        if (strcmp(replaced[i], name) == 0) {
            mcpw_text out = mcpw_session_text(p->session);
            put_substitute(&out, name);
            return mcpw_text_finish(&out, p->arena, &value) == MCPW_OK ? value : (mcpw_json){NULL, 0, 0};
        }
    }
    return value;
}

/* Puts in a required member that is missing. */
static mcpw_json put_missing(const patient *p) {
    const mcpw_revision *const revision = mcpw_type_revision(p->type);
    for (size_t i = 0; i < sizeof replaced / sizeof *replaced; i++) {
        if (mcpw_slot_exists(mcpw_slot_named(revision, mcpw_type_ref(p->type), replaced[i])) &&
            member(p->value, replaced[i]).ptr == NULL) {
            return with_member(p->session, p->arena, p->value, replaced[i], substitute_for(p, replaced[i]));
        }
    }
    return (mcpw_json){NULL, 0, 0};
}

/* A schema of arguments without what is broken in it, and of type object. */
static mcpw_json mend_schema(const patient *p, mcpw_json schema, const char *path) {
    char name[NAME_SIZE];
    take_name(&path, name);
    if (mcpw_json_kind_of(schema) != MCPW_JSON_OBJECT) {
        return substitute_for(p, input_schema);
    }
    if (name[0] == '\0' || strcmp(name, "type") == 0) {
        return with_member(p->session, p->arena, schema, "type", (mcpw_json)MCPW_JSON("\"object\""));
    }
    return with_member(p->session, p->arena, schema, name, (mcpw_json){NULL, 0, 0});
}

/* The object without one fault; absent: it cannot be mended. */
static mcpw_json mend_one(const patient *p, const mcpw_error *error) {
    char name[NAME_SIZE];
    const char *path = error->path;
    take_name(&path, name);
    if (name[0] == '\0') {
        return error->path[0] == '\0' && error->code == MCPW_E_MISSING ? put_missing(p)
                                                                       : (mcpw_json){NULL, 0, 0};
    }
    const mcpw_json broken = member(p->value, name);
    mcpw_json value = substitute_for(p, name);
    if (strcmp(name, input_schema) == 0) {
        value = mend_schema(p, broken, path);
    } else if (strcmp(name, content) == 0 && mcpw_json_kind_of(broken) != MCPW_JSON_NULL) {
        return (mcpw_json){NULL, 0, 0}; /* it is what was asked for */
    }
    if (broken.ptr == NULL || (value.ptr == NULL && !p->may_lose)) {
        return (mcpw_json){NULL, 0, 0};
    }
    return with_member(p->session, p->arena, p->value, name, value);
}

/* Mends an object until its type accepts it. */
static bool mend(patient *p) {
    mcpw_options options = MCPW_OPTIONS_INIT;
    mcpw_error error;
    options.flags = p->session->config->flags;
    for (int i = 0; i < MOST_FIXES; i++) {
        const mcpw_mark mark = mcpw_arena_mark(p->arena);
        const mcpw_status status =
            mcpw_validate(p->type, p->value.ptr, p->value.len, p->arena, &options, &error);
        mcpw_arena_rewind(p->arena, mark);
        if (status == MCPW_OK) {
            return true;
        }
        const mcpw_json next = mend_one(p, &error);
        if (next.ptr == NULL || p->arena->status != MCPW_OK) {
            break;
        }
        diagnostic(p, "mended", &error);
        p->value = next;
    }
    if (p->list != NULL) {
        diagnostic(p, "left out of the list", &error);
    }
    return false;
}

/* ---- A result ------------------------------------------------------------------------------------------ */

/* The tool without null in its schema of arguments, where that is what a schema may leave out. Null is read
 * as absent elsewhere, but a schema stays text. */
static mcpw_json without_null(const patient *p, mcpw_json tool) {
    static const char *const optional[] = {"properties", "required"};
    mcpw_json wanted = member(tool, input_schema);
    for (size_t i = 0; i < sizeof optional / sizeof *optional; i++) {
        if (mcpw_json_kind_of(member(wanted, optional[i])) == MCPW_JSON_NULL) {
            wanted = with_member(p->session, p->arena, wanted, optional[i], (mcpw_json){NULL, 0, 0});
            tool = with_member(p->session, p->arena, tool, input_schema, wanted);
        }
    }
    return tool;
}

/* The list with its items mended, and without those that cannot be. */
static mcpw_json mend_list(const patient *result, mcpw_json list, size_t which) {
    mcpw_text out = mcpw_session_text(result->session);
    mcpw_json mended = {NULL, 0, 0};
    mcpw_json_iter it;
    mcpw_json item;
    patient p = *result;
    p.type = mcpw_revision_type(mcpw_type_revision(result->type), lists[which].type);
    p.list = lists[which].member;
    mcpw_text_array(&out);
    if (p.type != NULL && mcpw_json_iterate(list, &it) == MCPW_OK) {
        for (p.index = 0; mcpw_json_next(&it, NULL, &item); p.index++) {
            p.value = without_null(&p, item);
            if (p.value.ptr != NULL && mend(&p)) {
                mcpw_text_json(&out, p.value);
            }
        }
    }
    mcpw_text_array_end(&out);
    return mcpw_text_finish(&out, result->arena, &mended) == MCPW_OK ? mended : (mcpw_json){NULL, 0, 0};
}

/* Whether all that its result says beyond lists may go, if it is broken. */
static bool may_lose(mcpw_own own) { return own != MCPW_OWN_CALL_TOOL; }

static mcpw_json mend_result(patient *p) {
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const mcpw_json list = member(p->value, lists[i].member);
        if (mcpw_json_kind_of(list) == MCPW_JSON_ARRAY &&
            mcpw_slot_exists(
                mcpw_slot_named(mcpw_type_revision(p->type), mcpw_type_ref(p->type), lists[i].member))) {
            const mcpw_json mended = mend_list(p, list, i);
            p->value = mended.ptr != NULL
                           ? with_member(p->session, p->arena, p->value, lists[i].member, mended)
                           : mended;
        }
        if (p->value.ptr == NULL) {
            return p->value;
        }
    }
    return mend(p) ? p->value : (mcpw_json){NULL, 0, 0};
}

/* ---- A message ----------------------------------------------------------------------------------------- */

static bool is_null(mcpw_json value) { return mcpw_json_kind_of(value) == MCPW_JSON_NULL; }

mcpw_str mcpw_lenient_mend(mcpw_session *session, const mcpw_profile *profile, mcpw_received *text,
                           mcpw_arena *arena) {
    const mcpw_outline o = mcpw_outline_of(text, arena);
    const mcpw_pending *const pending = o.has_outcome ? mcpw_pending_answered(session, &o.id) : NULL;
    const mcpw_method *const method =
        pending != NULL ? mcpw_method_entry(profile->revision, pending->sent.method) : NULL;
    mcpw_json all = {text->text.ptr, text->text.len, 0};
    const mcpw_json result = o.envelope->at[MCPW_AT_RESULT];
    const mcpw_json error = o.envelope->at[MCPW_AT_ERROR];
    if (method == NULL || pending->traits.task || o.method.ptr != NULL) {
        return no_str;
    }
    patient p = {.session = session,
                 .arena = arena,
                 .id = o.id,
                 .method = mcpw_method_name(profile->revision, pending->sent.method),
                 .type = mcpw_method_result(method),
                 .may_lose = may_lose(profile->bindings[pending->sent.method].own),
                 .value = result};
    if (result.ptr != NULL && error.ptr != NULL && (is_null(result) || is_null(error))) {
        mcpw_error why = {.code = MCPW_E_MESSAGE};
        mcpw_error_set(&why, MCPW_E_MESSAGE, 0, "%s is null", is_null(error) ? "error" : "result");
        all = with_member(session, arena, all, is_null(error) ? "error" : "result", (mcpw_json){NULL, 0, 0});
        mcpw_session_diagnose(session, MCPW_DIAGNOSTIC_TOLERATED, &p.id, p.method, &why);
    }
    if (mcpw_json_kind_of(result) == MCPW_JSON_OBJECT && all.ptr != NULL) {
        const mcpw_json mended = mend_result(&p);
        all = mended.ptr != NULL ? with_member(session, arena, all, "result", mended) : mended;
    }
    return session->closed ? no_str : (mcpw_str){all.ptr, all.len};
}

bool mcpw_lenient_looks_again(mcpw_session *session, const mcpw_profile *profile, mcpw_str text,
                              const mcpw_message *message) {
    static const char null[] = "null";
    enum { LEN = sizeof null - 1 };
    const mcpw_pending *const p =
        message->kind == MCPW_MESSAGE_RESULT ? mcpw_pending_answered(session, &message->id) : NULL;
    if (p == NULL || profile->bindings[p->sent.method].own != MCPW_OWN_LIST_TOOLS) {
        return false;
    }
    for (size_t i = 0; i + LEN <= text.len; i++) {
        const char *const at = memchr(text.ptr + i, 'n', text.len - i);
        i = at != NULL ? (size_t)(at - text.ptr) : text.len;
        if (i + LEN <= text.len && memcmp(text.ptr + i, null, LEN) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- Capabilities -------------------------------------------------------------------------------------- */

bool mcpw_lenient_undeclared(mcpw_session *session, const char *capability, mcpw_str method) {
    mcpw_error error;
    unsigned offer = 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        offer |= strcmp(lists[i].member, capability) == 0 ? 1U << i : 0U;
    }
    if (!session->config->lenient || offer == 0) {
        return false;
    }
    if ((session->undeclared & offer) != 0) {
        return true;
    }
    session->undeclared |= offer;
    mcpw_error_set(&error, MCPW_E_CAPABILITY, 0, "used though the server has not declared \"%s\"",
                   capability);
    mcpw_session_diagnose(session, MCPW_DIAGNOSTIC_TOLERATED, NULL, method, &error);
    return true;
}
