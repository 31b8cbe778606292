/* SPDX-License-Identifier: MIT */
/*
 * An index of the peer's declared capabilities, so that one is found without reading all of them again. An
 * index finds each member by a hash of its name and of the member that it is in. It is made once, when the
 * session is opened.
 */
#include "declared.h"

#include "../core/core.h"
#include "../support/print.h"

enum {
    LEVELS = 8, /* parts of a path; "tasks.requests.sampling.createMessage" has four */
    FIRST_COUNT = 8
};

/* A member of an object of the capabilities. The first entry stands for the whole. */
typedef struct member {
    mcpw_str name;
    mcpw_json value;
    uint16_t
        parent; /* there are fewer members than bytes of text, and those are MCPW_MAX_CAPABILITIES at most */
    uint16_t next; /* the next in the bucket; 0: none */
    uint16_t level;
} member;

struct mcpw_capability_index {
    mcpw_session *session;
    member *members; /* level by level: those of the whole, then those inside them */
    uint32_t count;
    uint32_t capacity;
    uint32_t *buckets; /* as many as there is room for members; 0 stands for none */
};

/* The peer chooses the names, but not where the session lies. */
static uint32_t bucket_of(const mcpw_capability_index *index, uint32_t parent, mcpw_str name) {
    static const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15); /* 2^64 over the golden ratio */
    uint64_t hash = ((uint64_t)(uintptr_t)index->session + parent) * odd;
    for (size_t i = 0; i < name.len; i++) {
        hash = (hash ^ hash >> 32 ^ (unsigned char)name.ptr[i]) * odd;
    }
    return (uint32_t)(hash >> 32) & (index->capacity - 1);
}

static uint32_t find(const mcpw_capability_index *index, uint32_t parent, mcpw_str name) {
    uint32_t at = index->buckets[bucket_of(index, parent, name)];
    while (at != 0 &&
           (index->members[at].parent != parent || !mcpw_str_equal(index->members[at].name, name))) {
        at = index->members[at].next;
    }
    return at;
}

static void put_in_bucket(mcpw_capability_index *index, uint32_t at) {
    uint32_t *const bucket =
        index->buckets + bucket_of(index, index->members[at].parent, index->members[at].name);
    index->members[at].next = (uint16_t)*bucket;
    *bucket = at;
}

static bool grow(mcpw_capability_index *index) {
    mcpw_session *const session = index->session;
    const uint32_t capacity = index->capacity != 0 ? 2 * index->capacity : FIRST_COUNT;
    member *const members = mcpw_resize(&session->config->allocator, index->members,
                                        index->capacity * sizeof *members, capacity * sizeof *members);
    if (members == NULL) {
        return false;
    }
    index->members = members;
    uint32_t *const buckets = mcpw_session_alloc(session, capacity * sizeof *buckets);
    if (buckets == NULL) { /* the members have grown already, and are freed by their new size */
        mcpw_session_release(session, index->buckets, index->capacity * sizeof *buckets);
        index->buckets = NULL;
        index->capacity = capacity;
        return false;
    }
    mcpw_session_release(session, index->buckets, index->capacity * sizeof *buckets);
    index->buckets = buckets;
    index->capacity = capacity;
    for (uint32_t i = 1; i < index->count; i++) {
        put_in_bucket(index, i);
    }
    return true;
}

/* The name that a key spells. It lives as long as the session. */
static mcpw_status name_of(mcpw_session *session, mcpw_json key, mcpw_str *name) {
    const mcpw_status status = mcpw_json_string(key, &session->scratch, name);
    if (status == MCPW_OK && (uintptr_t)name->ptr - (uintptr_t)key.ptr >=
                                 key.len) { /* it had escapes, so it lies in the scratch arena */
        const mcpw_json kept = mcpw_session_keep(session, (mcpw_json){name->ptr, name->len, 0});
        name->ptr = kept.ptr;
        return kept.ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
    }
    return status;
}

/* If members have the same name, the first one counts. */
static mcpw_status add(mcpw_capability_index *index, uint32_t parent, mcpw_json key, mcpw_json value) {
    mcpw_str name = {NULL, 0};
    if (index->count == index->capacity && !grow(index)) {
        return MCPW_E_MEMORY;
    }
    if (parent == index->count) { /* the whole */
        index->members[index->count++] = (member){no_str, value, 0, 0, 0};
        return MCPW_OK;
    }
    const mcpw_status status = name_of(index->session, key, &name);
    if (status == MCPW_OK && find(index, parent, name) == 0) {
        index->members[index->count] =
            (member){name, value, (uint16_t)parent, 0, (uint16_t)(index->members[parent].level + 1)};
        put_in_bucket(index, index->count++);
    }
    return status;
}

static mcpw_status add_all(mcpw_capability_index *index, mcpw_json all) {
    mcpw_status status = add(index, 0, no_json, all);
    for (uint32_t at = 0; status == MCPW_OK && at < index->count; at++) {
        mcpw_json_iter it;
        mcpw_json key;
        mcpw_json value;
        if (index->members[at].level == LEVELS ||
            mcpw_json_kind_of(index->members[at].value) != MCPW_JSON_OBJECT ||
            mcpw_json_iterate(index->members[at].value, &it) != MCPW_OK) {
            continue;
        }
        while (status == MCPW_OK && mcpw_json_next(&it, &key, &value)) {
            status = add(index, at, key, value);
        }
    }
    return status;
}

void mcpw_declared_free(mcpw_session *session) {
    mcpw_capability_index *const index = session->peer.index;
    session->peer.index = NULL;
    if (index != NULL) {
        mcpw_session_release(session, index->members, index->capacity * sizeof *index->members);
        mcpw_session_release(session, index->buckets, index->capacity * sizeof *index->buckets);
        mcpw_session_release(session, index, sizeof *index);
    }
}

mcpw_status mcpw_declared_keep(mcpw_session *session, mcpw_json capabilities) {
    mcpw_declared_free(session);
    session->peer.capabilities = capabilities;
    if (capabilities.len > MCPW_MAX_CAPABILITIES) {
        return MCPW_E_SIZE;
    }
    mcpw_capability_index *const index =
        capabilities.ptr != NULL ? mcpw_session_alloc(session, sizeof *index) : NULL;
    if (index == NULL) {
        return MCPW_E_MEMORY;
    }
    index->session = session;
    session->peer.index = index;
    const mcpw_status status = add_all(index, capabilities);
    if (status != MCPW_OK) {
        mcpw_declared_free(session);
    }
    return status;
}

size_t mcpw_path_part(const char *path, const char *at) {
    static const char extensions[] = "extensions.";
    const size_t len = sizeof extensions - 1;
    return at == path + len && memcmp(path, extensions, len) == 0 ? strlen(at) : strcspn(at, ".");
}

bool mcpw_capability_in(mcpw_json capabilities, const char *path) {
    mcpw_json at = capabilities;
    bool is_true = true;
    for (const char *rest = path; at.ptr != NULL && *rest != '\0';) {
        char name[MCPW_MAX_KEY + 1];
        const size_t len = mcpw_path_part(path, rest);
        (void)mcpw_print_text(name, sizeof name, "%.*s", (int)len, rest);
        if (mcpw_json_get(at, name, &at) != MCPW_OK) {
            return false;
        }
        rest += len + (rest[len] == '.');
    }
    if (at.ptr == NULL || mcpw_json_kind_of(at) == MCPW_JSON_NULL) {
        return false;
    }
    return mcpw_json_bool(at, &is_true) != MCPW_OK || is_true;
}

bool mcpw_capabilities_have(mcpw_json capabilities, const char *capability) {
    return mcpw_capability_in(capabilities, capability);
}

bool mcpw_declares(mcpw_declared declared, const char *path) {
    const mcpw_capability_index *const index = declared.index;
    uint32_t at = 0;
    bool is_true = true;
    if (index == NULL) {
        return mcpw_capability_in(declared.text, path);
    }
    const char *rest = path;
    for (unsigned level = 0; *rest != '\0'; level++) {
        const mcpw_str name = {rest, mcpw_path_part(path, rest)};
        at = level < LEVELS ? find(index, at, name) : 0;
        if (at == 0) {
            return false;
        }
        rest += name.len + (rest[name.len] == '.');
    }
    const mcpw_json value = index->members[at].value;
    return mcpw_json_kind_of(value) != MCPW_JSON_NULL &&
           (mcpw_json_bool(value, &is_true) != MCPW_OK || is_true);
}

mcpw_declared mcpw_peer_declared(const mcpw_session *session) {
    const mcpw_declared declared = {session->peer.capabilities, session->peer.index};
    return declared;
}
