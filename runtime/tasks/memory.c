/* SPDX-License-Identifier: MIT */
/*
 * A store of tasks in memory. An entry is one piece of memory. It is found by its id in a table, stands in
 * the list of its owner in the order of creation, and in a heap by the time at which it expires. So no
 * operation looks at entries that it is not about.
 */
#include "clock.h"
#include "table.h"

#include <mcpw/tasks.h>

#include <mcpw/system.h>

typedef struct owner owner;

typedef struct entry {
    struct entry *in_bucket;
    struct entry *older; /* of the same owner */
    struct entry *newer;
    owner *owner;
    uint64_t version;
    uint64_t expires_at;
    size_t at; /* its place in the heap */
    uint32_t hash;
    bool is_final;
    uint8_t id_len;
    uint8_t worker_len;
    size_t text_len;
    char bytes[]; /* the id, the worker, the text */
} entry;

struct owner {
    owner *in_bucket;
    entry *newest;
    size_t count;
    size_t bytes;
    uint32_t hash;
    bool has_name;
    size_t name_len;
    char name[];
};

typedef struct memory {
    mcpw_task_store store; /* first, so that the program's pointer is that of the whole */
    mcpw_task_memory_config config;
    char worker[MCPW_TASK_ID_LEN + 1];
    uint32_t seed; /* of hashes */
    mcpw_task_table entries;
    mcpw_task_table owners;
    entry **heap; /* the first to expire stands first */
    size_t heap_capacity;
    size_t bytes;
} memory;

enum { FIRST_HEAP = 16, LONGEST_ID = 64 };

static const size_t default_max_tasks = 100000;
static const size_t default_max_bytes = (size_t)256 << 20;

/* ---- Tables ---- */

static uint32_t hash_of_entry(const void *object) { return ((const entry *)object)->hash; }
static uint32_t hash_of_owner(const void *object) { return ((const owner *)object)->hash; }

static mcpw_str id_of(const entry *e) { return (mcpw_str){e->bytes, e->id_len}; }
static size_t size_of(const entry *e) { return sizeof *e + e->id_len + e->worker_len + e->text_len; }

static entry *find(const memory *m, mcpw_str id) {
    const uint32_t hash = mcpw_task_hash(m->seed, id);
    entry *e = mcpw_task_table_first(&m->entries, hash);
    while (e != NULL && (e->hash != hash || !mcpw_str_equal(id_of(e), id))) {
        e = e->in_bucket;
    }
    return e;
}

static mcpw_str name_of(const owner *o) { return (mcpw_str){o->has_name ? o->name : NULL, o->name_len}; }

static owner *find_owner(const memory *m, mcpw_str name) {
    const uint32_t hash = mcpw_task_hash(m->seed, name);
    owner *o = mcpw_task_table_first(&m->owners, hash);
    while (o != NULL && (o->hash != hash || !mcpw_str_equal(name_of(o), name))) {
        o = o->in_bucket;
    }
    return o;
}

static owner *make_owner(memory *m, mcpw_str name) {
    const size_t len = name.ptr != NULL ? name.len : 0;
    owner *const made = mcpw_task_table_reserve(&m->owners, &m->config.allocator, hash_of_owner)
                            ? mcpw_resize(&m->config.allocator, NULL, 0, sizeof *made + len)
                            : NULL;
    if (made != NULL) {
        *made = (owner){.hash = mcpw_task_hash(m->seed, name), .has_name = name.ptr != NULL, .name_len = len};
        if (len != 0) {
            memcpy(made->name, name.ptr, len);
        }
        mcpw_task_table_put(&m->owners, made, made->hash);
    }
    return made;
}

static void drop_owner(memory *m, owner *o) {
    if (o->count == 0) {
        mcpw_task_table_drop(&m->owners, o, o->hash);
        (void)mcpw_resize(&m->config.allocator, o, sizeof *o + o->name_len, 0);
    }
}

/* ---- The heap ---- */

static void put_at(memory *m, size_t at, entry *e) {
    m->heap[at] = e;
    e->at = at;
}

static void move_up(memory *m, entry *e) {
    size_t at = e->at;
    while (at > 0 && m->heap[(at - 1) / 2]->expires_at > e->expires_at) {
        put_at(m, at, m->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put_at(m, at, e);
}

static void move_down(memory *m, entry *e, size_t count) {
    size_t at = e->at;
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && m->heap[child + 1]->expires_at < m->heap[child]->expires_at;
        if (m->heap[child]->expires_at >= e->expires_at) {
            break;
        }
        put_at(m, at, m->heap[child]);
        at = child;
    }
    put_at(m, at, e);
}

static bool reserve_heap(memory *m) {
    const size_t capacity = m->heap_capacity != 0 ? 2 * m->heap_capacity : FIRST_HEAP;
    if (m->entries.count < m->heap_capacity) {
        return true;
    }
    entry **const heap = mcpw_resize(&m->config.allocator, (void *)m->heap, m->heap_capacity * sizeof *heap,
                                     capacity * sizeof *heap);
    m->heap_capacity = heap != NULL ? capacity : m->heap_capacity;
    m->heap = heap != NULL ? heap : m->heap;
    return heap != NULL;
}

/* ---- Entries ---- */

/* Takes an entry out of everything, and frees it. */
static void drop(memory *m, entry *e) {
    const size_t last = m->entries.count - 1;
    owner *const o = e->owner;
    entry *const moved = m->heap[last];
    if (moved != e) {
        put_at(m, e->at, moved);
        move_up(m, moved);
        move_down(m, moved, last);
    }
    mcpw_task_table_drop(&m->entries, e, e->hash);
    *(e->newer != NULL ? &e->newer->older : &o->newest) = e->older;
    if (e->older != NULL) {
        e->older->newer = e->newer;
    }
    m->bytes -= e->text_len;
    o->bytes -= e->text_len;
    o->count--;
    drop_owner(m, o);
    (void)mcpw_resize(&m->config.allocator, e, size_of(e), 0);
}

static void drop_expired(memory *m) {
    const uint64_t now = mcpw_tasks_now(m->config.clock, m->config.user);
    while (m->entries.count != 0 && m->heap[0]->expires_at <= now) {
        drop(m, m->heap[0]);
    }
}

static entry *make_entry(memory *m, const mcpw_task_entry *given) {
    const size_t worker_len = given->worker.ptr != NULL ? given->worker.len : 0;
    entry *const e =
        mcpw_resize(&m->config.allocator, NULL, 0, sizeof *e + given->id.len + worker_len + given->text.len);
    if (e != NULL) {
        *e = (entry){.version = given->version,
                     .expires_at = given->expires_at,
                     .is_final = given->is_final,
                     .id_len = (uint8_t)given->id.len,
                     .worker_len = (uint8_t)worker_len,
                     .text_len = given->text.len,
                     .hash = mcpw_task_hash(m->seed, given->id)};
        memcpy(e->bytes, given->id.ptr, given->id.len);
        if (worker_len != 0) {
            memcpy(e->bytes + e->id_len, given->worker.ptr, worker_len);
        }
        memcpy(e->bytes + e->id_len + worker_len, given->text.ptr, given->text.len);
    }
    return e;
}

/* Whether an entry can be kept at all. */
static bool is_usable(const mcpw_task_entry *given) {
    return given->id.ptr != NULL && given->id.len != 0 && given->id.len <= LONGEST_ID &&
           given->worker.len <= LONGEST_ID && given->text.ptr != NULL;
}

/* Whether `more` bytes fit beside those that there are. */
static bool fits(size_t there, size_t more, size_t limit) { return there <= limit && more <= limit - there; }

static mcpw_status create(void *self, const mcpw_task_entry *given, const mcpw_task_limits *limits) {
    memory *const m = self;
    if (!is_usable(given)) {
        return MCPW_E_ARGUMENT;
    }
    drop_expired(m);
    if (find(m, given->id) != NULL) {
        return MCPW_E_DUPLICATE;
    }
    owner *o = find_owner(m, given->principal);
    if (m->entries.count >= m->config.max_tasks || (o != NULL ? o->count : 0) >= limits->count) {
        return MCPW_E_FULL;
    }
    if (!fits(o != NULL ? o->bytes : 0, given->text.len, limits->bytes) ||
        !fits(m->bytes, given->text.len, m->config.max_bytes)) {
        return MCPW_E_SIZE;
    }
    const bool has_room =
        mcpw_task_table_reserve(&m->entries, &m->config.allocator, hash_of_entry) && reserve_heap(m);
    entry *const e = has_room ? make_entry(m, given) : NULL;
    o = e != NULL && o == NULL ? make_owner(m, given->principal) : o;
    if (e == NULL || o == NULL) {
        (void)mcpw_resize(&m->config.allocator, e, e != NULL ? size_of(e) : 0, 0);
        return MCPW_E_MEMORY;
    }
    e->owner = o;
    e->older = o->newest;
    if (e->older != NULL) {
        e->older->newer = e;
    }
    o->newest = e;
    o->count++;
    o->bytes += e->text_len;
    m->bytes += e->text_len;
    put_at(m, m->entries.count, e);
    mcpw_task_table_put(&m->entries, e, e->hash);
    move_up(m, e);
    return MCPW_OK;
}

static mcpw_task_entry shown(const entry *e) {
    mcpw_task_entry out = MCPW_TASK_ENTRY_INIT;
    out.id = id_of(e);
    out.principal = name_of(e->owner);
    out.version = e->version;
    out.expires_at = e->expires_at;
    out.is_final = e->is_final;
    out.worker = (mcpw_str){e->worker_len != 0 ? e->bytes + e->id_len : NULL, e->worker_len};
    out.text = (mcpw_str){e->bytes + e->id_len + e->worker_len, e->text_len};
    return out;
}

static mcpw_status read_entry(void *self, mcpw_str id, size_t most, mcpw_take_task *take, void *user) {
    memory *const m = self;
    entry *const e = find(m, id);
    if (e == NULL) {
        return MCPW_E_NOT_FOUND;
    }
    if (e->expires_at <= mcpw_tasks_now(m->config.clock, m->config.user)) {
        drop(m, e);
        return MCPW_E_NOT_FOUND;
    }
    if (e->text_len > most) {
        return MCPW_E_SIZE;
    }
    const mcpw_task_entry out = shown(e);
    take(user, &out);
    return MCPW_OK;
}

/* Puts an entry in the place of another of the same id and owner. */
static void swap(memory *m, entry *old, entry *fresh) {
    owner *const o = old->owner;
    fresh->owner = o;
    fresh->older = old->older;
    fresh->newer = old->newer;
    *(fresh->newer != NULL ? &fresh->newer->older : &o->newest) = fresh;
    if (fresh->older != NULL) {
        fresh->older->newer = fresh;
    }
    o->bytes = o->bytes - old->text_len + fresh->text_len;
    m->bytes = m->bytes - old->text_len + fresh->text_len;
    put_at(m, old->at, fresh);
    move_up(m, fresh);
    move_down(m, fresh, m->entries.count);
    mcpw_task_table_drop(&m->entries, old, old->hash);
    mcpw_task_table_put(&m->entries, fresh, fresh->hash);
    (void)mcpw_resize(&m->config.allocator, old, size_of(old), 0);
}

static mcpw_status replace(void *self, const mcpw_task_entry *given, const mcpw_task_limits *limits) {
    memory *const m = self;
    if (!is_usable(given)) {
        return MCPW_E_ARGUMENT;
    }
    drop_expired(m);
    entry *const old = find(m, given->id);
    if (old == NULL) {
        return MCPW_E_NOT_FOUND;
    }
    if (old->is_final || given->version != old->version + 1) {
        return MCPW_E_STATE;
    }
    const size_t before = old->text_len;
    if (given->text.len > before && (!fits(old->owner->bytes - before, given->text.len, limits->bytes) ||
                                     !fits(m->bytes - before, given->text.len, m->config.max_bytes))) {
        return MCPW_E_SIZE;
    }
    entry *const fresh = make_entry(m, given);
    if (fresh == NULL) {
        return MCPW_E_MEMORY;
    }
    swap(m, old, fresh);
    return MCPW_OK;
}

static mcpw_status list(void *self, mcpw_str principal, mcpw_str after, size_t count, size_t most,
                        mcpw_take_task *take, void *user) {
    memory *const m = self;
    drop_expired(m);
    const owner *const o = find_owner(m, principal);
    const entry *e = o != NULL ? o->newest : NULL;
    if (after.ptr != NULL) {
        const entry *const begin = find(m, after);
        if (begin == NULL || begin->owner != o) {
            return MCPW_E_NOT_FOUND;
        }
        e = begin->older;
    }
    for (; e != NULL && count > 0; e = e->older) {
        if (e->text_len <= most) {
            const mcpw_task_entry out = shown(e);
            take(user, &out);
            count--;
        }
    }
    return MCPW_OK;
}

static mcpw_status remove_entry(void *self, mcpw_str id) {
    memory *const m = self;
    entry *const e = find(m, id);
    if (e != NULL) {
        drop(m, e);
    }
    return MCPW_OK;
}

/* ---- Making one ---- */

mcpw_task_store *mcpw_task_memory_new(const mcpw_task_memory_config *config, mcpw_error *error) {
    mcpw_task_memory_config own = MCPW_TASK_MEMORY_CONFIG_INIT;
    if (!MCPW_TAKE(&own, allocator, config)) {
        mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "the config of a store of tasks has a wrong struct_size");
        return NULL;
    }
    memory *const m = mcpw_resize(&own.allocator, NULL, 0, sizeof *m);
    if (m == NULL) {
        mcpw_error_set(error, MCPW_E_MEMORY, 0, "%s", mcpw_status_text(MCPW_E_MEMORY));
        return NULL;
    }
    *m = (memory){.config = own};
    m->config.max_tasks = own.max_tasks != 0 ? own.max_tasks : default_max_tasks;
    m->config.max_bytes = own.max_bytes != 0 ? own.max_bytes : default_max_bytes;
    mcpw_status status = mcpw_random(&m->seed, sizeof m->seed);
    status = status == MCPW_OK ? mcpw_tasks_new_id(m->worker) : status;
    if (status != MCPW_OK) {
        (void)mcpw_resize(&own.allocator, m, sizeof *m, 0);
        mcpw_error_set(error, MCPW_E_STATE, 0, "a store of tasks needs random numbers, thus libsodium");
        return NULL;
    }
    m->store = (mcpw_task_store)MCPW_TASK_STORE_INIT;
    m->store.self = m;
    m->store.worker = m->worker;
    m->store.create = create;
    m->store.read = read_entry;
    m->store.replace = replace;
    m->store.list = list;
    m->store.remove = remove_entry;
    return &m->store;
}

void mcpw_task_memory_free(mcpw_task_store *store) {
    if (store == NULL) {
        return;
    }
    memory *const m = store->self;
    const mcpw_allocator allocator = m->config.allocator;
    while (m->entries.count != 0) {
        drop(m, m->heap[m->entries.count - 1]);
    }
    (void)mcpw_resize(&allocator, (void *)m->heap, m->heap_capacity * sizeof *m->heap, 0);
    mcpw_task_table_free(&m->entries, &allocator);
    mcpw_task_table_free(&m->owners, &allocator);
    (void)mcpw_resize(&allocator, m, sizeof *m, 0);
}
