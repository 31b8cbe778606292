/* SPDX-License-Identifier: MIT */
/*
 * A client that has several tasks at once: it calls the tool `bake` for each bread, follows the tasks, prints
 * how they stand, and prints each result when it is there.
 *
 *     example_baker [-d MS] BREAD... -- SERVER [ARGUMENT]...
 *     example_baker rye wheat spelt -- ./example_oven
 *
 * With -d, a bread that is not ready after MS milliseconds is cancelled.
 * Exits with 0, with 1 when a bread was not baked, with 2 when it is used wrongly.
 */
#include <mcp/client.h>
#include <mcpw/extension.h>
#include <mcpw/json.h>

#include <stdio.h>
#include <stdlib.h>

enum { MOST_BREADS = 16, WAIT_MS = 1000 };

typedef struct bread {
    const char *name;
    struct baker *baker;
    mcpw_task *task; /* NULL: the server has answered at once, or not yet */
} bread;

typedef struct baker {
    bread breads[MOST_BREADS];
    size_t count;
    size_t open;   /* breads that are not there yet */
    bool has_lost; /* one of them never will be */
    uint64_t deadline_ms;
} baker;

static void lose(bread *b, const char *why) {
    printf("%s: %s\n", b->name, why);
    b->baker->has_lost = true;
    b->baker->open--;
}

/* ---- What comes back ---- */

static void on_cancelled(void *user, mcpw_session *session, mcpw_status status, const mcpw_task_state *state,
                         const mcpw_error *error) {
    bread *const b = user;
    (void)session;
    (void)state;
    lose(b, status == MCPW_OK ? "cancelled" : error->message);
}

static void on_result(void *user, mcpw_session *session, const mcpw_reply *reply) {
    bread *const b = user;
    mcpw_error error;
    (void)session;
    if (reply->status == MCPW_E_TIMEOUT && mcpw_task_cancel(b->task, on_cancelled, b, &error) == MCPW_OK) {
        return; /* it has taken too long */
    }
    if (reply->status != MCPW_OK) {
        lose(b, mcpw_status_text(reply->status));
        return;
    }
    const mcp_call_tool_result *const result = mcp_reply_tools_call(reply);
    const mcp_content_block *const block = result->content.count != 0 ? result->content.items : NULL;
    if (block != NULL && block->kind == MCP_CONTENT_BLOCK_TEXT_CONTENT) {
        const mcpw_str text = block->as.text_content.text;
        printf("%s: %.*s\n", b->name, (int)text.len, text.ptr);
    }
    b->baker->has_lost = b->baker->has_lost || result->is_error.value;
    b->baker->open--;
}

static void on_status(void *user, mcpw_session *session, const mcpw_task_state *state) {
    const bread *const b = user;
    (void)session;
    printf("%s is %s", b->name, mcpw_task_status_text(state->status));
    if (state->message.ptr != NULL) { /* a host shows it in printable form only */
        printf(": %.*s", (int)state->message.len, state->message.ptr);
    }
    printf("\n");
}

/* The call has become a task, or was answered. */
static void on_task(void *user, mcpw_session *session, mcpw_task *task, const mcpw_reply *reply) {
    bread *const b = user;
    mcpw_task_follow_options options = MCPW_SIZED(mcpw_task_follow_options);
    mcpw_error error;
    if (task == NULL) {
        on_result(b, session, reply);
        return;
    }
    b->task = task;
    options.deadline_ms = b->baker->deadline_ms;
    options.on_status = on_status;
    if (mcpw_task_follow(task, &mcp_revision, &options, on_result, b, NULL, &error) != MCPW_OK) {
        lose(b, error.message);
    }
}

/* ---- What is asked for ---- */

static mcpw_status bake(mcpw_session *session, bread *b, mcpw_error *error) {
    mcpw_arena arena = MCPW_ARENA_INIT;
    mcpw_buffer text = mcpw_buffer_in(&arena);
    mcpw_json_writer w;
    mcp_call_tool_request_params params = {.name = MCPW_STR("bake")};
    mcpw_json_write_into(&w, &text);
    mcpw_json_write_object(&w);
    mcpw_json_write_key(&w, "bread");
    mcpw_json_write_string(&w, b->name, strlen(b->name));
    mcpw_json_write_close(&w);
    mcpw_status status = mcpw_json_write_end(&w, &params.arguments);
    if (status == MCPW_OK) {
        status = mcpw_session_call_task(session, &mcp_revision, &params, NULL, on_task, b, NULL, error);
    }
    b->baker->open += status == MCPW_OK;
    mcpw_arena_free(&arena);
    return status;
}

static mcpw_status run(mcpw_client *client, baker *all, mcpw_error *error) {
    mcpw_status status = MCPW_OK;
    for (size_t i = 0; status == MCPW_OK && i < all->count; i++) {
        status = bake(mcpw_client_session(client), &all->breads[i], error);
    }
    while (status == MCPW_OK && all->open != 0) {
        status = mcpw_client_wait(client, WAIT_MS, error);
        status = status == MCPW_E_TIMEOUT ? MCPW_OK : status;
    }
    for (size_t i = 0; i < all->count; i++) {
        mcpw_task_free(all->breads[i].task); /* before its session */
    }
    return status;
}

/* Takes the breads, and the command after them; NULL: the arguments are wrong. */
static const char *const *take_arguments(baker *all, char **argv) {
    if (*argv != NULL && strcmp(*argv, "-d") == 0 && argv[1] != NULL) {
        all->deadline_ms = strtoull(argv[1], NULL, 10);
        argv += 2;
    }
    for (; *argv != NULL && strcmp(*argv, "--") != 0; argv++) {
        if (all->count == MOST_BREADS) {
            return NULL;
        }
        all->breads[all->count++] = (bread){.name = *argv, .baker = all};
    }
    return all->count != 0 && *argv != NULL && argv[1] != NULL ? (const char *const *)(argv + 1) : NULL;
}

int main(int argc, char **argv) {
    mcpw_session_config config = MCPW_SESSION_CONFIG_INIT;
    baker all = {.count = 0};
    mcpw_error error;
    const mcpw_spawn spawn = {.argv = argc > 1 ? take_arguments(&all, argv + 1) : NULL};
    if (spawn.argv == NULL) {
        fprintf(stderr, "usage: %s [-d MS] BREAD... -- SERVER [ARGUMENT]...\n", argv[0]);
        return 2;
    }
    config.name = "baker";
    config.version = "1.0.0";
    mcpw_status status = mcpw_client_add_tasks(&config, NULL, &error);
    mcpw_client *const client = status == MCPW_OK ? mcpw_client_start(&spawn, &config, &error) : NULL;
    status = client != NULL ? run(client, &all, &error) : error.code;
    if (status != MCPW_OK) {
        fprintf(stderr, "baker: %s\n", error.message);
    }
    mcpw_client_free(client);
    mcpw_extensions_free(config.extensions);
    return status == MCPW_OK && !all.has_lost ? 0 : 1;
}
