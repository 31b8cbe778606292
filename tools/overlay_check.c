/* SPDX-License-Identifier: MIT */
/* Checks messages by a revision and its overlays. */
#include "glance.h"
#include "overlay_internal.h"

#include <mcpw/codec.h>

#include <string.h>

/* ---- numbers of methods ---- */

/* Resolves the request of a response, and converts the method number of the schema. */
typedef struct asker {
    const mcpw_revision *base;
    const protocol *schema;
    mcpw_resolve resolve;
    void *user;
} asker;

static mcpw_answered_request in_schema(void *user, const mcpw_id *id) {
    const asker *const a = user;
    mcpw_answered_request answer = a->resolve(a->user, id);
    const mcpw_str name = mcpw_method_name(a->base, answer.method);
    if (answer.method > OVERLAY_METHODS) {
        answer.method -= OVERLAY_METHODS;
        answer.method = (size_t)answer.method < a->schema->method_count ? answer.method : 0;
    } else {
        answer.method = name.ptr != NULL ? protocol_method_number(a->schema, name) : 0;
    }
    return answer;
}

/* Converts a schema's method number to that of the revision or of an overlay. */
static int outside(const edition *e, const protocol *schema, int method) {
    if (method == 0) {
        return 0;
    }
    const mcpw_str name = schema->methods[method].name;
    const int known = mcpw_method_number(e->base, name.ptr, name.len);
    return known != 0 ? known : OVERLAY_METHODS + method;
}

static mcpw_status validate_by(const edition *e, protocol *schema, mcpw_json message, mcpw_arena *scratch,
                               mcpw_resolve resolve, void *user, mcpw_envelope *found,
                               const mcpw_options *options, mcpw_error *error) {
    const exchange_schema checks = protocol_checks(schema);
    asker a = {e->base, schema, resolve, user};
    const mcpw_status status =
        checks.validate(checks.user, message, scratch, in_schema, &a, found, options, error);
    found->method = outside(e, schema, found->method);
    return status;
}

/* ---- extensions in messages ---- */

static bool has_member(const overlays *all, const mcpw_revision *revision, mcpw_str method, bool is_result,
                       mcpw_json part) {
    for (size_t i = 0; all != NULL && i < all->count; i++) {
        if (all->each[i].base == revision && overlay_has(all->each + i, method, is_result, part)) {
            return true;
        }
    }
    return false;
}

bool overlays_next_use(overlays *all, const mcpw_revision *revision, mcpw_str method, bool is_result,
                       mcpw_json part, bool by_overlay, size_t *at, overlay_use *out) {
    const overlay_method *const brought = is_result ? NULL : overlays_find(all, revision, method);
    const bool by_any = by_overlay && !has_member(all, revision, method, is_result, part);
    for (; all != NULL && *at < all->count; ++*at) {
        const overlay *const one = all->each + *at;
        if (one->base != revision || one->capability == NULL) {
            continue;
        }
        const bool is_method = brought != NULL && brought->capability == one->capability;
        if (is_method || by_any || overlay_has(one, method, is_result, part)) {
            out->capability = one->capability;
            out->is_any = by_any;
            out->pointer = is_method ? "/method" : is_result ? "/result" : "/params";
            ++*at;
            return true;
        }
    }
    return false;
}

/* ---- the check ---- */

/* True if the text itself is invalid, whatever the revision. */
static bool is_final(mcpw_status status) {
    return status == MCPW_E_SYNTAX || status == MCPW_E_UTF8 || status == MCPW_E_DEPTH ||
           status == MCPW_E_SIZE || status == MCPW_E_ELEMENTS || status == MCPW_E_MEMORY ||
           status == MCPW_E_ARENA;
}

/* True if a message has a method or a member of an overlay, so that the schema must check it. */
static bool is_of_overlays(overlays *all, const edition *e, const glance *g, mcpw_resolve resolve,
                           void *user) {
    const bool is_result = g->kind == MCPW_MESSAGE_RESULT;
    mcpw_str method = g->method;
    if (is_result) {
        const int number = resolve(user, &g->id).method;
        if (number > OVERLAY_METHODS) {
            return true;
        }
        method = mcpw_method_name(e->base, number);
    } else if (method.ptr != NULL && mcpw_method_number(e->base, method.ptr, method.len) == 0 &&
               overlays_find(all, e->base, method) != NULL) {
        return true;
    }
    return has_member(all, e->base, method, is_result, g->at[is_result ? MCPW_AT_RESULT : MCPW_AT_PARAMS]);
}

/* True if a message that its revision refuses is valid only with the overlays. */
static bool depends(overlays *all, edition *e, mcpw_json message, mcpw_arena *scratch, mcpw_resolve resolve,
                    void *user, mcpw_envelope *found, const mcpw_options *options) {
    mcpw_error unused;
    mcpw_envelope other;
    protocol *const plain = overlay_plain(all, e);
    return plain != NULL &&
           validate_by(e, plain, message, scratch, resolve, user, &other, options, &unused) != MCPW_OK &&
           validate_by(e, &e->schema, message, scratch, resolve, user, found, options, &unused) == MCPW_OK;
}

mcpw_status overlays_validate(overlays *all, const mcpw_revision *revision, mcpw_json message,
                              mcpw_arena *scratch, mcpw_resolve resolve, void *user, mcpw_envelope *found,
                              const mcpw_options *options, mcpw_error *error, bool *by_overlay) {
    edition *const e = overlay_edition(all, revision);
    mcpw_options quiet = *options;
    mcpw_envelope first;
    glance g;
    *by_overlay = false;
    if (e == NULL) {
        return mcpw_message_validate(revision, message.ptr, message.len, scratch, resolve, user, found,
                                     options, error);
    }
    quiet.on_error = NULL;
    mcpw_status status = mcpw_message_validate(revision, message.ptr, message.len, scratch, resolve, user,
                                               &first, &quiet, error);
    if (is_final(status) && options->on_error == NULL) {
        *found = first;
        return status;
    }
    glance_read(&g, message, scratch);
    const bool judged = !is_final(status) && (e->replaces || is_of_overlays(all, e, &g, resolve, user));
    if (judged && overlay_opened(all, revision, false) != NULL) {
        const mcpw_status own = status;
        status = validate_by(e, &e->schema, message, scratch, resolve, user, found, options, error);
        *by_overlay = status == MCPW_OK && own != MCPW_OK;
        return status;
    }
    if (status != MCPW_OK && !is_final(status) && g.kind != MCPW_MESSAGE_BATCH &&
        g.kind != MCPW_MESSAGE_NONE && overlay_opened(all, revision, false) != NULL &&
        depends(all, e, message, scratch, resolve, user, found, &quiet)) {
        *by_overlay = true;
        return MCPW_OK;
    }
    if (status != MCPW_OK) { /* again, to report every error, and because the arena was reused */
        status = mcpw_message_validate(revision, message.ptr, message.len, scratch, resolve, user, &first,
                                       options, error);
    }
    *found = first;
    return status;
}
