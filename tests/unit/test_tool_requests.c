/* SPDX-License-Identifier: MIT */
/* The table by which the command pairs answers with requests. */
#include "requests.h"

#include "check.h"

static mcpw_id text_id(const char *text) {
    const mcpw_id id = {MCPW_ID_STRING, {.string = mcpw_str_from(text)}};
    return id;
}

/* The example of the paper: the bytes of the key, and of the text, count from 0 on. */
static void a_hash_is_siphash(void) {
    const hash_key key = {UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)};
    unsigned char bytes[15];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)i;
    }
    CHECK(hash_bytes(&key, bytes, sizeof bytes) == UINT64_C(0xa129ca6149be45e5));
    CHECK(hash_bytes(&key, bytes, 8) == UINT64_C(0x93f5f5799a932462));
    CHECK(hash_bytes(&key, bytes, 0) == UINT64_C(0x726fdb47dd0e0e31));
}

/* Else ids that collide could be found beforehand, and put into a log. */
static void a_hash_is_of_its_table_alone(void) {
    const mcpw_id ids[] = {text_id("mine"), {MCPW_ID_INTEGER, {.integer = 7}}};
    const mcpw_answered_request answer = {1, false};
    requests tables[2];
    for (size_t i = 0; i < 2; i++) {
        requests_init(&tables[i], 10);
        CHECK(requests_add(&tables[i], &ids[0], answer) && requests_add(&tables[i], &ids[1], answer));
    }
    for (size_t i = 0; i < 2; i++) {
        const open_request *const one = requests_find(&tables[0], &ids[i]);
        const open_request *const other = requests_find(&tables[1], &ids[i]);
        CHECK(one != NULL && other != NULL && one->hash != other->hash);
    }
    requests_free(&tables[0]);
    requests_free(&tables[1]);
}

static void a_mark_goes_with_its_request(void) {
    const mcpw_id id = text_id("a");
    const mcpw_answered_request older = {1, false};
    const mcpw_answered_request newer = {2, false};
    requests table;
    requests_init(&table, 10);
    CHECK(requests_add(&table, &id, older));
    requests_find(&table, &id)->marks[0] = true;
    CHECK(requests_add(&table, &id, newer));
    const open_request *const entry = requests_find(&table, &id);
    CHECK(entry->answers[0].method == 2 && !entry->marks[0]);
    CHECK(entry->answers[1].method == 1 && entry->marks[1]);
    requests_answered(&table, &id, 0);
    CHECK(requests_find(&table, &id)->answers[0].method == 1 && requests_find(&table, &id)->marks[0]);
    requests_answered(&table, &id, 0);
    CHECK(requests_find(&table, &id) == NULL);
    requests_free(&table);
}

static void a_table_that_was_emptied_is_used_again(void) {
    const mcpw_answered_request answer = {1, false};
    requests table;
    char name[16];
    requests_init(&table, 1000);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 500; i++) {
            (void)snprintf(name, sizeof name, "%d", i);
            const mcpw_id id = text_id(name);
            CHECK(requests_add(&table, &id, answer) && requests_find(&table, &id) != NULL);
        }
        CHECK(table.used == 500);
        requests_free(&table);
        CHECK(table.used == 0);
    }
}

int main(void) {
    RUN(a_hash_is_siphash);
    RUN(a_hash_is_of_its_table_alone);
    RUN(a_mark_goes_with_its_request);
    RUN(a_table_that_was_emptied_is_used_again);
    return check_end();
}
