/* SPDX-License-Identifier: MIT */
/* Entries that a server has sent: read, checked, kept. */
#define _XOPEN_SOURCE 700
#include "known.h"

#include "frontmatter.h"
#include "served.h"

#include <stdlib.h>

enum { DIGEST_PREFIX = 7, DIGEST_LENGTH = MCPW_SKILL_DIGEST_SIZE - 1, FIRST_ROOM = 16 };

static const char own_file[] = "/SKILL.md";

static mcpw_status no_memory(mcpw_error *error) {
    return mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
}

static mcpw_status is_invalid(mcpw_error *error, const char *why) {
    return mcpw_error_set(error, MCPW_E_VALUE, 0, "the entry of the skill is invalid: %s", why);
}

/* ---- URIs ---------------------------------------------------------------------------------------------- */

/* A URI of a skill or file: printable ASCII without query and fragment. */
static bool is_uri(mcpw_str uri) {
    enum { FIRST = '!', LAST = '~' };
    for (size_t i = 0; i < uri.len; i++) {
        const char c = uri.ptr[i];
        if (c < FIRST || c > LAST || c == '?' || c == '#') {
            return false;
        }
    }
    return uri.len > 3 && memchr(uri.ptr, ':', uri.len) != NULL;
}

/* The directory of a skill with a slash, which all URIs of its files begin with. */
static const char *prefix_of(mcpw_str root, mcpw_arena *arena) {
    char *const prefix = mcpw_arena_alloc(arena, root.len + 2);
    if (prefix != NULL) {
        memcpy(prefix, root.ptr, root.len);
        memcpy(prefix + root.len, "/", 2);
    }
    return prefix;
}

/* The path of a file below the skill, decoded into the arena. False: it is not below. */
static bool path_below(mcpw_str root, mcpw_str uri, mcpw_arena *arena, mcpw_str *path) {
    const char *const prefix = prefix_of(root, arena);
    return prefix != NULL && mcpw_skills_path(prefix, uri, arena, path);
}

bool mcpw_known_file(const mcpw_known_skill *skill, mcpw_str reference, mcpw_arena *arena,
                     mcpw_skill_resource *out) {
    mcpw_str wanted = reference;
    mcpw_str path;
    if (reference.ptr == NULL) {
        wanted = (mcpw_str){own_file + 1, sizeof own_file - 2};
    } else if (!path_below(skill->root, reference, arena, &wanted)) {
        wanted = reference;
    }
    if (!mcpw_skills_path_is_valid(wanted)) {
        return false;
    }
    if (skill->entry.is_dynamic) {
        const char *const prefix = prefix_of(skill->root, arena);
        const mcpw_str uri = prefix != NULL ? mcpw_skills_uri(prefix, wanted, arena) : (mcpw_str){NULL, 0};
        *out = (mcpw_skill_resource){uri, {NULL, 0}, -1};
        return uri.ptr != NULL;
    }
    for (size_t i = 0; i < skill->entry.file_count; i++) {
        const mcpw_mark mark = mcpw_arena_mark(arena);
        const bool is_same =
            path_below(skill->root, skill->entry.files[i].uri, arena, &path) && mcpw_str_equal(path, wanted);
        mcpw_arena_rewind(arena, mark);
        if (is_same) {
            *out = skill->entry.files[i];
            return true;
        }
    }
    return false;
}

/* ---- Reading ------------------------------------------------------------------------------------------- */

static bool is_digest(mcpw_str digest) {
    if (digest.len != DIGEST_LENGTH || memcmp(digest.ptr, "sha256:", DIGEST_PREFIX) != 0) {
        return false;
    }
    for (size_t i = DIGEST_PREFIX; i < digest.len; i++) {
        const char c = digest.ptr[i];
        if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'f')) {
            return false;
        }
    }
    return true;
}

/* The text of a member, in the arena. */
static bool take_text(mcpw_json object, const char *name, mcpw_arena *arena, mcpw_str *out) {
    mcpw_str text;
    if (mcpw_json_get_string(object, name, arena, &text) != MCPW_OK) {
        return false;
    }
    *out = mcpw_arena_str(arena, text.ptr, text.len);
    return out->ptr != NULL;
}

static mcpw_status take_file(mcpw_known_skill *skill, mcpw_json item, mcpw_skill_resource *out,
                             mcpw_error *error) {
    mcpw_str path;
    if (!take_text(item, "uri", &skill->arena, &out->uri) ||
        !take_text(item, "digest", &skill->arena, &out->digest) ||
        mcpw_json_get_int(item, "size", &out->size) != MCPW_OK || out->size < 0) {
        return is_invalid(error, "a file lacks its uri, digest or size");
    }
    if (!is_digest(out->digest)) {
        return is_invalid(error, "a digest is not sha256: and 64 hexadecimal digits in lower case");
    }
    if (!is_uri(out->uri) || !path_below(skill->root, out->uri, &skill->arena, &path)) {
        return is_invalid(error, "a file does not lie below the skill");
    }
    return MCPW_OK;
}

static int compare_files(const void *left, const void *right) {
    const mcpw_skill_resource *const a = left;
    const mcpw_skill_resource *const b = right;
    return mcpw_skills_compare(a->uri, b->uri);
}

static mcpw_status check_files(const mcpw_known_skill *skill, const mcpw_skill_resource *files,
                               mcpw_error *error) {
    uint64_t bytes = 0;
    bool has_own = false;
    for (size_t i = 0; i < skill->entry.file_count; i++) {
        if (i != 0 && mcpw_str_equal(files[i].uri, files[i - 1].uri)) {
            return is_invalid(error, "it lists a file twice");
        }
        bytes += (uint64_t)files[i].size <= MCPW_SKILL_MAX_BYTES ? (uint64_t)files[i].size
                                                                 : MCPW_SKILL_MAX_BYTES + 1U;
        has_own = has_own || mcpw_str_equal(files[i].uri, skill->entry.uri);
    }
    if (bytes > MCPW_SKILL_MAX_BYTES) {
        return is_invalid(error, "its files have more than 16 MiB");
    }
    return has_own ? MCPW_OK : is_invalid(error, "it does not list SKILL.md");
}

static mcpw_status take_files(mcpw_known_skill *skill, mcpw_json list, mcpw_error *error) {
    const size_t count = mcpw_json_count(list);
    mcpw_json_iter it;
    mcpw_json item;
    size_t i = 0;
    if (mcpw_json_kind_of(list) != MCPW_JSON_ARRAY || count == 0 || count > MCPW_SKILL_MAX_FILES) {
        return is_invalid(error, "resources is neither dynamic nor a list of 1 to 512 files");
    }
    mcpw_skill_resource *const files = mcpw_arena_alloc(&skill->arena, count * sizeof *files);
    if (files == NULL) {
        return no_memory(error);
    }
    mcpw_status status = mcpw_json_iterate(list, &it);
    while (status == MCPW_OK && i < count && mcpw_json_next(&it, NULL, &item)) {
        status = take_file(skill, item, files + i++, error);
    }
    if (status != MCPW_OK) {
        return status;
    }
    skill->entry.file_count = i;
    skill->entry.files = files;
    qsort(files, i, sizeof *files, compare_files);
    return check_files(skill, files, error);
}

/* The directory of a skill, whose last segment is the name. */
static mcpw_status take_root(mcpw_known_skill *skill, mcpw_error *error) {
    const mcpw_str uri = skill->entry.uri;
    const size_t len = sizeof own_file - 1;
    if (!is_uri(uri) || uri.len <= len || memcmp(uri.ptr + uri.len - len, own_file, len) != 0) {
        return is_invalid(error, "its uri is not that of a SKILL.md");
    }
    skill->root = (mcpw_str){uri.ptr, uri.len - len};
    if (!mcpw_str_equal(mcpw_skills_name_of(skill->root), skill->entry.name) ||
        !mcpw_skill_name_is_valid(skill->entry.name)) {
        return is_invalid(error,
                          "its name is not the last part of its directory, or has other characters than "
                          "a-z, 0-9 and inner hyphens");
    }
    return MCPW_OK;
}

static mcpw_status take_entry(mcpw_known_skill *skill, mcpw_error *error) {
    mcpw_skill_entry *const entry = &skill->entry;
    mcpw_json resources;
    mcpw_str word = {NULL, 0};
    if (mcpw_json_get(skill->entry.text, "frontmatter", &entry->frontmatter) != MCPW_OK ||
        mcpw_json_kind_of(entry->frontmatter) != MCPW_JSON_OBJECT ||
        !take_text(entry->frontmatter, "name", &skill->arena, &entry->name) ||
        !take_text(entry->frontmatter, "description", &skill->arena, &entry->description)) {
        return is_invalid(error, "its frontmatter lacks name or description");
    }
    const mcpw_status status = take_root(skill, error);
    if (status != MCPW_OK) {
        return status;
    }
    if (mcpw_json_get(skill->entry.text, "resources", &resources) != MCPW_OK) {
        return is_invalid(error, "it has no resources");
    }
    if (mcpw_json_kind_of(resources) == MCPW_JSON_STRING) {
        entry->is_dynamic =
            mcpw_json_string(resources, &skill->arena, &word) == MCPW_OK && mcpw_str_is(word, "dynamic");
        return entry->is_dynamic
                   ? MCPW_OK
                   : is_invalid(error, "resources is neither dynamic nor a list of 1 to 512 files");
    }
    return take_files(skill, resources, error);
}

mcpw_known_skill *mcpw_known_make(const mcpw_skills_client *client, mcpw_json text, mcpw_arena *arena,
                                  mcpw_str *uri, mcpw_error *error) {
    const mcpw_allocator allocator = client->options.allocator;
    mcpw_status status;
    *uri = (mcpw_str){NULL, 0};
    if (mcpw_json_get_string(text, "uri", arena, uri) != MCPW_OK) {
        is_invalid(error, "it has no uri");
        return NULL;
    }
    mcpw_known_skill *const skill = mcpw_resize(&allocator, NULL, 0, sizeof *skill);
    if (skill == NULL) {
        no_memory(error);
        return NULL;
    }
    memset(skill, 0, sizeof *skill);
    skill->arena = (mcpw_arena)MCPW_ARENA_INIT;
    skill->arena.allocator = allocator;
    skill->arena.limit = client->options.max_memory;
    skill->entry.server = mcpw_str_from(client->server);
    skill->entry.uri = mcpw_arena_str(&skill->arena, uri->ptr, uri->len);
    const mcpw_str copy = mcpw_arena_str(&skill->arena, text.ptr, text.len);
    skill->entry.text = mcpw_json_of(copy.ptr, copy.len);
    status = copy.ptr != NULL && skill->entry.uri.ptr != NULL ? take_entry(skill, error) : no_memory(error);
    if (status == MCPW_OK) {
        return skill;
    }
    mcpw_known_free(client, skill);
    return NULL;
}

/* ---- Keeping ------------------------------------------------------------------------------------------- */

void mcpw_known_free(const mcpw_skills_client *client, mcpw_known_skill *skill) {
    const mcpw_allocator allocator = client->options.allocator;
    if (skill != NULL) {
        mcpw_arena_free(&skill->arena);
        (void)mcpw_resize(&allocator, skill, sizeof *skill, 0);
    }
}

mcpw_known_skill *mcpw_known_find(const mcpw_skills_client *client, mcpw_str uri) {
    for (size_t i = 0; i < client->count; i++) {
        if (mcpw_str_equal(client->skills[i]->entry.uri, uri)) {
            return client->skills[i];
        }
    }
    return NULL;
}

void mcpw_known_forget(mcpw_skills_client *client, size_t index) {
    mcpw_known_free(client, client->skills[index]);
    client->skills[index] = client->skills[--client->count];
}

static size_t bytes_of(const mcpw_skills_client *client) {
    size_t bytes = 0;
    for (size_t i = 0; i < client->count; i++) {
        bytes += client->skills[i]->arena.total;
    }
    return bytes;
}

/* Whether an entry fits in the memory of the client, in place of an old one unless that is NULL. */
static mcpw_status check_memory(const mcpw_skills_client *client, const mcpw_known_skill *skill,
                                const mcpw_known_skill *old, mcpw_error *error) {
    const size_t others = bytes_of(client) - (old != NULL ? old->arena.total : 0);
    return others + skill->arena.total <= client->options.max_memory
               ? MCPW_OK
               : mcpw_error_set(error, MCPW_E_SIZE, 0, "the entries of the skills have more than %zu bytes",
                                client->options.max_memory);
}

static mcpw_status make_room(mcpw_skills_client *client, mcpw_error *error) {
    const mcpw_allocator allocator = client->options.allocator;
    if (client->count == client->options.max_skills) {
        return mcpw_error_set(error, MCPW_E_ELEMENTS, 0, "the server has more than %zu skills",
                              client->options.max_skills);
    }
    if (client->count == client->room) {
        const size_t room = client->room != 0 ? client->room * 2 : FIRST_ROOM;
        void *const larger =
            mcpw_resize(&allocator, (void *)client->skills, client->room * sizeof *client->skills,
                        room * sizeof *client->skills);
        if (larger == NULL) {
            return no_memory(error);
        }
        client->skills = larger;
        client->room = room;
    }
    return MCPW_OK;
}

mcpw_status mcpw_known_keep(mcpw_skills_client *client, mcpw_known_skill *skill, mcpw_error *error) {
    mcpw_known_skill *const old = mcpw_known_find(client, skill->entry.uri);
    mcpw_status status = old == NULL ? make_room(client, error) : MCPW_OK;
    status = status == MCPW_OK ? check_memory(client, skill, old, error) : status;
    if (status != MCPW_OK) {
        mcpw_known_free(client, skill);
        return status;
    }
    if (old == NULL) {
        client->skills[client->count++] = skill;
        return MCPW_OK;
    }
    if (mcpw_json_equal(old->entry.text, skill->entry.text)) {
        skill->entry.is_approved = old->entry.is_approved;
        skill->has_valid_main = old->has_valid_main;
    }
    skill->is_wanted = skill->is_wanted || old->is_wanted;
    for (size_t i = 0; i < client->count; i++) {
        if (client->skills[i] == old) {
            client->skills[i] = skill;
        }
    }
    mcpw_known_free(client, old);
    return MCPW_OK;
}
