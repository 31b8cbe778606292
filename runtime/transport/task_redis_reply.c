/* SPDX-License-Identifier: MIT */
/* Replies of the Valkey server, which may hold anything. */
#include "../base/utf8.h"
#include "task_redis_internal.h"

#include <string.h>

enum { BASE = 10, ASCII_END = 0x80 };

bool mcpw_task_redis_is_text(const redisReply *reply) { return reply->type == REDIS_REPLY_STRING; }

static mcpw_str text_of(const redisReply *reply) { return (mcpw_str){reply->str, (size_t)reply->len}; }

bool mcpw_task_redis_is_array(const redisReply *reply, size_t least) {
    return reply != NULL && reply->type == REDIS_REPLY_ARRAY && reply->elements >= least;
}

bool mcpw_task_redis_number(const redisReply *reply, uint64_t *out) {
    uint64_t value = 0;
    if (!mcpw_task_redis_is_text(reply) || reply->len == 0 || (reply->str[0] == '0' && reply->len != 1)) {
        return false;
    }
    for (size_t i = 0; i < (size_t)reply->len; i++) {
        const unsigned digit = (unsigned)(unsigned char)reply->str[i] - '0';
        if (digit >= BASE || value > (UINT64_MAX - digit) / BASE) {
            return false;
        }
        value = value * BASE + digit;
    }
    *out = value;
    return true;
}

bool mcpw_task_redis_is_id(mcpw_str text) {
    static const char characters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
    bool is_id = text.ptr != NULL && text.len != 0 && text.len <= TASK_REDIS_LONGEST_ID;
    for (size_t i = 0; is_id && i < text.len; i++) {
        is_id = text.ptr[i] != '\0' && strchr(characters, text.ptr[i]) != NULL;
    }
    return is_id;
}

static bool is_utf8(mcpw_str text) {
    const unsigned char *const bytes = (const unsigned char *)text.ptr;
    size_t at = 0;
    while (at < text.len) {
        const unsigned len = bytes[at] < ASCII_END ? 1 : mcpw_utf8_sequence(bytes + at, text.len - at);
        if (len == 0) {
            return false;
        }
        at += len;
    }
    return true;
}

mcpw_status mcpw_task_redis_status(const redisReply *reply) {
    static const struct {
        const char *word;
        mcpw_status status;
    } words[] = {{"OK", MCPW_OK},         {"NONE", MCPW_E_NOT_FOUND}, {"TWICE", MCPW_E_DUPLICATE},
                 {"STATE", MCPW_E_STATE}, {"FULL", MCPW_E_FULL},      {"LONG", MCPW_E_SIZE},
                 {"BAD", MCPW_E_FORMAT}};
    if (reply == NULL) {
        return MCPW_E_IO;
    }
    if (reply->type == REDIS_REPLY_ERROR) {
        return strstr(reply->str, "WRONGTYPE") != NULL ? MCPW_E_FORMAT : MCPW_E_IO;
    }
    for (size_t i = 0; mcpw_task_redis_is_text(reply) && i < sizeof words / sizeof *words; i++) {
        if (mcpw_str_equal(text_of(reply), mcpw_str_from(words[i].word))) {
            return words[i].status;
        }
    }
    return MCPW_E_IO;
}

/* The owner as scripts write it: - for none, or + and the principal. */
static bool take_owner(const redisReply *reply, mcpw_str *principal) {
    const mcpw_str text = text_of(reply);
    if (text.len == 0 || (text.ptr[0] != '+' && (text.ptr[0] != '-' || text.len != 1)) || !is_utf8(text)) {
        return false;
    }
    *principal = text.ptr[0] == '+' ? (mcpw_str){text.ptr + 1, text.len - 1} : (mcpw_str){NULL, 0};
    return true;
}

/* '0' or '1'. */
static bool take_flag(const redisReply *reply, bool *out) {
    *out = reply->str[0] == '1';
    return reply->len == 1 && (reply->str[0] == '0' || reply->str[0] == '1');
}

mcpw_status mcpw_task_redis_entry(const redisReply *reply, mcpw_str id, mcpw_task_entry *entry) {
    enum { OWNER, VERSION, EXPIRES, FINAL, WORKER, TEXT, ALIVE, FIELDS };
    bool is_alive = false;
    bool is_right = mcpw_task_redis_is_array(reply, FIELDS) && reply->elements == FIELDS;
    for (size_t i = 0; is_right && i < FIELDS; i++) {
        is_right = mcpw_task_redis_is_text(reply->element[i]);
    }
    if (!is_right) {
        return MCPW_E_FORMAT;
    }
    *entry = (mcpw_task_entry)MCPW_TASK_ENTRY_INIT;
    entry->id = id;
    entry->worker = text_of(reply->element[WORKER]);
    entry->text = text_of(reply->element[TEXT]);
    is_right = take_owner(reply->element[OWNER], &entry->principal) &&
               mcpw_task_redis_number(reply->element[VERSION], &entry->version) && entry->version != 0 &&
               mcpw_task_redis_number(reply->element[EXPIRES], &entry->expires_at) &&
               take_flag(reply->element[FINAL], &entry->is_final) &&
               take_flag(reply->element[ALIVE], &is_alive) && is_utf8(entry->text) &&
               (entry->worker.len == 0 || mcpw_task_redis_is_id(entry->worker));
    if (entry->worker.len == 0) {
        entry->worker.ptr = NULL;
    }
    entry->is_orphan = !is_alive;
    return is_right ? MCPW_OK : MCPW_E_FORMAT;
}
