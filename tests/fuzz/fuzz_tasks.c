/* SPDX-License-Identifier: MIT */
/*
 * Records of tasks that somebody else has written: whatever a store has, each request about it gets one
 * response that its revision allows, and a record that is read is the one that is written back.
 *
 * The first byte says who runs the task, whether it is final, and which form the client speaks. The rest is
 * the record.
 */
#include "fuzz.h"
#include "record.h"

#include <mcpw/json.h>
#include <mcpw/server.h>
#include <mcpw/tasks.h>

#define ID "0123456789abcdef0123456789abcdef"
#define MODERN                                                                                               \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                 \
    "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{},\"extensions\":"                     \
    "{\"io.modelcontextprotocol/tasks\":{}}}}"

enum { IS_CORE = 1, IS_FINAL = 2, IS_OURS = 4, IS_ORPHAN = 8, HAS_WORKER = 16, MOST = 1 << 16 };

static const char own_worker[] = "ffffffffffffffffffffffffffffffff";

/* A store of one entry, which stays as it is until it is replaced. */
typedef struct store {
    mcpw_task_store base;
    char text[MOST];
    size_t len;
    unsigned flags;
    uint64_t version;
} store;

static mcpw_status create(void *self, const mcpw_task_entry *entry, const mcpw_task_limits *limits) {
    (void)self, (void)entry, (void)limits;
    return MCPW_E_FULL;
}

static void show(const store *s, mcpw_take_task *take, void *user) {
    mcpw_task_entry entry = MCPW_TASK_ENTRY_INIT;
    entry.id = mcpw_str_from(ID);
    entry.principal = mcpw_str_from("somebody");
    entry.version = s->version;
    entry.expires_at = UINT64_MAX;
    entry.is_final = (s->flags & IS_FINAL) != 0;
    entry.is_orphan = (s->flags & IS_ORPHAN) != 0;
    if ((s->flags & HAS_WORKER) != 0) {
        entry.worker = mcpw_str_from((s->flags & IS_OURS) != 0 ? own_worker : "another");
    }
    entry.text = (mcpw_str){s->text, s->len};
    take(user, &entry);
}

static mcpw_status read_entry(void *self, mcpw_str id, size_t most, mcpw_take_task *take, void *user) {
    const store *const s = self;
    if (!mcpw_str_is(id, ID)) {
        return MCPW_E_NOT_FOUND;
    }
    if (s->len > most) {
        return MCPW_E_SIZE;
    }
    show(s, take, user);
    return MCPW_OK;
}

static mcpw_status replace(void *self, const mcpw_task_entry *entry, const mcpw_task_limits *limits) {
    store *const s = self;
    mcpw_task_record record;
    (void)limits;
    if ((s->flags & IS_FINAL) != 0 || entry->version != s->version + 1) {
        return MCPW_E_STATE;
    }
    FUZZ_SAME(mcpw_task_record_read(entry->text, &record), MCPW_OK, "a record that is written can be read");
    FUZZ_ASSERT(mcpw_record_is_final(record.status) == entry->is_final);
    if (entry->text.len > sizeof s->text) {
        return MCPW_E_SIZE;
    }
    memcpy(s->text, entry->text.ptr, entry->text.len);
    s->len = entry->text.len;
    s->version++;
    s->flags &= IS_CORE;
    s->flags |= (entry->is_final ? (unsigned)IS_FINAL : 0U) |
                (entry->worker.ptr != NULL ? (unsigned)(HAS_WORKER | IS_OURS) : 0U);
    return MCPW_OK;
}

static mcpw_status list(void *self, mcpw_str principal, mcpw_str after, size_t count, size_t most,
                        mcpw_take_task *take, void *user) {
    (void)principal, (void)count, (void)most;
    if (after.ptr != NULL) {
        return MCPW_E_NOT_FOUND;
    }
    show(self, take, user);
    return MCPW_OK;
}

static mcpw_status remove_entry(void *self, mcpw_str id) {
    (void)self, (void)id;
    return MCPW_OK;
}

static mcpw_status echo(mcpw_request *request, const mcpw_tool_call *call, void *user) {
    (void)user;
    return mcpw_respond_text(request, (mcpw_str){call->arguments.ptr, call->arguments.len});
}

/* Sends a request, and counts its responses. */
static size_t ask(mcpw_session *session, const char *text) {
    mcpw_outgoing message;
    size_t responses = 0;
    FUZZ_SAME(mcpw_session_receive(session, text, strlen(text), NULL), MCPW_OK, "the session takes it");
    while (mcpw_session_next_message(session, &message)) {
        if (message.text.ptr != NULL) {
            const mcpw_json json = mcpw_json_of(message.text.ptr, message.text.len);
            FUZZ_SAME(mcpw_json_check(json, 0, NULL), MCPW_OK, "what is sent is JSON");
            responses += message.kind == MCPW_MESSAGE_RESULT || message.kind == MCPW_MESSAGE_ERROR;
        }
    }
    return responses;
}

static void play_modern(mcpw_session *session) {
    static const char *const requests[] = {
        "\"method\":\"tasks/get\",\"params\":{\"taskId\":\"" ID "\"," MODERN "}",
        "\"method\":\"tasks/update\",\"params\":{\"taskId\":\"" ID
        "\",\"inputResponses\":{\"a\":{\"action\":\"accept\"},\"b\":{}}," MODERN "}",
        "\"method\":\"tasks/get\",\"params\":{\"taskId\":\"" ID "\"," MODERN "}",
        "\"method\":\"tasks/cancel\",\"params\":{\"taskId\":\"" ID "\"," MODERN "}",
        "\"method\":\"tasks/get\",\"params\":{\"taskId\":\"" ID "\"," MODERN "}"};
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        char text[2 * MCPW_ERROR_MESSAGE_SIZE + 1024];
        (void)snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%zu,%s}", i + 1, requests[i]);
        FUZZ_ASSERT(ask(session, text) == 1);
    }
}

static void play_core(mcpw_session *session) {
    static const char *const requests[] = {"\"method\":\"tasks/get\",\"params\":{\"taskId\":\"" ID "\"}",
                                           "\"method\":\"tasks/list\",\"params\":{}",
                                           "\"method\":\"tasks/cancel\",\"params\":{\"taskId\":\"" ID "\"}",
                                           "\"method\":\"tasks/get\",\"params\":{\"taskId\":\"" ID "\"}"};
    FUZZ_ASSERT(ask(session, "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"initialize\",\"params\":{"
                             "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"elicitation\":{}},"
                             "\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}") == 1);
    (void)ask(session, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    /* It may wait, and may ask. */
    FUZZ_ASSERT(ask(session, "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"tasks/result\",\"params\":{"
                             "\"taskId\":\"" ID "\"}}") <= 1);
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        char text[512];
        (void)snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%zu,%s}", i + 1, requests[i]);
        FUZZ_ASSERT(ask(session, text) >= 1);
    }
}

/* A record that is read is written as one that reads alike. */
static void check_record(mcpw_str text) {
    mcpw_task_record record;
    mcpw_task_record again;
    mcpw_buffer out = MCPW_BUFFER_INIT;
    if (mcpw_task_record_read(text, &record) == MCPW_OK) {
        FUZZ_SAME(mcpw_task_record_write(&record, &out), MCPW_OK, "memory");
        FUZZ_SAME(mcpw_task_record_read((mcpw_str){out.data, out.len}, &again), MCPW_OK, "it can be read");
        FUZZ_ASSERT(again.status == record.status && again.created_at == record.created_at &&
                    again.updated_at == record.updated_at && again.ttl_ms == record.ttl_ms);
        for (int i = 0; i < MCPW_TASK_PART_COUNT; i++) {
            FUZZ_ASSERT(mcpw_str_equal(again.parts[i], record.parts[i]));
        }
    }
    mcpw_buffer_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static store s;
    mcpw_tasks_config config = MCPW_TASKS_CONFIG_INIT;
    mcpw_session_config sessions = MCPW_SESSION_CONFIG_INIT;
    const mcpw_tool tool = {
        .struct_size = sizeof(mcpw_tool), .name = "t", .task = MCPW_TASK_OPTIONAL, .call = echo};
    mcpw_error error;
    if (size == 0 || size > MOST) {
        return 0;
    }
    check_record((mcpw_str){(const char *)data + 1, size - 1});
    s = (store){.base = MCPW_TASK_STORE_INIT, .len = size - 1, .flags = data[0], .version = 1};
    memcpy(s.text, data + 1, size - 1);
    s.base.self = &s;
    s.base.worker = own_worker;
    s.base.create = create;
    s.base.read = read_entry;
    s.base.replace = replace;
    s.base.list = list;
    s.base.remove = remove_entry;
    config.store = &s.base;
    config.lists = MCPW_ON;
    mcpw_server *const server = mcpw_server_new("s", "1", &error);
    FUZZ_ASSERT(server != NULL);
    if (mcpw_server_add_tasks(server, &config, &error) == MCPW_OK) { /* else there is no libsodium */
        FUZZ_SAME(mcpw_server_add_tool(server, &tool, &error), MCPW_OK, "a tool");
        sessions.role = MCPW_ROLE_SERVER;
        sessions.server = server;
        sessions.principal = mcpw_str_from("somebody");
        mcpw_session *const session = mcpw_session_new(&sessions, &error);
        FUZZ_ASSERT(session != NULL);
        if ((data[0] & IS_CORE) != 0) {
            play_core(session);
        } else {
            play_modern(session);
        }
        mcpw_session_free(session);
    }
    mcpw_server_free(server);
    return 0;
}
