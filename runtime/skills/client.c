/* SPDX-License-Identifier: MIT */
/* A client that knows the skills of a server. */
#include "known.h"

enum { DEFAULT_SKILLS = 1024, DEFAULT_MEMORY = 64 << 20, MAX_PAGES = 4096 };

static mcpw_arena arena_of(const mcpw_skills_client *client) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    arena.allocator = client->options.allocator;
    return arena;
}

mcpw_skills_client *mcpw_skills_client_new(const mcpw_skills_client_options *options, mcpw_error *error) {
    mcpw_skills_client_options own = MCPW_SKILLS_CLIENT_OPTIONS_INIT;
    if (options == NULL || !MCPW_TAKE(&own, allocator, options) || own.server == NULL ||
        (own.ask == NULL && own.client == NULL)) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the options lack a server, or a way to ask it");
        return NULL;
    }
    const mcpw_allocator allocator = own.allocator;
    mcpw_skills_client *const client = mcpw_resize(&allocator, NULL, 0, sizeof *client);
    const size_t size = strlen(own.server) + 1;
    char *const server = client != NULL ? mcpw_resize(&allocator, NULL, 0, size) : NULL;
    if (server == NULL) {
        if (client != NULL) {
            (void)mcpw_resize(&allocator, client, sizeof *client, 0);
        }
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        return NULL;
    }
    memset(client, 0, sizeof *client);
    memcpy(server, own.server, size);
    client->server = server;
    client->options = own;
    client->options.server = server;
    client->options.max_skills = own.max_skills != 0 ? own.max_skills : DEFAULT_SKILLS;
    client->options.max_memory = own.max_memory != 0 ? own.max_memory : DEFAULT_MEMORY;
    return client;
}

void mcpw_skills_client_free(mcpw_skills_client *client) {
    if (client == NULL) {
        return;
    }
    const mcpw_allocator allocator = client->options.allocator;
    while (client->count != 0) {
        mcpw_known_forget(client, client->count - 1);
    }
    if (client->skills != NULL) {
        (void)mcpw_resize(&allocator, (void *)client->skills, client->room * sizeof *client->skills, 0);
    }
    (void)mcpw_resize(&allocator, client->server, strlen(client->server) + 1, 0);
    (void)mcpw_resize(&allocator, client, sizeof *client, 0);
}

/* ---- Lists --------------------------------------------------------------------------------------------- */

/* A list that is being read. */
typedef struct listing {
    mcpw_skills_client *client;
    mcpw_arena arena; /* the result of a page */
    bool (*on_skill)(void *user, const mcpw_skill_entry *entry);
    void (*on_invalid)(void *user, mcpw_str uri, const mcpw_error *error);
    void *user;
    bool is_stopped;
} listing;

static mcpw_status take_skill(listing *l, mcpw_json item, mcpw_error *error) {
    mcpw_error why = {MCPW_OK, 0, "", ""};
    mcpw_str uri;
    mcpw_known_skill *const skill = mcpw_known_make(l->client, item, &l->arena, &uri, &why);
    const mcpw_known_skill *const old = skill != NULL ? mcpw_known_find(l->client, uri) : NULL;
    if (skill != NULL && old != NULL && old->list == l->client->list) {
        mcpw_error_set(&why, MCPW_E_DUPLICATE, 0, "the list has two entries of this uri");
        mcpw_known_free(l->client, skill);
    }
    if (why.code == MCPW_E_MEMORY) {
        return mcpw_error_set(error, why.code, 0, "%s", why.message);
    }
    if (skill == NULL || why.code != MCPW_OK) {
        if (l->on_invalid != NULL) {
            l->on_invalid(l->user, uri, &why);
        }
        return MCPW_OK;
    }
    skill->list = l->client->list;
    const mcpw_status status = mcpw_known_keep(l->client, skill, error);
    if (status == MCPW_OK && l->on_skill != NULL) {
        l->is_stopped = !l->on_skill(l->user, &skill->entry);
    }
    return status;
}

static mcpw_status take_page(listing *l, mcpw_json result, mcpw_error *error) {
    mcpw_status status = MCPW_OK;
    mcpw_json skills;
    mcpw_json item;
    mcpw_json_iter it;
    if (mcpw_json_get(result, "skills", &skills) != MCPW_OK || mcpw_json_kind_of(skills) != MCPW_JSON_ARRAY ||
        mcpw_json_iterate(skills, &it) != MCPW_OK) {
        return mcpw_error_set(error, MCPW_E_TYPE, 0, "the result of skills/list has no list of skills");
    }
    while (status == MCPW_OK && !l->is_stopped && mcpw_json_next(&it, NULL, &item)) {
        status = take_skill(l, item, error);
    }
    return status;
}

/* Copies the cursor of the next page. False: there is none. */
static bool next_cursor(listing *l, mcpw_json result, mcpw_buffer *cursor) {
    mcpw_str next;
    if (mcpw_json_get_string(result, "nextCursor", &l->arena, &next) != MCPW_OK) {
        return false;
    }
    cursor->len = 0;
    return mcpw_buffer_append(cursor, next.ptr, next.len) == MCPW_OK;
}

static mcpw_status read_pages(listing *l, mcpw_error *error) {
    mcpw_buffer cursor = MCPW_BUFFER_INIT;
    mcpw_str at = {NULL, 0};
    mcpw_status status = MCPW_OK;
    bool has_more = true;
    cursor.allocator = l->client->options.allocator;
    for (int page = 0; status == MCPW_OK && has_more && !l->is_stopped; page++) {
        mcpw_json result = {NULL, 0, 0};
        if (page == MAX_PAGES) {
            status = mcpw_error_set(error, MCPW_E_ELEMENTS, 0, "skills/list has more than %d pages",
                                    (int)MAX_PAGES);
            break;
        }
        mcpw_arena_reset(&l->arena);
        status = mcpw_known_ask(l->client, "skills/list", "cursor", at, &l->arena, &result, error);
        status = status == MCPW_OK ? take_page(l, result, error) : status;
        has_more = status == MCPW_OK && next_cursor(l, result, &cursor);
        at = (mcpw_str){cursor.data, cursor.len};
    }
    mcpw_buffer_free(&cursor);
    return status;
}

mcpw_status mcpw_skills_client_list(mcpw_skills_client *client,
                                    bool (*on_skill)(void *user, const mcpw_skill_entry *entry),
                                    void (*on_invalid)(void *user, mcpw_str uri, const mcpw_error *error),
                                    void *user, mcpw_error *error) {
    listing l = {client, arena_of(client), on_skill, on_invalid, user, false};
    client->list++;
    const mcpw_status status = read_pages(&l, error);
    for (size_t i = client->count; status == MCPW_OK && !l.is_stopped && i > 0; i--) {
        const mcpw_known_skill *const skill = client->skills[i - 1];
        if (skill->list != client->list && !skill->is_wanted) {
            mcpw_known_forget(client, i - 1);
        }
    }
    mcpw_arena_free(&l.arena);
    return status;
}

/* ---- Entries ------------------------------------------------------------------------------------------- */

static mcpw_status take_got(mcpw_skills_client *client, mcpw_json result, mcpw_str uri, mcpw_arena *arena,
                            mcpw_error *error) {
    mcpw_json text;
    mcpw_str own;
    mcpw_error why = {MCPW_OK, 0, "", ""};
    if (mcpw_json_get(result, "skill", &text) != MCPW_OK) {
        return mcpw_error_set(error, MCPW_E_TYPE, 0, "the result of skills/get has no skill");
    }
    mcpw_known_skill *const skill = mcpw_known_make(client, text, arena, &own, &why);
    if (skill == NULL) {
        return mcpw_error_set(error, why.code, 0, "%s", why.message);
    }
    if (!mcpw_str_equal(own, uri)) {
        mcpw_known_free(client, skill);
        return mcpw_error_set(error, MCPW_E_VALUE, 0, "the server has sent the entry of another skill");
    }
    skill->is_wanted = true;
    return mcpw_known_keep(client, skill, error);
}

mcpw_status mcpw_skills_client_get(mcpw_skills_client *client, mcpw_str uri, const mcpw_skill_entry **out,
                                   mcpw_error *error) {
    mcpw_arena arena = arena_of(client);
    mcpw_json result = {NULL, 0, 0};
    const mcpw_str wanted = mcpw_arena_str(&arena, uri.ptr, uri.len); /* uri may be that of the old entry */
    mcpw_status status = wanted.ptr != NULL
                             ? mcpw_known_ask(client, "skills/get", "uri", wanted, &arena, &result, error)
                             : mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the URI of the skill is absent");
    status = status == MCPW_OK ? take_got(client, result, wanted, &arena, error) : status;
    if (status == MCPW_OK && out != NULL) {
        *out = mcpw_skills_client_find(client, wanted);
    }
    mcpw_arena_free(&arena);
    return status;
}

const mcpw_skill_entry *mcpw_skills_client_find(mcpw_skills_client *client, mcpw_str uri) {
    const mcpw_known_skill *const skill = mcpw_known_find(client, uri);
    return skill != NULL ? &skill->entry : NULL;
}

mcpw_status mcpw_skills_client_approve(mcpw_skills_client *client, mcpw_str uri) {
    mcpw_known_skill *const skill = mcpw_known_find(client, uri);
    if (skill != NULL) {
        skill->entry.is_approved = true;
    }
    return skill != NULL ? MCPW_OK : MCPW_E_NOT_FOUND;
}

/* ---- Files --------------------------------------------------------------------------------------------- */

/* A file did not match: the approval is void, and the entry is asked for again. The status of that does not
 * matter, because the file is refused in any case. */
static void distrust(mcpw_skills_client *client, mcpw_known_skill *skill) {
    mcpw_error unused;
    skill->entry.is_approved = false;
    skill->has_valid_main = false;
    const mcpw_status status = mcpw_skills_client_get(client, skill->entry.uri, NULL, &unused);
    (void)status;
}

static mcpw_status fetch(mcpw_skills_client *client, mcpw_known_skill *skill, const mcpw_skill_resource *file,
                         mcpw_arena *arena, mcpw_skill_content *out, mcpw_error *error) {
    mcpw_arena own = arena_of(client);
    mcpw_json result = {NULL, 0, 0};
    *out = (mcpw_skill_content){0};
    mcpw_status status = mcpw_known_ask(client, "resources/read", "uri", file->uri, &own, &result, error);
    status = status == MCPW_OK ? mcpw_known_content(result, file->uri, arena, out, error) : status;
    mcpw_arena_free(&own);
    if (status != MCPW_OK) {
        return status;
    }
    status = mcpw_known_verify(skill, file, out, error);
    if (status != MCPW_OK) {
        *out = (mcpw_skill_content){0};
        distrust(client, skill);
        return status;
    }
    if (mcpw_str_equal(file->uri, skill->entry.uri)) {
        skill->has_valid_main = true;
    }
    out->is_verified = file->digest.ptr != NULL;
    out->server = mcpw_str_from(client->server);
    out->skill = mcpw_arena_str(arena, skill->entry.uri.ptr, skill->entry.uri.len);
    out->uri = mcpw_arena_str(arena, file->uri.ptr, file->uri.len);
    out->server = mcpw_arena_str(arena, out->server.ptr, out->server.len);
    return out->skill.ptr != NULL && out->uri.ptr != NULL && out->server.ptr != NULL
               ? MCPW_OK
               : mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
}

/* Reads SKILL.md, unless it is known to be valid. */
static mcpw_status read_main(mcpw_skills_client *client, mcpw_known_skill *skill, mcpw_error *error) {
    mcpw_arena arena = arena_of(client);
    mcpw_skill_resource file;
    mcpw_skill_content unused;
    mcpw_status status = MCPW_OK;
    if (!skill->has_valid_main) {
        status = mcpw_known_file(skill, (mcpw_str){NULL, 0}, &arena, &file)
                     ? fetch(client, skill, &file, &arena, &unused, error)
                     : mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
    }
    mcpw_arena_free(&arena);
    return status;
}

mcpw_status mcpw_skills_client_read(mcpw_skills_client *client, mcpw_str skill_uri, mcpw_str file,
                                    mcpw_arena *arena, mcpw_skill_content *out, mcpw_error *error) {
    mcpw_skill_resource found;
    mcpw_known_skill *skill = mcpw_known_find(client, skill_uri);
    mcpw_status status = MCPW_OK;
    *out = (mcpw_skill_content){0};
    if (skill == NULL) {
        status = mcpw_skills_client_get(client, skill_uri, NULL, error);
        skill = mcpw_known_find(client, skill_uri);
    }
    if (status != MCPW_OK || skill == NULL) {
        return status;
    }
    if (!mcpw_known_file(skill, file, arena, &found)) {
        return mcpw_error_set(error, MCPW_E_NOT_FOUND, 0, "the skill has no such file");
    }
    if (!mcpw_str_equal(found.uri, skill->entry.uri)) {
        status = read_main(client, skill, error);
    }
    return status == MCPW_OK ? fetch(client, skill, &found, arena, out, error) : status;
}
