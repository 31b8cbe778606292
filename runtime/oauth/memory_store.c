/* SPDX-License-Identifier: MIT */
/* A store in memory: a list, as a program logs in at few servers. */
#include <mcpw/oauth.h>

#include <sodium.h>

typedef struct record {
    struct record *next;
    size_t key_len;
    size_t value_len;
    bool is_locked;
    bool has_value;
    char text[]; /* the key, then the value */
} record;

typedef struct memory {
    mcpw_oauth_store store; /* first, so that the program's pointer is that of the whole */
    mcpw_allocator allocator;
    record *records;
    size_t count;
} memory;

/* The place of a record in the list; the end if there is none. */
static record **find(memory *m, mcpw_str key) {
    record **at = &m->records;
    while (*at != NULL && !mcpw_str_equal((mcpw_str){(*at)->text, (*at)->key_len}, key)) {
        at = &(*at)->next;
    }
    return at;
}

static void free_record(memory *m, record *one) {
    const size_t size = sizeof *one + one->key_len + one->value_len;
    sodium_memzero(one, size);
    (void)mcpw_resize(&m->allocator, one, size, 0);
}

/* Stores a record in place of the last one of its key. */
static mcpw_status replace(memory *m, mcpw_str key, mcpw_str value, bool is_locked) {
    record **const at = find(m, key);
    record *const old = *at;
    record *next = old != NULL ? old->next : NULL;
    if (old == NULL && m->count == MCPW_OAUTH_MOST_RECORDS) {
        return MCPW_E_FULL;
    }
    if (value.ptr != NULL || is_locked) {
        record *const made = mcpw_resize(&m->allocator, NULL, 0, sizeof *made + key.len + value.len);
        if (made == NULL) {
            return MCPW_E_MEMORY;
        }
        *made = (record){.next = next,
                         .key_len = key.len,
                         .value_len = value.len,
                         .is_locked = is_locked,
                         .has_value = value.ptr != NULL};
        memcpy(made->text, key.ptr, key.len);
        if (value.ptr != NULL) {
            memcpy(made->text + key.len, value.ptr, value.len);
        }
        next = made;
        m->count++;
    }
    *at = next;
    if (old != NULL) {
        m->count--;
        free_record(m, old);
    }
    return MCPW_OK;
}

static mcpw_status lock(void *self, mcpw_str key) {
    memory *const m = self;
    record *const one = *find(m, key);
    if (one == NULL) {
        return replace(m, key, (mcpw_str){NULL, 0}, true);
    }
    if (one->is_locked) {
        return MCPW_PENDING;
    }
    one->is_locked = true;
    return MCPW_OK;
}

static void unlock(void *self, mcpw_str key) {
    memory *const m = self;
    record **const at = find(m, key);
    record *const one = *at;
    if (one == NULL) {
        return;
    }
    one->is_locked = false;
    if (!one->has_value) {
        *at = one->next;
        m->count--;
        free_record(m, one);
    }
}

static mcpw_status load(void *self, mcpw_str key, mcpw_arena *arena, mcpw_str *value) {
    memory *const m = self;
    const record *const one = *find(m, key);
    if (one == NULL || !one->has_value) {
        return MCPW_E_NOT_FOUND;
    }
    *value = mcpw_arena_str(arena, one->text + one->key_len, one->value_len);
    return value->ptr != NULL ? MCPW_OK : MCPW_E_MEMORY;
}

static mcpw_status save(void *self, mcpw_str key, mcpw_str value) {
    memory *const m = self;
    const record *const one = *find(m, key);
    if (one == NULL && value.ptr == NULL) {
        return MCPW_OK;
    }
    return replace(m, key, value, one != NULL && one->is_locked);
}

mcpw_oauth_store *mcpw_oauth_memory_new(const mcpw_allocator *allocator) {
    const mcpw_allocator given = allocator != NULL ? *allocator : (mcpw_allocator){NULL, NULL};
    memory *const m = mcpw_resize(&given, NULL, 0, sizeof *m);
    if (m == NULL) {
        return NULL;
    }
    *m = (memory){.store = MCPW_OAUTH_STORE_INIT, .allocator = given};
    m->store.self = m;
    m->store.lock = lock;
    m->store.unlock = unlock;
    m->store.load = load;
    m->store.save = save;
    return &m->store;
}

void mcpw_oauth_memory_free(mcpw_oauth_store *store) {
    memory *const m = (memory *)store;
    if (m == NULL) {
        return;
    }
    const mcpw_allocator allocator = m->allocator;
    while (m->records != NULL) {
        record *const one = m->records;
        m->records = one->next;
        free_record(m, one);
    }
    (void)mcpw_resize(&allocator, m, sizeof *m, 0);
}
