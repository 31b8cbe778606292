/* SPDX-License-Identifier: MIT */
/* A hash table with linear probing, at most three quarters full; removal moves later entries back. */
#include "requests.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_CAPACITY = 64,
    TEXT_SHARE = 64 /* bytes of string ids for each possible open request */
};

void requests_init(requests *r, size_t max_open) {
    memset(r, 0, sizeof *r);
    r->max_open = max_open;
}

static void free_entry(const requests *r, open_request *entry) {
    if (entry->facts != NULL && r->drop != NULL) {
        r->drop(entry->facts);
    }
    free(entry->text);
}

void requests_free(requests *r) {
    for (size_t i = 0; i < r->capacity; i++) {
        free_entry(r, r->table + i);
    }
    if (r->share != NULL) {
        r->share->used -= r->used;
        r->share->text_bytes -= r->text_bytes;
    }
    free(r->table);
    r->table = NULL;
    r->capacity = 0;
    r->used = 0;
    r->text_bytes = 0;
}

static void count(requests *r, size_t text_bytes) {
    r->used++;
    r->text_bytes += text_bytes;
    if (r->share != NULL) {
        r->share->used++;
        r->share->text_bytes += text_bytes;
    }
}

static void count_out(requests *r, size_t text_bytes) {
    r->used--;
    r->text_bytes -= text_bytes;
    if (r->share != NULL) {
        r->share->used--;
        r->share->text_bytes -= text_bytes;
    }
}

static bool fits(size_t max_open, size_t used, size_t text_bytes, size_t len) {
    const size_t limit = max_open > SIZE_MAX / TEXT_SHARE ? SIZE_MAX : max_open * TEXT_SHARE;
    return used < max_open && len <= limit - text_bytes;
}

static bool has_room(const requests *r, size_t len) {
    const requests_share *const share = r->share;
    return fits(r->max_open, r->used, r->text_bytes, len) &&
           (share == NULL || fits(share->max_open, share->used, share->text_bytes, len));
}

static uint64_t hash_id(const requests *r, const mcpw_id *id) {
    return id->kind == MCPW_ID_STRING ? hash_bytes(&r->key, id->as.string.ptr, id->as.string.len)
                                      : hash_bytes(&r->key, &id->as.integer, sizeof id->as.integer);
}

static bool same_id(const open_request *entry, uint64_t hash, const mcpw_id *id) {
    if (entry->hash != hash || entry->kind != id->kind) {
        return false;
    }
    if (id->kind == MCPW_ID_INTEGER) {
        return entry->integer == id->as.integer;
    }
    return entry->len == id->as.string.len && memcmp(entry->text, id->as.string.ptr, entry->len) == 0;
}

/* The entry of an id, or the empty place for it. The table must not be full. */
static open_request *find_place(const requests *r, uint64_t hash, const mcpw_id *id) {
    size_t at = (size_t)hash & (r->capacity - 1);
    while (r->table[at].kind != MCPW_ID_ABSENT && !same_id(r->table + at, hash, id)) {
        at = (at + 1) & (r->capacity - 1);
    }
    return r->table + at;
}

static bool grow(requests *r) {
    const size_t capacity = r->capacity != 0 ? r->capacity * 2 : FIRST_CAPACITY;
    open_request *const table = calloc(capacity, sizeof *table);
    if (table == NULL) {
        return false;
    }
    for (size_t i = 0; i < r->capacity; i++) {
        if (r->table[i].kind != MCPW_ID_ABSENT) {
            size_t at = (size_t)r->table[i].hash & (capacity - 1);
            while (table[at].kind != MCPW_ID_ABSENT) {
                at = (at + 1) & (capacity - 1);
            }
            table[at] = r->table[i];
        }
    }
    free(r->table);
    r->table = table;
    r->capacity = capacity;
    return true;
}

static bool is_id(const mcpw_id *id) { return id->kind == MCPW_ID_STRING || id->kind == MCPW_ID_INTEGER; }

open_request *requests_find(const requests *r, const mcpw_id *id) {
    if (r->used == 0 || !is_id(id)) {
        return NULL;
    }
    open_request *const entry = find_place(r, hash_id(r, id), id);
    return entry->kind != MCPW_ID_ABSENT ? entry : NULL;
}

static void push(open_request *entry, mcpw_answered_request answer) {
    for (unsigned i = REQUESTS_PER_ID - 1; i > 0; i--) {
        entry->answers[i] = entry->answers[i - 1];
        entry->marks[i] = entry->marks[i - 1];
    }
    entry->answers[0] = answer;
    entry->marks[0] = false;
    entry->count += entry->count < REQUESTS_PER_ID ? 1U : 0U;
    entry->open += entry->open < REQUESTS_PER_ID ? 1U : 0U;
}

static bool copy_id(open_request *entry, uint64_t hash, const mcpw_id *id) {
    const bool string = id->kind == MCPW_ID_STRING;
    char *text = NULL;
    if (string) {
        text = malloc(id->as.string.len + 1);
        if (text == NULL) {
            return false;
        }
        memcpy(text, id->as.string.ptr, id->as.string.len);
    }
    memset(entry, 0, sizeof *entry); // NOLINT(clang-analyzer-core.NonNullParamChecker): the caller found it
    entry->hash = hash;
    entry->kind = id->kind;
    entry->integer = string ? 0 : id->as.integer;
    entry->text = text;
    entry->len = string ? id->as.string.len : 0;
    return true;
}

bool requests_add(requests *r, const mcpw_id *id, mcpw_answered_request answer) {
    if (!is_id(id)) {
        return true; /* nothing to store */
    }
    if (r->capacity == 0) {
        r->key =
            hash_key_new(); /* a key for each table, so that the order of one reveals nothing about others */
    }
    const uint64_t hash = hash_id(r, id);
    open_request *entry = r->capacity != 0 ? find_place(r, hash, id) : NULL;
    if (entry != NULL && entry->kind != MCPW_ID_ABSENT) {
        push(entry, answer);
        return true;
    }
    const size_t len = id->kind == MCPW_ID_STRING ? id->as.string.len : 0;
    if (!has_room(r, len)) {
        return false;
    }
    if (r->used + 1 > r->capacity - r->capacity / 4) {
        if (!grow(r)) {
            return false;
        }
        entry = find_place(r, hash, id);
    }
    if (!copy_id(entry, hash, id)) {
        return false;
    }
    push(entry, answer);
    count(r, len);
    return true;
}

/* Closes a gap: moves the following entries of the run back if their place allows it. */
static void remove_at(requests *r, size_t gap) {
    const size_t mask = r->capacity - 1;
    count_out(r, r->table[gap].len);
    free_entry(r, r->table + gap);
    for (size_t at = (gap + 1) & mask; r->table[at].kind != MCPW_ID_ABSENT; at = (at + 1) & mask) {
        const size_t home = (size_t)r->table[at].hash & mask;
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            r->table[gap] = r->table[at];
            gap = at;
        }
    }
    memset(r->table + gap, 0, sizeof r->table[gap]);
}

void requests_answered(requests *r, const mcpw_id *id, unsigned which) {
    open_request *const entry = requests_find(r, id);
    if (entry == NULL) {
        return;
    }
    if (entry->open <= 1) {
        remove_at(r, (size_t)(entry - r->table));
        return;
    }
    for (unsigned i = which; i + 1 < entry->count; i++) {
        entry->answers[i] = entry->answers[i + 1];
        entry->marks[i] = entry->marks[i + 1];
    }
    entry->count--;
    entry->open--;
}

void requests_refused(requests *r, const mcpw_id *id) {
    open_request *const entry = requests_find(r, id);
    if (entry == NULL) {
        return;
    }
    if (entry->open <= 1) {
        remove_at(r, (size_t)(entry - r->table));
    } else {
        entry->open--;
    }
}

void requests_remove(requests *r, const mcpw_id *id) {
    open_request *const entry = requests_find(r, id);
    if (entry != NULL) {
        remove_at(r, (size_t)(entry - r->table));
    }
}
