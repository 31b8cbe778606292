/* SPDX-License-Identifier: MIT */
/*
 * The skills extension at both ends: io.modelcontextprotocol/skills of 2026-07-28.
 *
 * A skill is a directory with a file SKILL.md, whose front matter (YAML) has its name and its description. A
 * server lists its skills with the digests and sizes of all their files. A client verifies each file that it
 * reads against that list.
 *
 *     mcpw_skills *const skills = mcpw_server_add_skills(server, "skills", NULL, &error);
 *     ... serve ...
 *     mcpw_server_free(server);
 *     mcpw_skills_free(skills);
 *
 * The library is mcpwire::skills. It needs POSIX, libyaml and libsodium.
 */
#ifndef MCPW_SKILLS_H
#define MCPW_SKILLS_H

#include <mcpw/io.h>
#include <mcpw/server.h>
#include <mcpw/session.h>

MCPW_BEGIN_DECLS

/* The id of the extension. */
#define MCPW_SKILLS_EXTENSION "io.modelcontextprotocol/skills"

enum {
    MCPW_SKILL_MAX_FILES = 512,              /* files of a skill, SKILL.md included */
    MCPW_SKILL_MAX_BYTES = 16 << 20,         /* bytes of all files of a skill */
    MCPW_SKILL_MAX_NAME = 64,                /* bytes of a skill's name */
    MCPW_SKILL_MAX_PATH = 1024,              /* bytes of the path of a file below the root */
    MCPW_SKILL_FRONTMATTER_BYTES = 64 << 10, /* bytes of front matter */
    MCPW_SKILL_FRONTMATTER_NODES = 4096,     /* scalars, sequences and mappings in it */
    MCPW_SKILL_FRONTMATTER_DEPTH = 32        /* nested sequences and mappings in it */
};

/* ---- Servers ------------------------------------------------------------------------------------------- */

/* The skills of a server: those of a directory, and those that the program adds. */
typedef struct mcpw_skills mcpw_skills;

/* How to serve skills. Zero and NULL take the default. Everything is copied. */
typedef struct mcpw_skills_options {
    size_t struct_size; /* set by MCPW_SKILLS_OPTIONS_INIT */
    /* The beginning of all URIs, before the path: a scheme, "://", and possibly a path that ends with a
     * slash. The default is "skill://". */
    const char *prefix;
    size_t max_files;   /* files of a skill; default and most MCPW_SKILL_MAX_FILES */
    size_t max_bytes;   /* bytes of a skill; default and most MCPW_SKILL_MAX_BYTES */
    size_t max_skills;  /* skills; default 1024 */
    size_t max_entries; /* files and directories below the directory; default 131072 */
    size_t max_memory;  /* bytes of the index of the directory; default 64 MiB */
    size_t page_size;   /* skills or children of a page; default 50 */
    /* resources/directory/read is served, and the settings declare directoryRead. On by default. */
    mcpw_switch directory_read;
    bool skip_hidden; /* files and directories whose name begins with a dot do not exist */
    /* The ms for which clients may keep a list or an entry (ttlMs); default 0. */
    int64_t ttl_ms;
    bool cache_public; /* cacheScope is "public" in place of "private" */
    /* The ms for which the state of the directory counts as known. The first request after that looks at each
     * file's size, times and inode, and reads the files that have changed. Default 1000; a negative number:
     * each request looks. */
    int64_t check_ms;
    /* Scopes that a read of a file needs over HTTP, separated by spaces; NULL: none
     * (<mcpw/http_protect.h>). Lists and entries need those of list_scopes. */
    const char *scopes;
    /* Returns whether the sender of a request may know a skill, such as by mcpw_request_principal. path is
     * the directory of the skill below the root. Every method asks it, and a refused skill does not exist for
     * that request. It must not call functions of these skills. NULL: all requests may know all skills. */
    bool (*allows)(void *user, mcpw_request *request, mcpw_str path);
    /* Called for what was left out of the directory: a skill that breaks a rule, a link, a device, a name
     * that is not UTF-8. The path is below the root, with unprintable bytes escaped. A problem is reported
     * again only if it was gone in between. At most 64 problems are reported at once. It may run on a worker,
     * and must not call functions of these skills. NULL: nothing is reported. */
    void (*on_diagnostic)(void *user, const char *path, const mcpw_error *error);
    void *user;               /* passed to both */
    mcpw_allocator allocator; /* for the index and for skills in memory */
    /* Scopes that skills/list, skills/get and resources/directory/read need over HTTP, separated by spaces;
     * NULL: none. */
    const char *list_scopes;
} mcpw_skills_options;

/* Everything at its default. */
#define MCPW_SKILLS_OPTIONS_INIT MCPW_SIZED(mcpw_skills_options)

/* Adds the extension to a server, with the skills below a directory. The call opens the directory, and later
 * looks at that one alone, wherever it is moved. It follows no link below it, and reads regular files only.
 * Every directory with a file SKILL.md is a skill, even one inside another skill. A skill is left out if:
 *   - its name is not the name of its directory, or has characters other than a-z, 0-9 and inner hyphens
 *   - its front matter is missing, is not a YAML mapping, has no description, or exceeds a limit
 *   - it has too many files or bytes, or a file whose name is not UTF-8 or has control characters
 *
 * directory NULL: there are only the skills that mcpw_skills_add adds. The server also gets a resource
 * template for the files. NULL on failure, with the reason in error: MCPW_E_IO if the directory cannot be
 * opened, MCPW_E_ARGUMENT for unusable options, MCPW_E_MEMORY, or a status of mcpw_server_add_extension.
 *
 * The result is freed after the server, by mcpw_skills_free. Handlers may run on workers. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_skills *mcpw_server_add_skills(mcpw_server *server, const char *directory,
                                                                   const mcpw_skills_options *options,
                                                                   mcpw_error *error);
/* Frees skills. The server that they were added to must be gone. Does nothing for NULL. */
MCPW_STATIC_API void mcpw_skills_free(mcpw_skills *skills);

/* A file of a skill in memory. */
typedef struct mcpw_skill_file {
    const char *path;      /* below the skill, such as "references/FORMS.md" */
    const void *bytes;     /* NULL: it is empty */
    size_t len;            /* how many */
    const char *mime_type; /* NULL: by the suffix */
} mcpw_skill_file;

/* A skill in memory. Everything but user is copied when it is added. */
typedef struct mcpw_skill {
    size_t struct_size;           /* 0: the struct of 1.0; else sizeof: see MCPW_SIZED */
    const char *path;             /* its directory, such as "acme/pdf"; the last segment is its name */
    const mcpw_skill_file *files; /* SKILL.md among them, unless read is set */
    size_t file_count;            /* how many */
    /* Set for a dynamic skill, whose files are made when they are read: answers a read of a file, whose path
     * is below the skill, by mcpw_respond_resource_text and the like, or by mcpw_respond_resource_not_found.
     * Such a skill has no files, and no digests. NULL: the skill is static. */
    mcpw_status (*read)(mcpw_request *request, mcpw_str path, void *user);
    void *user;            /* passed to read; must outlive the server */
    mcpw_json frontmatter; /* of a dynamic skill: an object with name and description */
    bool is_unlisted;      /* skills/list leaves it out; skills/get finds it */
} mcpw_skill;

/* Adds a skill in memory. It hides a skill of the directory with the same path. Any thread may call this.
 *   - MCPW_E_DUPLICATE: there is a skill in memory at this path, above it or below it.
 *   - MCPW_E_FORMAT: the path, the name, a file's path or the front matter breaks a rule.
 *   - MCPW_E_SIZE: it exceeds a limit.
 *   - MCPW_E_ARGUMENT, MCPW_E_MEMORY.
 *
 * The error says why. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_skills_add(mcpw_skills *skills, const mcpw_skill *skill,
                                                           mcpw_error *error);
/* Removes a skill in memory by its path. MCPW_E_NOT_FOUND. Any thread may call this. Reads of a dynamic skill
 * that are under way go on. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_skills_remove(mcpw_skills *skills, const char *path);

/* ---- Front matter and digests -------------------------------------------------------------------------- */

/* The front matter of the bytes of a SKILL.md, as a JSON object in the arena. Scalars have the types of
 * YAML's core schema. Numbers keep their digits. Aliases, merged or duplicate keys, keys that are not
 * strings, tags of other schemas, .inf and .nan are refused. MCPW_E_FORMAT: there is no front matter, or it
 * is not such YAML. MCPW_E_SIZE, MCPW_E_DEPTH, MCPW_E_ELEMENTS: it exceeds a limit above. MCPW_E_UTF8,
 * MCPW_E_MEMORY. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_skill_frontmatter(const void *bytes, size_t len,
                                                                  mcpw_arena *arena, mcpw_json *out,
                                                                  mcpw_error *error);

enum { MCPW_SKILL_DIGEST_SIZE = 72 /* bytes of a digest, its NUL included */ };

/* Writes the digest of bytes: "sha256:" and 64 hexadecimal digits in lower case. */
MCPW_STATIC_API void mcpw_skill_digest(const void *bytes, size_t len, char out[MCPW_SKILL_DIGEST_SIZE]);

/* ---- Clients ------------------------------------------------------------------------------------------- */

/* Declares the extension in the config of a client's session, by mcpw_client_add_extension. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_client_add_skills(mcpw_session_config *config,
                                                                  mcpw_error *error);

/* The skills of one server, as a client knows them. Nothing is read before the program asks for it. */
typedef struct mcpw_skills_client mcpw_skills_client;

/* Makes a request, waits for it, and puts the text of its result into the arena. method is skills/list,
 * skills/get, resources/directory/read or resources/read. params are an object without _meta. */
typedef mcpw_status (*mcpw_skills_ask)(void *user, const char *method, mcpw_json params, mcpw_arena *arena,
                                       mcpw_json *result, mcpw_error *error);

/* How to know skills. Zero and NULL take the default. Everything is copied. */
typedef struct mcpw_skills_client_options {
    size_t struct_size;       /* set by MCPW_SKILLS_CLIENT_OPTIONS_INIT */
    const char *server;       /* required: the label by which this program knows the server */
    mcpw_client *client;      /* makes the requests, if ask is NULL; must outlive the result */
    mcpw_skills_ask ask;      /* makes the requests in place of client */
    void *user;               /* passed to ask */
    size_t max_skills;        /* skills that are kept; default 1024 */
    size_t max_memory;        /* bytes of their entries; default 64 MiB */
    mcpw_allocator allocator; /* for all memory that is kept */
} mcpw_skills_client_options;

/* Everything absent. */
#define MCPW_SKILLS_CLIENT_OPTIONS_INIT MCPW_SIZED(mcpw_skills_client_options)

/* A new one, which knows no skill yet. NULL on failure, with the reason in error. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_skills_client *
mcpw_skills_client_new(const mcpw_skills_client_options *options, mcpw_error *error);
/* Frees it with all entries. Does nothing for NULL. */
MCPW_STATIC_API void mcpw_skills_client_free(mcpw_skills_client *client);

/* A file of an entry. */
typedef struct mcpw_skill_resource {
    mcpw_str uri;    /* what resources/read gets */
    mcpw_str digest; /* "sha256:..." */
    int64_t size;    /* bytes */
} mcpw_skill_resource;

/* The entry of a skill. Server and URI together identify it; a name or a URI alone does not. It lives until
 * the next call with this mcpw_skills_client. */
typedef struct mcpw_skill_entry {
    mcpw_str server;       /* the label of the server */
    mcpw_str uri;          /* of SKILL.md */
    mcpw_str name;         /* of the front matter */
    mcpw_str description;  /* likewise; written by others */
    mcpw_json frontmatter; /* an object */
    bool is_dynamic;       /* it has no list of files: nothing can be verified but the front matter */
    bool is_approved;      /* mcpw_skills_client_approve was called for exactly this entry */
    const mcpw_skill_resource *files; /* sorted by URI */
    size_t file_count;                /* how many */
    mcpw_json text;                   /* the whole entry, as the server has sent it */
} mcpw_skill_entry;

/* Lists all skills, page by page, keeps their entries, and calls on_skill for each, until it returns false.
 * An entry that is invalid is left out, and on_invalid gets its URI (which may be absent) and the reason; it
 * may be NULL. Skills that the server no longer lists are forgotten, unless they came by
 * mcpw_skills_client_get. MCPW_E_SIZE or MCPW_E_ELEMENTS: the list exceeds a limit, and its beginning is
 * kept. Any other status is that of the request. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_skills_client_list(
    mcpw_skills_client *client, bool (*on_skill)(void *user, const mcpw_skill_entry *entry),
    void (*on_invalid)(void *user, mcpw_str uri, const mcpw_error *error), void *user, mcpw_error *error);

/* Asks for one entry by skills/get, listed or not, and keeps it. If it differs from the entry that was known,
 * that entry's approval is void. out may be NULL. MCPW_E_VALUE or a status of the codec: the entry is
 * invalid.
 */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_skills_client_get(mcpw_skills_client *client, mcpw_str uri,
                                                                  const mcpw_skill_entry **out,
                                                                  mcpw_error *error);
/* The entry that is known; NULL: none. Nothing is sent. */
MCPW_STATIC_API const mcpw_skill_entry *mcpw_skills_client_find(mcpw_skills_client *client, mcpw_str uri);
/* Notes that the user approves of a known entry as it is. A changed entry is not approved. The program
 * decides for which uses of a skill it demands an approval. MCPW_E_NOT_FOUND. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_skills_client_approve(mcpw_skills_client *client,
                                                                      mcpw_str uri);

/* A file of a skill, with its origin. Others wrote it: show it to a model as data of that server, and run
 * nothing of it without the user's approval. */
typedef struct mcpw_skill_content {
    mcpw_str server;    /* the label of the server */
    mcpw_str skill;     /* the URI of the skill */
    mcpw_str uri;       /* the URI of the file */
    mcpw_str mime_type; /* as the server says; absent: unknown */
    const void *bytes;  /* followed by a NUL byte */
    size_t len;         /* how many */
    bool is_text;       /* the server sent it as text, so it is UTF-8 */
    bool is_verified;   /* size and digest are those of the entry; false for a dynamic skill */
} mcpw_skill_content;

/* Reads one file of a skill, by the skill's URI and the file's URI or its path below the skill, such as
 * "references/FORMS.md"; absent: SKILL.md. The content lies in the arena. If the entry is not known,
 * skills/get asks for it. If SKILL.md was not verified since the entry is known, it is read first.
 *
 *   - MCPW_E_NOT_FOUND: the entry does not list the file. No read is sent.
 *   - MCPW_E_VALUE: size, digest or front matter differ from the entry. The content is withheld, the entry is
 *     asked for again, its approval is void, and its other files are refused until SKILL.md is valid.
 *   - MCPW_E_TYPE: the result is not exactly one content of that URI.
 *   - Any other status is that of a request. */
MCPW_NODISCARD MCPW_STATIC_API mcpw_status mcpw_skills_client_read(mcpw_skills_client *client, mcpw_str skill,
                                                                   mcpw_str file, mcpw_arena *arena,
                                                                   mcpw_skill_content *out,
                                                                   mcpw_error *error);

MCPW_END_DECLS

#endif
