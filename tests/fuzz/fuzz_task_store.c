/* SPDX-License-Identifier: MIT */
/*
 * Entries of a store of tasks that another has written: a reply of a Valkey server that holds one, and the
 * text of its record. Each is refused, or read as a second reading finds it.
 *
 * The first byte says which: even, the rest is a record; odd, replies.
 */
#include "fuzz.h"
#include "record.h"
#include "task_redis_internal.h"

#include <inttypes.h>

enum { NUMBER = 24 };

/* ---- Records ---- */

static mcpw_str text_of(const mcpw_buffer *buffer) { return (mcpw_str){buffer->data, buffer->len}; }

/* A record that was read is written as the text that it was, with its parts in their order. */
static void check_record(const char *text, size_t len) {
    mcpw_task_record record;
    mcpw_task_record again;
    mcpw_buffer first = MCPW_BUFFER_INIT;
    mcpw_buffer second = MCPW_BUFFER_INIT;
    const mcpw_status status = mcpw_task_record_read((mcpw_str){text, len}, &record);
    FUZZ_ASSERT(status == MCPW_OK || status == MCPW_E_FORMAT || status == MCPW_E_VERSION);
    if (status == MCPW_OK) {
        for (int i = 0; i < MCPW_TASK_PART_COUNT; i++) {
            const mcpw_str part = record.parts[i];
            FUZZ_ASSERT(part.ptr == NULL || (part.ptr > text && part.ptr + part.len < text + len));
        }
        FUZZ_ASSERT(record.status < MCPW_RECORD_STATUS_COUNT);
        FUZZ_ASSERT(mcpw_task_record_expires_at(&record) >= record.created_at);
        FUZZ_SAME(mcpw_task_record_write(&record, &first), MCPW_OK, "writing");
        FUZZ_ASSERT(first.len == len);
        FUZZ_SAME(mcpw_task_record_read(text_of(&first), &again), MCPW_OK, "reading again");
        FUZZ_SAME(mcpw_task_record_write(&again, &second), MCPW_OK, "writing again");
        FUZZ_ASSERT(mcpw_str_equal(text_of(&first), text_of(&second)));
    }
    mcpw_buffer_free(&first);
    mcpw_buffer_free(&second);
}

/* ---- Replies ---- */

static bool is_word(mcpw_str text) {
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.ptr[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-')) {
            return false;
        }
    }
    return text.len <= TASK_REDIS_LONGEST_ID;
}

/* By the ranges of code points: no continuation alone, none missing, nothing overlong, no surrogates. */
static bool is_utf8(mcpw_str text) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    for (size_t i = 0; i < text.len;) {
        const unsigned char lead = (unsigned char)text.ptr[i];
        const size_t len = lead < 0x80 ? 1 : lead < 0xc0 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        uint32_t c = len <= 1 ? lead : lead & (0xffU >> (len + 1));
        if (len == 0 || lead >= 0xf8 || len > text.len - i) {
            return false;
        }
        for (size_t k = 1; k < len; k++) {
            const unsigned char more = (unsigned char)text.ptr[i + k];
            if ((more & 0xc0) != 0x80) {
                return false;
            }
            c = c << 6 | (more & 0x3fU);
        }
        if (c < least[len] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) {
            return false;
        }
        i += len;
    }
    return true;
}

static void check_number(const redisReply *reply, uint64_t value) {
    char text[NUMBER];
    const int len = snprintf(text, sizeof text, "%" PRIu64, value);
    FUZZ_ASSERT((size_t)len == (size_t)reply->len && memcmp(text, reply->str, (size_t)len) == 0);
}

static void check_entry(const redisReply *reply) {
    enum { OWNER, VERSION, EXPIRES, FINAL, WORKER, TEXT, ALIVE, FIELDS };
    const mcpw_str id = MCPW_STR_VALUE("id");
    mcpw_task_entry e;
    const mcpw_status status = mcpw_task_redis_entry(reply, id, &e);
    FUZZ_ASSERT(status == MCPW_OK || status == MCPW_E_FORMAT);
    if (status != MCPW_OK) {
        return;
    }
    FUZZ_ASSERT(reply->elements == FIELDS && mcpw_str_equal(e.id, id) && e.version != 0);
    check_number(reply->element[VERSION], e.version);
    check_number(reply->element[EXPIRES], e.expires_at);
    FUZZ_ASSERT(is_word(e.worker) && (e.worker.ptr == NULL) == (e.worker.len == 0));
    FUZZ_ASSERT(is_utf8(e.text) && is_utf8(e.principal));
    FUZZ_ASSERT(e.text.len == (size_t)reply->element[TEXT]->len);
    FUZZ_ASSERT(e.principal.ptr == NULL ? strcmp(reply->element[OWNER]->str, "-") == 0
                                        : e.principal.len + 1 == (size_t)reply->element[OWNER]->len);
    FUZZ_ASSERT(e.is_final == (*reply->element[FINAL]->str == '1'));
    FUZZ_ASSERT(e.is_orphan == (*reply->element[ALIVE]->str == '0'));
    check_record(e.text.ptr, e.text.len);
}

/* Whether a text may announce an array of thousands of elements. hiredis makes room for them before they
 * come. */
static bool is_heavy(const char *text, size_t len) {
    enum { DIGITS = 4 };
    size_t digits = 0;
    bool is_array = false;
    bool found = false;
    for (size_t i = 0; i < len; i++) {
        const bool is_digit = text[i] >= '0' && text[i] <= '9';
        digits = is_digit ? digits + 1 : 0;
        is_array = is_digit ? is_array : text[i] != '\0' && strchr("*%~>+", text[i]) != NULL;
        found = found || (is_array && digits >= DIGITS);
    }
    return found;
}

/* All replies in a text, as hiredis finds them. */
static void check_replies(const char *text, size_t len) {
    redisReader *const reader = redisReaderCreate();
    void *reply = NULL;
    FUZZ_ASSERT(reader != NULL);
    if (redisReaderFeed(reader, text, len) == REDIS_OK) {
        while (redisReaderGetReply(reader, &reply) == REDIS_OK && reply != NULL) {
            check_entry(reply);
            (void)mcpw_task_redis_status(reply);
            freeReplyObject(reply);
            reply = NULL;
        }
    }
    redisReaderFree(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) {
        return 0;
    }
    char *const text = fuzz_copy((const char *)data + 1, size - 1);
    if (*data % 2 == 0) {
        check_record(text, size - 1);
    } else if (!is_heavy(text, size - 1)) {
        check_replies(text, size - 1);
    }
    free(text);
    return 0;
}
