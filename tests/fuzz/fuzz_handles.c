/* SPDX-License-Identifier: MIT */
/*
 * Handles of tasks as a client keeps them, and a server that says anything about the task: a text is refused
 * with a reason, or its task is written as a text that names the same task; the task is asked about by its
 * own id, and following it ends at most once.
 *
 * The first byte is odd for a server of 2025-11-25. Then comes the text, and after a zero byte each what the
 * server says next: the result of its next response, or a whole message after a !.
 */
#include "fuzz.h"

#include <mcpw/client_tasks.h>
#include <mcpw/extension.h>
#include <mcpw/json.h>

#define REVISION "2026-07-28"
#define CORE "2025-11-25"

enum { IS_CORE = 1, MOST_STEPS = 24, STEP_MS = 1000, MOST_MESSAGE = 1 << 15, MS_OF_ALL = 1 << 28 };

typedef struct stage {
    mcpw_session *session;
    fuzz_in rest; /* what the server will say */
    uint64_t now;
    mcpw_str id; /* of the task; absent: none yet */
    int ends;    /* of following it */
} stage;

static void on_reply(void *user, mcpw_session *session, const mcpw_reply *reply) {
    stage *const s = user;
    (void)session;
    s->ends++;
    FUZZ_ASSERT(reply->status == MCPW_OK || reply->status == MCPW_E_REMOTE || reply->error != NULL);
}

static void hear(stage *s, const char *text, size_t len) {
    char *const copy = fuzz_copy(text, len); /* so that nothing reads past it */
    (void)!mcpw_session_receive(s->session, copy, len, NULL);
    free(copy);
}

/* The next text after a zero byte. */
static mcpw_str next_said(stage *s) {
    const uint8_t *const end = s->rest.left != 0 ? memchr(s->rest.at, 0, s->rest.left) : NULL;
    const mcpw_str said = fuzz_take(&s->rest, end != NULL ? (size_t)(end - s->rest.at) : s->rest.left);
    (void)fuzz_byte(&s->rest);
    return said;
}

/* Answers a request of the client, after a message of the server's own if that comes first. */
static void answer(stage *s, int64_t id) {
    char text[MOST_MESSAGE];
    mcpw_str said = next_said(s);
    for (int i = 0; said.len != 0 && said.ptr[0] == '!' && i < MOST_STEPS; i++) {
        hear(s, said.ptr + 1, said.len - 1);
        said = next_said(s);
    }
    const int len = snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%lld,\"result\":%.*s}",
                             (long long)id, (int)said.len, said.len != 0 ? said.ptr : "");
    if (len > 0 && (size_t)len < sizeof text) {
        hear(s, text, (size_t)len);
    }
}

/* Takes what the client says. Requests about tasks are about this one. */
static void listen(stage *s) {
    mcpw_outgoing message;
    while (mcpw_session_next_message(s->session, &message)) {
        const mcpw_json json = mcpw_json_of(message.text.ptr, message.text.len);
        mcpw_json params = {NULL, 0, 0};
        int64_t id = 0;
        mcpw_str method = {NULL, 0};
        mcpw_str task;
        mcpw_arena arena = MCPW_ARENA_INIT;
        if (message.text.ptr == NULL) {
            continue;
        }
        FUZZ_SAME(mcpw_json_check(json, 0, NULL), MCPW_OK, "what is sent is JSON");
        if (mcpw_json_get_string(json, "method", &arena, &method) == MCPW_OK && method.len > 6 &&
            memcmp(method.ptr, "tasks/", 6) == 0) {
            FUZZ_SAME(mcpw_json_get(json, "params", &params), MCPW_OK, "it has params");
            FUZZ_SAME(mcpw_json_get_string(params, "taskId", &arena, &task), MCPW_OK, "and an id");
            FUZZ_ASSERT(mcpw_str_equal(task, s->id));
        }
        const bool is_request =
            method.ptr != NULL && mcpw_json_get_int(json, "id", &id) == MCPW_OK && s->id.ptr != NULL;
        mcpw_arena_free(&arena);
        if (is_request) {
            answer(s, id);
        }
    }
}

static bool open_session(stage *s, bool core) {
    static const char discovered[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":"
        "\"private\",\"supportedVersions\":[\"" REVISION "\"],\"capabilities\":{\"tools\":{},\"extensions\":"
        "{\"io.modelcontextprotocol/tasks\":{}}}}}";
    static const char refused[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\"}}";
    static const char initialized[] =
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"protocolVersion\":\"" CORE
        "\",\"capabilities\":{\"tools\":{},\"tasks\":{\"cancel\":{},\"requests\":{\"tools\":{\"call\":{}}}}},"
        "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}";
    FUZZ_SAME(mcpw_session_open(s->session), MCPW_OK, "it opens");
    listen(s);
    hear(s, core ? refused : discovered, strlen(core ? refused : discovered));
    listen(s);
    if (core) {
        hear(s, initialized, strlen(initialized));
        listen(s);
    }
    return mcpw_session_has_tasks(s->session);
}

/* The text of a task. That of a task that is taken up by it is the same text. */
static void check_text(stage *s, mcpw_task *task) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_error error = {0};
    mcpw_str text;
    mcpw_str again;
    const mcpw_status status = mcpw_task_text(task, &arena, &text, &error);
    FUZZ_ASSERT(status == MCPW_OK || status == MCPW_E_SIZE); /* escapes make it longer than what was read */
    if (status == MCPW_OK) {
        FUZZ_ASSERT(text.len <= MCPW_MAX_TASK_TEXT && fuzz_is_one_line(text.ptr, text.len));
        mcpw_task *const other = mcpw_task_resume(s->session, text, &error);
        FUZZ_ASSERT(other != NULL);
        FUZZ_ASSERT(mcpw_str_equal(mcpw_task_last(other).id, mcpw_task_last(task).id));
        FUZZ_ASSERT(mcpw_task_last(other).ttl_ms == mcpw_task_last(task).ttl_ms);
        FUZZ_SAME(mcpw_task_text(other, &arena, &again, &error), MCPW_OK, "its text");
        FUZZ_ASSERT(mcpw_str_equal(text, again));
        mcpw_task_free(other);
    }
    mcpw_arena_free(&arena);
}

static void follow(stage *s, mcpw_task *task) {
    mcpw_task_follow_options options = MCPW_SIZED(mcpw_task_follow_options);
    mcpw_error error = {0};
    options.deadline_ms = MS_OF_ALL / 2;
    FUZZ_SAME(mcpw_task_get(task, NULL, NULL, &error), MCPW_OK, "asking");
    listen(s);
    const mcpw_status status =
        mcpw_task_follow(task, mcpw_find_revision(REVISION), &options, on_reply, s, NULL, &error);
    FUZZ_ASSERT(status == MCPW_OK || error.message[0] != '\0');
    for (int i = 0; status == MCPW_OK && i < MOST_STEPS && s->ends == 0; i++) {
        listen(s);
        s->now += STEP_MS;
        mcpw_session_advance(s->session, s->now);
    }
    listen(s);
    s->now += MS_OF_ALL;
    for (int i = 0; i < MOST_STEPS && s->ends == 0; i++) { /* questions that nobody answers */
        mcpw_session_advance(s->session, s->now);
        listen(s);
        s->now += MS_OF_ALL;
    }
    FUZZ_ASSERT(s->ends == (status == MCPW_OK));
}

static void play(stage *s, mcpw_str text) {
    mcpw_error error = {0};
    char *const copy = fuzz_copy(text.ptr, text.len);
    mcpw_task *const task = mcpw_task_resume(s->session, (mcpw_str){copy, text.len}, &error);
    free(copy);
    if (task == NULL) {
        FUZZ_ASSERT(error.code != MCPW_OK && error.message[0] != '\0');
        return;
    }
    s->id = mcpw_task_last(task).id;
    FUZZ_ASSERT(s->id.len != 0 && s->id.len <= MCPW_MAX_TASK_ID);
    FUZZ_ASSERT(mcpw_task_last(task).status == MCPW_TASK_UNKNOWN);
    char *const id = fuzz_copy(s->id.ptr, s->id.len);
    s->id.ptr = id;
    check_text(s, task);
    follow(s, task);
    mcpw_task_free(task);
    s->id = (mcpw_str){NULL, 0};
    free(id);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    stage s = {.rest = {data, size}};
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    mcpw_error error = {0};
    if (mcpw_find_revision(REVISION) == NULL || mcpw_find_revision(CORE) == NULL) {
        return 0;
    }
    const bool core = (fuzz_byte(&s.rest) & IS_CORE) != 0;
    const mcpw_str text = next_said(&s);
    config.role = MCPW_ROLE_CLIENT;
    config.name = "fuzz";
    config.version = "1";
    FUZZ_SAME(mcpw_client_add_tasks(&config, NULL, &error), MCPW_OK, "tasks");
    s.session = mcpw_session_new(&config, &error);
    FUZZ_ASSERT(s.session != NULL);
    FUZZ_ASSERT(open_session(&s, core));
    play(&s, text);
    mcpw_session_free(s.session);
    mcpw_extensions_free(config.extensions);
    return 0;
}
