/* SPDX-License-Identifier: MIT */
/*
 * The skills that a client knows.
 *
 *   known.c     entries: read, checked, kept
 *   requests.c  the requests of a client
 *   verify.c    files against their entry
 *   client.c    the functions of <mcpw/skills.h> for clients
 */
#ifndef MCPW_SKILLS_KNOWN_H
#define MCPW_SKILLS_KNOWN_H

#include <mcpw/json.h>
#include <mcpw/skills.h>

/* An entry that is known. */
typedef struct mcpw_known_skill {
    mcpw_arena arena; /* has the rest of it */
    mcpw_skill_entry entry;
    mcpw_str root;       /* the URI of the directory */
    uint64_t list;       /* the number of the list that it was in last; 0: none */
    bool is_wanted;      /* skills/get has asked for it */
    bool has_valid_main; /* SKILL.md was read, and is what the entry says */
} mcpw_known_skill;

struct mcpw_skills_client {
    mcpw_skills_client_options options;
    char *server;
    mcpw_known_skill **skills;
    size_t count;
    size_t room;
    uint64_t list; /* the number of the last list */
};

/* ---- known.c ---- */

/* Reads an entry, and checks it. NULL on failure; uri receives its URI, if it has one, in the arena. */
mcpw_known_skill *mcpw_known_make(const mcpw_skills_client *client, mcpw_json text, mcpw_arena *arena,
                                  mcpw_str *uri, mcpw_error *error);
/* Keeps an entry in place of the one of the same URI. On failure the entry is freed. */
MCPW_NODISCARD mcpw_status mcpw_known_keep(mcpw_skills_client *client, mcpw_known_skill *skill,
                                           mcpw_error *error);
mcpw_known_skill *mcpw_known_find(const mcpw_skills_client *client, mcpw_str uri);
void mcpw_known_forget(mcpw_skills_client *client, size_t index);
void mcpw_known_free(const mcpw_skills_client *client, mcpw_known_skill *skill);
/* Finds the file that a reference means: a URI, or a path below the skill. For a dynamic skill it is made in
 * the arena. False: the skill has no such file. */
bool mcpw_known_file(const mcpw_known_skill *skill, mcpw_str reference, mcpw_arena *arena,
                     mcpw_skill_resource *out);

/* ---- requests.c ---- */

/* Makes a request with one member, which may be absent. */
MCPW_NODISCARD mcpw_status mcpw_known_ask(const mcpw_skills_client *client, const char *method,
                                          const char *member, mcpw_str value, mcpw_arena *arena,
                                          mcpw_json *result, mcpw_error *error);

/* ---- verify.c ---- */

/* Takes the content of a result of resources/read into the arena. */
MCPW_NODISCARD mcpw_status mcpw_known_content(mcpw_json result, mcpw_str uri, mcpw_arena *arena,
                                              mcpw_skill_content *out, mcpw_error *error);
/* Compares content with its entry. MCPW_E_VALUE: it differs. */
MCPW_NODISCARD mcpw_status mcpw_known_verify(const mcpw_known_skill *skill, const mcpw_skill_resource *file,
                                             const mcpw_skill_content *content, mcpw_error *error);

#endif
