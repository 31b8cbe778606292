/* SPDX-License-Identifier: MIT */
/* Files that a server has sent, against their entry. */
#include "known.h"

#include "frontmatter.h"

#include <inttypes.h>

/* The one content of a URI; absent: there is none, or several. */
static mcpw_json content_of(mcpw_json result, mcpw_str uri, mcpw_arena *arena) {
    static const mcpw_json none = {NULL, 0, 0};
    mcpw_json contents;
    mcpw_json item;
    mcpw_json found = none;
    mcpw_json_iter it;
    size_t count = 0;
    if (mcpw_json_get(result, "contents", &contents) != MCPW_OK ||
        mcpw_json_iterate(contents, &it) != MCPW_OK) {
        return none;
    }
    while (mcpw_json_next(&it, NULL, &item)) {
        mcpw_str own;
        if (mcpw_json_get_string(item, "uri", arena, &own) == MCPW_OK && mcpw_str_equal(own, uri)) {
            found = item;
            count++;
        }
    }
    return count == 1 ? found : none;
}

mcpw_status mcpw_known_content(mcpw_json result, mcpw_str uri, mcpw_arena *arena, mcpw_skill_content *out,
                               mcpw_error *error) {
    const mcpw_json content = content_of(result, uri, arena);
    mcpw_str text = {NULL, 0};
    mcpw_str bytes = {NULL, 0};
    if (content.ptr == NULL) {
        return mcpw_error_set(error, MCPW_E_TYPE, 0, "the result is not one content of the file");
    }
    out->is_text = mcpw_json_get_string(content, "text", arena, &text) == MCPW_OK;
    if (!out->is_text) {
        mcpw_status status = mcpw_json_get_string(content, "blob", arena, &bytes);
        status = status == MCPW_OK ? mcpw_base64_decode(arena, bytes, &text) : status;
        if (status != MCPW_OK) {
            return mcpw_error_set(error, MCPW_E_TYPE, 0, "the content has neither text nor base64");
        }
    }
    const mcpw_str copy = mcpw_arena_str(arena, text.ptr, text.len);
    if (copy.ptr == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    out->bytes = copy.ptr;
    out->len = copy.len;
    if (mcpw_json_get_string(content, "mimeType", arena, &text) == MCPW_OK) {
        out->mime_type = mcpw_arena_str(arena, text.ptr, text.len);
    }
    return MCPW_OK;
}

/* Names the first field that differs. */
static mcpw_status difference(mcpw_json entry, mcpw_json parsed, mcpw_error *error) {
    const mcpw_json sides[] = {entry, parsed};
    mcpw_status status = mcpw_error_set(error, MCPW_E_VALUE, 0, "the front matter differs from the entry");
    for (size_t side = 0; side < sizeof sides / sizeof *sides; side++) {
        mcpw_arena arena = MCPW_ARENA_INIT;
        mcpw_json_iter it;
        mcpw_json key;
        mcpw_json value;
        mcpw_json other;
        mcpw_str name;
        bool differs = false;
        if (mcpw_json_iterate(sides[side], &it) != MCPW_OK) {
            return status;
        }
        while (!differs && mcpw_json_next(&it, &key, &value) &&
               mcpw_json_string(key, &arena, &name) == MCPW_OK) {
            const mcpw_str text = mcpw_arena_str(&arena, name.ptr, name.len);
            differs = text.ptr != NULL && (mcpw_json_get(sides[1 - side], text.ptr, &other) != MCPW_OK ||
                                           !mcpw_json_equal(value, other));
            if (differs) {
                mcpw_error_prepend_key(error, name.ptr, name.len);
            }
        }
        mcpw_arena_free(&arena);
        if (differs) {
            break;
        }
    }
    return status;
}

static mcpw_status verify_frontmatter(const mcpw_known_skill *skill, const mcpw_skill_content *content,
                                      mcpw_error *error) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_json parsed;
    mcpw_error why = {MCPW_OK, 0, "", ""};
    mcpw_status status = mcpw_skill_frontmatter(content->bytes, content->len, &arena, &parsed, &why);
    if (status == MCPW_E_MEMORY) {
        mcpw_error_set(error, status, 0, "%s", why.message);
    } else if (status != MCPW_OK) {
        status = mcpw_error_set(error, MCPW_E_VALUE, 0, "%s", why.message);
    } else if (!mcpw_json_equal(skill->entry.frontmatter, parsed)) {
        status = difference(skill->entry.frontmatter, parsed, error);
    }
    mcpw_arena_free(&arena);
    return status;
}

mcpw_status mcpw_known_verify(const mcpw_known_skill *skill, const mcpw_skill_resource *file,
                              const mcpw_skill_content *content, mcpw_error *error) {
    char digest[MCPW_SKILL_DIGEST_SIZE];
    if (file->digest.ptr != NULL) {
        if (file->size < 0 || (uint64_t)file->size != content->len) {
            return mcpw_error_set(error, MCPW_E_VALUE, 0,
                                  "the file has %zu bytes, and its entry says %" PRId64, content->len,
                                  file->size);
        }
        mcpw_skill_digest(content->bytes, content->len, digest);
        if (!mcpw_str_is(file->digest, digest)) {
            return mcpw_error_set(error, MCPW_E_VALUE, 0, "the digest of the file differs from its entry");
        }
    }
    return mcpw_str_equal(file->uri, skill->entry.uri) ? verify_frontmatter(skill, content, error) : MCPW_OK;
}
