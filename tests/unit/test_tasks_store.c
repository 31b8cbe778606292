/* SPDX-License-Identifier: MIT */
/* Records of tasks as text, and the store in memory that keeps them. */
#include "check.h"
#include "clock.h"
#include "counting_allocator.h"
#include "record.h"
#include "task_store_cases.h"

#include <mcpw/tasks.h>

#include <stdlib.h>

#define HEAD "mcpw-task 1\nw0 1000 2000 3600000 500\n"
#define PARAMS "p12:{\"name\":\"t\"}\n"

/* ---- Records ---- */

static mcpw_status read_text(const char *text, mcpw_task_record *record) {
    return mcpw_task_record_read(mcpw_str_from(text), record);
}

static void a_record_is_read_as_it_was_written(void) {
    mcpw_task_record before = {.status = MCPW_RECORD_FAILED,
                               .is_tool_error = true,
                               .created_at = 1,
                               .updated_at = 1785240000000,
                               .ttl_ms = MCPW_TASK_FOR_EVER,
                               .poll_interval_ms = 0};
    mcpw_task_record after;
    mcpw_buffer text = MCPW_BUFFER_INIT;
    for (int i = 0; i < MCPW_TASK_PART_COUNT; i++) {
        before.parts[i] = mcpw_str_from("{\"a\":\"\n7:x\"}");
    }
    CHECK(mcpw_task_record_write(&before, &text) == MCPW_OK);
    CHECK(mcpw_task_record_read((mcpw_str){text.data, text.len}, &after) == MCPW_OK);
    CHECK(after.status == before.status && after.is_tool_error && after.created_at == 1 &&
          after.updated_at == before.updated_at && after.ttl_ms == before.ttl_ms &&
          after.poll_interval_ms == 0);
    for (int i = 0; i < MCPW_TASK_PART_COUNT; i++) {
        CHECK(mcpw_str_equal(after.parts[i], before.parts[i]));
    }
    mcpw_buffer_free(&text);
}

static void the_text_of_a_record_is_as_described(void) {
    mcpw_task_record record = {.status = MCPW_RECORD_WORKING,
                               .created_at = 1000,
                               .updated_at = 2000,
                               .ttl_ms = 3600000,
                               .poll_interval_ms = 500};
    mcpw_buffer text = MCPW_BUFFER_INIT;
    record.parts[MCPW_TASK_PARAMS] = mcpw_str_from("{\"name\":\"t\"}");
    CHECK(mcpw_task_record_write(&record, &text) == MCPW_OK);
    CHECK_TEXT(text.data, text.len, HEAD PARAMS);
    CHECK(mcpw_task_record_expires_at(&record) == 3601000);
    mcpw_buffer_free(&text);
}

static void a_record_of_a_newer_form_is_told_apart(void) {
    mcpw_task_record record;
    CHECK(read_text("mcpw-task 2\nsomething else", &record) == MCPW_E_VERSION);
}

static void a_broken_record_is_refused(void) {
    static const char *const broken[] = {
        "",
        "mcpw-task",
        "another text\n",
        "mcpw-task 1\n",
        "mcpw-task 1\nw0 1000 2000 3600000 500\n",             /* without params */
        "mcpw-task 1\nw0 1000 2000 3600000\n" PARAMS,          /* without a polling interval */
        "mcpw-task 1\ny0 1000 2000 3600000 500\n" PARAMS,      /* no status */
        "mcpw-task 1\nw2 1000 2000 3600000 500\n" PARAMS,      /* no flag */
        "mcpw-task 1\nw0 01000 2000 3600000 500\n" PARAMS,     /* a leading zero */
        "mcpw-task 1\nw0 -1 2000 3600000 500\n" PARAMS,        /* a sign */
        "mcpw-task 1\nw0 18446744073709551616 1 1 1\n" PARAMS, /* 2^64 */
        "mcpw-task 1\nw0 253402300800000 2000 1 1\n" PARAMS,   /* after the year 9999 */
        HEAD "p13:{\"name\":\"t\"}\n",                         /* a length that is one too large */
        HEAD "p11:{\"name\":\"t\"}\n",                         /* and too small */
        HEAD "p18446744073709551615:{\"name\":\"t\"}\n",       /* and as large as can be */
        HEAD "p:{\"name\":\"t\"}\n",
        HEAD PARAMS PARAMS, /* twice */
        HEAD PARAMS "y1:x\n",
        HEAD PARAMS "r",
        HEAD PARAMS "r2:{}",                /* without its line end */
        "mcpw-task 1\ni0 1 2 3 4\n" PARAMS, /* no questions */
        "mcpw-task 1\nc0 1 2 3 4\n" PARAMS, /* no result */
        "mcpw-task 1\nf0 1 2 3 4\n" PARAMS, /* no error */
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        mcpw_task_record record;
        if (!check_that(read_text(broken[i], &record) == MCPW_E_FORMAT, __FILE__, __LINE__, "is refused")) {
            (void)fprintf(stderr, "%s\n", broken[i]);
        }
    }
    mcpw_task_record record;
    CHECK(mcpw_task_record_read((mcpw_str){NULL, 0}, &record) == MCPW_E_FORMAT);
}

/* Every text that is a beginning of a good one, or a good one with one byte changed, is read safely. */
static void a_spoiled_record_is_read_safely(void) {
    static const char good[] = "mcpw-task 1\ni1 1 2 3 4\n" PARAMS "q2:{}\na2:{}\n";
    mcpw_task_record record;
    for (size_t len = 0; len < sizeof good - 1; len++) {
        char *const copy = malloc(len + 1); /* so that a sanitizer sees what is read past it */
        memcpy(copy, good, len);
        const mcpw_status status = mcpw_task_record_read((mcpw_str){copy, len}, &record);
        CHECK(status == MCPW_OK || status == MCPW_E_FORMAT || status == MCPW_E_VERSION);
        free(copy);
    }
    for (size_t at = 0; at < sizeof good - 1; at++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            char *const copy = malloc(sizeof good - 1);
            memcpy(copy, good, sizeof good - 1);
            copy[at] = (char)byte;
            const mcpw_status status = mcpw_task_record_read((mcpw_str){copy, sizeof good - 1}, &record);
            CHECK(status == MCPW_OK || status == MCPW_E_FORMAT || status == MCPW_E_VERSION);
            for (int i = 0; status == MCPW_OK && i < MCPW_TASK_PART_COUNT; i++) {
                const mcpw_str part = record.parts[i];
                CHECK(part.ptr == NULL ||
                      (part.ptr >= copy && part.ptr + part.len <= copy + sizeof good - 1));
            }
            free(copy);
        }
    }
}

static void a_record_without_an_end_never_expires(void) {
    const mcpw_task_record record = {.created_at = 1000, .ttl_ms = MCPW_TASK_FOR_EVER};
    CHECK(mcpw_task_record_expires_at(&record) == UINT64_MAX);
}

static void a_time_is_written_as_a_date(void) {
    char date[MCPW_TASK_DATE_SIZE];
    mcpw_tasks_date(0, date);
    CHECK_STRING(date, "1970-01-01T00:00:00.000Z");
    mcpw_tasks_date(951782399999, date);
    CHECK_STRING(date, "2000-02-28T23:59:59.999Z");
    mcpw_tasks_date(951782400000, date);
    CHECK_STRING(date, "2000-02-29T00:00:00.000Z");
    mcpw_tasks_date(1785240000123, date);
    CHECK_STRING(date, "2026-07-28T12:00:00.123Z");
    mcpw_tasks_date(4107542400000, date); /* 2100 has no leap day */
    CHECK_STRING(date, "2100-03-01T00:00:00.000Z");
    mcpw_tasks_date(UINT64_MAX, date);
    CHECK_STRING(date, "9999-12-31T23:59:59.999Z");
}

/* ---- The store ---- */

static uint64_t now;

static uint64_t tell_time(void *user) {
    (void)user;
    return now;
}

static mcpw_task_store *new_store(size_t max_tasks, size_t max_bytes) {
    mcpw_task_memory_config config = MCPW_TASK_MEMORY_CONFIG_INIT;
    mcpw_error error;
    config.max_tasks = max_tasks;
    config.max_bytes = max_bytes;
    config.clock = tell_time;
    now = 1000;
    mcpw_task_store *const store = mcpw_task_memory_new(&config, &error);
    CHECK(store != NULL);
    return store;
}

static uint64_t get_now(void) { return now; }
static void pass(uint64_t ms) { now += ms; }
static const store_kind in_memory = {new_store, mcpw_task_memory_free, get_now, pass};

/* Exactly those that are due are forgotten, of many entries with times in no order. */
static void entries_expire_in_the_order_of_their_times(void) {
    enum { COUNT = 500, STEP = 7919 };
    mcpw_task_store *const store = new_store(0, 0);
    for (unsigned i = 0; i < COUNT; i++) {
        char id[16];
        (void)snprintf(id, sizeof id, "%u", i);
        mcpw_task_entry entry = entry_of(id, i % 3 == 0 ? "alice" : "bob", 1, "x");
        entry.expires_at = 2000 + (uint64_t)i * STEP % COUNT;
        CHECK(store->create(store->self, &entry, &plenty) == MCPW_OK);
    }
    now = 2000 + COUNT / 2;
    CHECK(put(store, "new", NULL, "x") == MCPW_OK); /* drops them */
    for (unsigned i = 0; i < COUNT; i++) {
        char id[16];
        taken t;
        (void)snprintf(id, sizeof id, "%u", i);
        const bool is_due = (uint64_t)i * STEP % COUNT <= COUNT / 2;
        CHECK(get(store, id, &t) == (is_due ? MCPW_E_NOT_FOUND : MCPW_OK));
    }
    mcpw_task_memory_free(store);
}

static void two_new_ids_differ(void) {
    char one[MCPW_TASK_ID_LEN + 1];
    char two[MCPW_TASK_ID_LEN + 1];
    CHECK(mcpw_tasks_new_id(one) == MCPW_OK && mcpw_tasks_new_id(two) == MCPW_OK);
    CHECK(strlen(one) == MCPW_TASK_ID_LEN && strspn(one, "0123456789abcdef") == MCPW_TASK_ID_LEN);
    CHECK(strcmp(one, two) != 0);
}

/* Whichever allocation fails, the store stays as it was. */
static void a_store_without_memory_stays_as_it_was(void) {
    enum { MOST = 64 };
    bool done = false;
    for (unsigned long failing = 1; failing < MOST && !done; failing++) {
        counting memory = {0};
        mcpw_task_memory_config config = MCPW_TASK_MEMORY_CONFIG_INIT;
        mcpw_error error;
        taken t;
        config.allocator = counting_allocator(&memory);
        mcpw_task_store *const store = mcpw_task_memory_new(&config, &error);
        CHECK(put(store, "1", "alice", "x") == MCPW_OK);
        memory.fail_at = memory.calls + failing;
        done = true;
        for (unsigned i = 2; i < 40; i++) {
            char id[4];
            (void)snprintf(id, sizeof id, "%u", i);
            const mcpw_status status = put(store, id, i % 2 == 0 ? "alice" : id, "x");
            CHECK(status == MCPW_OK || status == MCPW_E_MEMORY);
            CHECK(get(store, id, &t) == (status == MCPW_OK ? MCPW_OK : MCPW_E_NOT_FOUND));
            done = done && status == MCPW_OK;
        }
        const mcpw_task_entry entry = entry_of("1", "alice", 2, "y");
        const mcpw_status status = store->replace(store->self, &entry, &plenty);
        CHECK(get(store, "1", &t) == MCPW_OK && t.version == (status == MCPW_OK ? 2U : 1U));
        mcpw_task_memory_free(store);
        CHECK(memory.in_use == 0);
    }
}

int main(void) {
    mcpw_error error;
    mcpw_task_store *const any = mcpw_task_memory_new(NULL, &error);
    RUN(a_record_is_read_as_it_was_written);
    RUN(the_text_of_a_record_is_as_described);
    RUN(a_record_of_a_newer_form_is_told_apart);
    RUN(a_broken_record_is_refused);
    RUN(a_spoiled_record_is_read_safely);
    RUN(a_record_without_an_end_never_expires);
    RUN(a_time_is_written_as_a_date);
    if (any == NULL) {
        (void)fprintf(stderr, "skipped: the store: %s\n", error.message);
        return check_failures != 0 ? check_end() : CHECK_SKIPPED;
    }
    mcpw_task_memory_free(any);
    run_store_cases(&in_memory);
    RUN(entries_expire_in_the_order_of_their_times);
    RUN(two_new_ids_differ);
    RUN(a_store_without_memory_stays_as_it_was);
    return check_end();
}
