/* SPDX-License-Identifier: MIT */
/* The compact serialization of JWS. (RFC 7515, sections 3.1, 4.1 and 7.1.) */
#include "jose.h"

#include "../oauth/oauth.h"

/* Takes a part off the front, up to the next period, which is dropped. False: there is none. */
static bool take_part(mcpw_str *rest, mcpw_str *part) {
    const char *const point = rest->len != 0 ? memchr(rest->ptr, '.', rest->len) : NULL;
    if (point == NULL) {
        return false;
    }
    part->ptr = rest->ptr;
    part->len = (size_t)(point - rest->ptr);
    rest->ptr = point + 1;
    rest->len -= part->len + 1;
    return true;
}

static mcpw_status refuse(mcpw_error *error, const char *what, const char *why) {
    return mcpw_error_set(error, MCPW_E_UNAUTHORIZED, 0, "the %s %s", what, why);
}

static mcpw_status check_header(const char *what, const char *algorithms, mcpw_jose_jws *out,
                                mcpw_error *error) {
    const mcpw_jose_json_header *const header = &out->header;
    out->algorithm = mcpw_jose_algorithm_of(header->alg);
    if (out->algorithm == NULL || !mcpw_jose_is_listed(algorithms, out->algorithm)) {
        return refuse(error, what, "is signed by an algorithm that is not allowed here");
    }
    if (header->crit.items != NULL || header->b64.set) {
        return refuse(error, what, "has critical extensions (crit), which are not supported");
    }
    return MCPW_OK;
}

mcpw_status mcpw_jose_jws_read(const char *what, mcpw_str text, size_t most, const char *algorithms,
                               mcpw_arena *arena, mcpw_jose_jws *out, mcpw_error *error) {
    mcpw_str rest = text;
    mcpw_str header;
    mcpw_str payload;
    mcpw_error inner = {.code = MCPW_OK};
    *out = (mcpw_jose_jws){.algorithm = NULL};
    if (text.len > most) {
        return refuse(error, what, "is longer than the limit");
    }
    if (text.ptr == NULL || !take_part(&rest, &header) || !take_part(&rest, &payload) ||
        memchr(rest.ptr, '.', rest.len) != NULL) {
        return refuse(error, what, "is no JWS: it has three parts, separated by periods");
    }
    out->input = (mcpw_str){text.ptr, header.len + 1 + payload.len};
    arena->status = MCPW_OK;
    const mcpw_str head =
        mcpw_jose_bytes(arena, header); /* without memory for one part, the later ones are absent too */
    out->payload = head.ptr != NULL ? mcpw_jose_bytes(arena, payload) : head;
    out->signature = out->payload.ptr != NULL ? mcpw_jose_bytes(arena, rest) : out->payload;
    if (mcpw_jose_lacks_memory(arena)) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    if (head.ptr == NULL || out->payload.ptr == NULL || out->signature.ptr == NULL) {
        return refuse(error, what, "has a part that is not base64url");
    }
    const mcpw_status status =
        mcpw_jose_decode(&mcpw_jose_json_header_table, head, arena, &out->header, &inner);
    if (status == MCPW_E_MEMORY) {
        return mcpw_error_set(error, status, 0, "%s", mcpw_status_text(status));
    }
    if (status != MCPW_OK) {
        return mcpw_error_set(error, MCPW_E_UNAUTHORIZED, 0, "the header of the %s: %s", what, inner.message);
    }
    return check_header(what, algorithms, out, error);
}

bool mcpw_jose_has_type(mcpw_str typ, const char *type) {
    static const mcpw_str prefix = MCPW_STR("application/");
    if (typ.len > prefix.len && mcpw_oauth_is_same_word((mcpw_str){typ.ptr, prefix.len}, prefix)) {
        typ = (mcpw_str){typ.ptr + prefix.len, typ.len - prefix.len};
    }
    return typ.ptr != NULL && mcpw_oauth_is_same_word(typ, mcpw_str_from(type));
}
