/* SPDX-License-Identifier: MIT */
/* Cases that hold for every store of tasks: one suite for the store in memory and the one in Valkey or Redis.
 * A program sets `kind`, and calls run_store_cases. */
#ifndef MCPW_TESTS_TASK_STORE_CASES_H
#define MCPW_TESTS_TASK_STORE_CASES_H

#include "check.h"

#include <mcpw/tasks.h>

enum { TIME_TO_LIVE = 200 /* ms */ };

/* How the stores of a kind are made, and how their time goes by. */
typedef struct store_kind {
    mcpw_task_store *(*open)(size_t max_tasks, size_t max_bytes); /* an empty one */
    void (*close)(mcpw_task_store *store);
    uint64_t (*now)(void); /* the time by which expires_at is meant */
    void (*pass)(uint64_t ms);
} store_kind;

static const store_kind *kind;

static const mcpw_task_limits plenty = {1000, 1 << 20};

static mcpw_task_store *open_store(size_t max_tasks, size_t max_bytes) {
    mcpw_task_store *const store = kind->open(max_tasks, max_bytes);
    CHECK(store != NULL);
    return store;
}

static mcpw_task_entry entry_of(const char *id, const char *principal, uint64_t version, const char *text) {
    mcpw_task_entry entry = MCPW_TASK_ENTRY_INIT;
    entry.id = mcpw_str_from(id);
    entry.principal = mcpw_str_from(principal);
    entry.version = version;
    entry.expires_at = UINT64_MAX;
    entry.text = mcpw_str_from(text);
    return entry;
}

static mcpw_status put(mcpw_task_store *store, const char *id, const char *principal, const char *text) {
    const mcpw_task_entry entry = entry_of(id, principal, 1, text);
    return store->create(store->self, &entry, &plenty);
}

typedef struct taken {
    size_t count;
    uint64_t version;
    uint64_t expires_at;
    bool is_final;
    char text[256];
    char ids[256];
    char principal[64];
    char worker[64];
} taken;

static void take(void *user, const mcpw_task_entry *entry) {
    taken *const t = user;
    t->count++;
    t->version = entry->version;
    t->expires_at = entry->expires_at;
    t->is_final = entry->is_final;
    (void)snprintf(t->text, sizeof t->text, "%.*s", (int)entry->text.len, entry->text.ptr);
    (void)snprintf(t->principal, sizeof t->principal, "%.*s",
                   entry->principal.ptr != NULL ? (int)entry->principal.len : 4,
                   entry->principal.ptr != NULL ? entry->principal.ptr : "none");
    (void)snprintf(t->worker, sizeof t->worker, "%.*s", (int)entry->worker.len,
                   entry->worker.ptr != NULL ? entry->worker.ptr : "");
    const size_t len = strlen(t->ids);
    (void)snprintf(t->ids + len, sizeof t->ids - len, "%.*s ", (int)entry->id.len, entry->id.ptr);
    CHECK(!entry->is_orphan);
}

static mcpw_status get(const mcpw_task_store *store, const char *id, taken *t) {
    *t = (taken){0};
    return store->read(store->self, mcpw_str_from(id), SIZE_MAX, take, t);
}

static void an_entry_is_found_by_its_id(void) {
    mcpw_task_store *const store = open_store(0, 0);
    taken t;
    mcpw_task_entry entry = entry_of("one", "alice", 1, "text of one");
    entry.worker = mcpw_str_from(store->worker);
    CHECK(strlen(store->worker) == MCPW_TASK_ID_LEN);
    CHECK(store->create(store->self, &entry, &plenty) == MCPW_OK);
    CHECK(put(store, "two", NULL, "text of two") == MCPW_OK);
    CHECK(get(store, "one", &t) == MCPW_OK && t.count == 1 && t.version == 1 && !t.is_final);
    CHECK_STRING(t.text, "text of one");
    CHECK_STRING(t.principal, "alice");
    CHECK_STRING(t.worker, store->worker);
    CHECK(get(store, "two", &t) == MCPW_OK);
    CHECK_STRING(t.principal, "none");
    CHECK(get(store, "three", &t) == MCPW_E_NOT_FOUND && t.count == 0);
    CHECK(put(store, "one", "bob", "another") == MCPW_E_DUPLICATE);
    CHECK(store->read(store->self, mcpw_str_from("one"), 10, take, &t) == MCPW_E_SIZE);
    kind->close(store);
}

static void an_entry_without_an_id_or_a_text_is_refused(void) {
    static const char long_id[] = "12345678901234567890123456789012345678901234567890123456789012345";
    mcpw_task_store *const store = open_store(0, 0);
    CHECK(put(store, "", NULL, "x") == MCPW_E_ARGUMENT);
    CHECK(put(store, NULL, NULL, "x") == MCPW_E_ARGUMENT);
    CHECK(put(store, long_id, NULL, "x") == MCPW_E_ARGUMENT);
    CHECK(put(store, long_id + 1, NULL, "x") == MCPW_OK);
    CHECK(put(store, "a", NULL, NULL) == MCPW_E_ARGUMENT);
    kind->close(store);
}

static void an_entry_is_replaced_by_its_next_version_alone(void) {
    mcpw_task_store *const store = open_store(0, 0);
    taken t;
    mcpw_task_entry entry = entry_of("one", "alice", 2, "second");
    CHECK(store->replace(store->self, &entry, &plenty) == MCPW_E_NOT_FOUND);
    CHECK(put(store, "one", "alice", "first") == MCPW_OK);
    CHECK(store->replace(store->self, &entry, &plenty) == MCPW_OK);
    CHECK(store->replace(store->self, &entry, &plenty) == MCPW_E_STATE);
    entry.version = 4;
    CHECK(store->replace(store->self, &entry, &plenty) == MCPW_E_STATE);
    CHECK(get(store, "one", &t) == MCPW_OK && t.version == 2);
    CHECK_STRING(t.text, "second");
    CHECK_STRING(t.principal, "alice");
    kind->close(store);
}

static void a_final_entry_is_never_replaced(void) {
    mcpw_task_store *const store = open_store(0, 0);
    mcpw_task_entry entry = entry_of("one", "alice", 2, "done");
    CHECK(put(store, "one", "alice", "first") == MCPW_OK);
    entry.is_final = true;
    CHECK(store->replace(store->self, &entry, &plenty) == MCPW_OK);
    entry.version = 3;
    CHECK(store->replace(store->self, &entry, &plenty) == MCPW_E_STATE);
    kind->close(store);
}

static void an_owner_has_at_most_so_many_entries(void) {
    mcpw_task_store *const store = open_store(0, 0);
    const mcpw_task_limits two = {2, 100};
    const mcpw_task_entry entries[] = {entry_of("1", "alice", 1, "x"), entry_of("2", "alice", 1, "x"),
                                       entry_of("3", "alice", 1, "x"), entry_of("4", "bob", 1, "x"),
                                       entry_of("5", NULL, 1, "x")};
    CHECK(store->create(store->self, entries + 0, &two) == MCPW_OK);
    CHECK(store->create(store->self, entries + 1, &two) == MCPW_OK);
    CHECK(store->create(store->self, entries + 2, &two) == MCPW_E_FULL);
    CHECK(store->create(store->self, entries + 3, &two) == MCPW_OK);
    CHECK(store->create(store->self, entries + 4, &two) == MCPW_OK);
    CHECK(store->remove(store->self, mcpw_str_from("1")) == MCPW_OK);
    CHECK(store->create(store->self, entries + 2, &two) == MCPW_OK);
    kind->close(store);
}

static void an_owner_has_at_most_so_many_bytes(void) {
    mcpw_task_store *const store = open_store(0, 0);
    const mcpw_task_limits ten = {100, 10};
    mcpw_task_entry entry = entry_of("1", "alice", 1, "123456");
    CHECK(store->create(store->self, &entry, &ten) == MCPW_OK);
    entry = entry_of("2", "alice", 1, "12345");
    CHECK(store->create(store->self, &entry, &ten) == MCPW_E_SIZE);
    entry = entry_of("2", "alice", 1, "1234");
    CHECK(store->create(store->self, &entry, &ten) == MCPW_OK);
    entry = entry_of("2", "alice", 2, "12345");
    CHECK(store->replace(store->self, &entry, &ten) == MCPW_E_SIZE);
    entry = entry_of("2", "alice", 2, "123");
    CHECK(store->replace(store->self, &entry, &ten) == MCPW_OK);
    entry = entry_of("1", "alice", 2, "1234567");
    CHECK(store->replace(store->self, &entry, &ten) == MCPW_OK);
    kind->close(store);
}

static void a_store_has_at_most_so_many_entries_and_bytes(void) {
    mcpw_task_store *const store = open_store(2, 10);
    CHECK(put(store, "1", "alice", "1234567") == MCPW_OK);
    CHECK(put(store, "2", "bob", "1234") == MCPW_E_SIZE);
    CHECK(put(store, "2", "bob", "123") == MCPW_OK);
    CHECK(put(store, "3", "carol", "") == MCPW_E_FULL);
    kind->close(store);
}

static void an_entry_is_forgotten_when_it_expires(void) {
    mcpw_task_store *const store = open_store(0, 0);
    const mcpw_task_limits one = {1, 100};
    taken t;
    mcpw_task_entry entry = entry_of("1", "alice", 1, "x");
    entry.expires_at = kind->now() + TIME_TO_LIVE;
    CHECK(store->create(store->self, &entry, &one) == MCPW_OK);
    CHECK(get(store, "1", &t) == MCPW_OK && t.expires_at == entry.expires_at);
    kind->pass(TIME_TO_LIVE);
    CHECK(get(store, "1", &t) == MCPW_E_NOT_FOUND);
    entry.version = 2;
    CHECK(store->replace(store->self, &entry, &one) == MCPW_E_NOT_FOUND);
    entry = entry_of("2", "alice", 1, "x"); /* it does not count any more */
    CHECK(store->create(store->self, &entry, &one) == MCPW_OK);
    kind->close(store);
}

static mcpw_status list(mcpw_task_store *store, const char *principal, const char *after, size_t count,
                        taken *t) {
    *t = (taken){0};
    return store->list(store->self, mcpw_str_from(principal), mcpw_str_from(after), count, SIZE_MAX, take, t);
}

static void a_list_has_the_entries_of_one_owner_the_newest_first(void) {
    mcpw_task_store *const store = open_store(0, 0);
    taken t;
    CHECK(put(store, "1", "alice", "x") == MCPW_OK && put(store, "2", "bob", "x") == MCPW_OK &&
          put(store, "3", "alice", "x") == MCPW_OK && put(store, "4", "alice", "x") == MCPW_OK);
    CHECK(list(store, "alice", NULL, 10, &t) == MCPW_OK);
    CHECK_STRING(t.ids, "4 3 1 ");
    CHECK(list(store, "alice", NULL, 2, &t) == MCPW_OK);
    CHECK_STRING(t.ids, "4 3 ");
    CHECK(list(store, "alice", "3", 2, &t) == MCPW_OK);
    CHECK_STRING(t.ids, "1 ");
    CHECK(list(store, "alice", "1", 2, &t) == MCPW_OK && t.count == 0);
    CHECK(list(store, "alice", "2", 2, &t) == MCPW_E_NOT_FOUND); /* bob's */
    CHECK(list(store, "alice", "9", 2, &t) == MCPW_E_NOT_FOUND);
    CHECK(list(store, "carol", NULL, 2, &t) == MCPW_OK && t.count == 0);
    CHECK(store->remove(store->self, mcpw_str_from("3")) == MCPW_OK);
    CHECK(store->remove(store->self, mcpw_str_from("3")) == MCPW_OK);
    CHECK(list(store, "alice", NULL, 10, &t) == MCPW_OK);
    CHECK_STRING(t.ids, "4 1 ");
    kind->close(store);
}

static void a_replaced_entry_keeps_its_place_in_the_list(void) {
    mcpw_task_store *const store = open_store(0, 0);
    taken t;
    CHECK(put(store, "1", "alice", "x") == MCPW_OK && put(store, "2", "alice", "x") == MCPW_OK &&
          put(store, "3", "alice", "x") == MCPW_OK);
    for (unsigned i = 1; i <= 3; i++) {
        char id[4];
        (void)snprintf(id, sizeof id, "%u", i);
        const mcpw_task_entry entry = entry_of(id, "alice", 2, "longer than before");
        CHECK(store->replace(store->self, &entry, &plenty) == MCPW_OK);
        CHECK(list(store, "alice", NULL, 10, &t) == MCPW_OK);
        CHECK_STRING(t.ids, "3 2 1 ");
    }
    kind->close(store);
}

/* Keeps the last id alone. */
static void take_last(void *user, const mcpw_task_entry *entry) {
    taken *const t = user;
    t->count++;
    (void)snprintf(t->ids, sizeof t->ids, "%.*s", (int)entry->id.len, entry->id.ptr);
}

static void a_list_leaves_out_what_is_too_long_or_has_expired(void) {
    mcpw_task_store *const store = open_store(0, 0);
    taken t = {0};
    mcpw_task_entry entry = entry_of("3", "alice", 1, "x");
    entry.expires_at = kind->now() + TIME_TO_LIVE;
    CHECK(put(store, "1", "alice", "x") == MCPW_OK && put(store, "2", "alice", "longer") == MCPW_OK &&
          store->create(store->self, &entry, &plenty) == MCPW_OK && put(store, "4", "alice", "x") == MCPW_OK);
    kind->pass(TIME_TO_LIVE);
    CHECK(store->list(store->self, mcpw_str_from("alice"), mcpw_str_from(NULL), 2, 5, take, &t) == MCPW_OK);
    CHECK_STRING(t.ids, "4 1 ");
    CHECK(list(store, "alice", "3", 2, &t) == MCPW_E_NOT_FOUND);
    kind->close(store);
}

/* A list of many entries, in pages. */
static void pages_of_a_list_have_every_entry_once(void) {
    enum { COUNT = 250, PAGE = 90, TEXT = 16 };
    mcpw_task_store *const store = open_store(0, 0);
    char after[TEXT] = "";
    unsigned left = COUNT;
    for (unsigned i = 0; i < COUNT; i++) {
        char id[TEXT];
        (void)snprintf(id, sizeof id, "n%u", i);
        CHECK(put(store, id, "alice", "x") == MCPW_OK);
    }
    for (unsigned page = 0; page <= COUNT / PAGE; page++) {
        taken t = {0};
        CHECK(store->list(store->self, mcpw_str_from("alice"), mcpw_str_from(page > 0 ? after : NULL), PAGE,
                          SIZE_MAX, take_last, &t) == MCPW_OK);
        CHECK(t.count == (left < PAGE ? left : PAGE));
        left -= (unsigned)t.count;
        (void)snprintf(after, sizeof after, "n%u", left);
        CHECK_STRING(t.ids, after); /* the oldest of the page */
    }
    CHECK(left == 0);
    kind->close(store);
}

static void a_principal_may_be_any_text(void) {
    static const char *const names[] = {"", "*", "-", "+", "a b", "a\nb", "\xc3\xa9", "1 +alice"};
    mcpw_task_store *const store = open_store(0, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char id[4];
        taken t;
        (void)snprintf(id, sizeof id, "%u", (unsigned)i);
        CHECK(put(store, id, names[i], "x") == MCPW_OK);
        CHECK(get(store, id, &t) == MCPW_OK);
        CHECK_STRING(t.principal, names[i]);
        CHECK(list(store, names[i], NULL, 2, &t) == MCPW_OK && t.count == 1);
    }
    kind->close(store);
}

static void a_version_may_be_as_great_as_its_type(void) {
    mcpw_task_store *const store = open_store(0, 0);
    taken t;
    mcpw_task_entry entry = entry_of("1", "alice", UINT64_MAX - 1, "x");
    CHECK(store->create(store->self, &entry, &plenty) == MCPW_OK);
    CHECK(store->replace(store->self, &entry, &plenty) == MCPW_E_STATE);
    entry.version = UINT64_MAX;
    CHECK(store->replace(store->self, &entry, &plenty) == MCPW_OK);
    CHECK(get(store, "1", &t) == MCPW_OK && t.version == UINT64_MAX);
    kind->close(store);
}

/* A handler that replaces an entry may change the time at which it expires. */
static void a_replaced_entry_expires_at_its_new_time(void) {
    mcpw_task_store *const store = open_store(0, 0);
    taken t;
    mcpw_task_entry entry = entry_of("1", "alice", 1, "x");
    mcpw_task_entry other = entry_of("2", "alice", 1, "x");
    entry.expires_at = kind->now() + TIME_TO_LIVE;
    CHECK(store->create(store->self, &entry, &plenty) == MCPW_OK);
    CHECK(store->create(store->self, &other, &plenty) == MCPW_OK);
    other.expires_at = entry.expires_at;
    entry.expires_at = UINT64_MAX;
    entry.version = other.version = 2;
    CHECK(store->replace(store->self, &entry, &plenty) == MCPW_OK);
    CHECK(store->replace(store->self, &other, &plenty) == MCPW_OK);
    kind->pass(TIME_TO_LIVE);
    CHECK(get(store, "1", &t) == MCPW_OK);
    CHECK(get(store, "2", &t) == MCPW_E_NOT_FOUND);
    kind->close(store);
}

static void run_store_cases(const store_kind *of) {
    kind = of;
    RUN(an_entry_is_found_by_its_id);
    RUN(an_entry_without_an_id_or_a_text_is_refused);
    RUN(an_entry_is_replaced_by_its_next_version_alone);
    RUN(a_final_entry_is_never_replaced);
    RUN(an_owner_has_at_most_so_many_entries);
    RUN(an_owner_has_at_most_so_many_bytes);
    RUN(a_store_has_at_most_so_many_entries_and_bytes);
    RUN(an_entry_is_forgotten_when_it_expires);
    RUN(a_list_has_the_entries_of_one_owner_the_newest_first);
    RUN(a_replaced_entry_keeps_its_place_in_the_list);
    RUN(a_list_leaves_out_what_is_too_long_or_has_expired);
    RUN(pages_of_a_list_have_every_entry_once);
    RUN(a_principal_may_be_any_text);
    RUN(a_version_may_be_as_great_as_its_type);
    RUN(a_replaced_entry_expires_at_its_new_time);
}

#endif
