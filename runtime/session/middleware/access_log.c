/* SPDX-License-Identifier: MIT */
/* middleware/: the middleware that comes with the library, over <mcpw/extension.h>. */
/* One line for each request: what it was and how it ended, but nothing that it contained. */
#include <mcpw/middleware.h>

#include <mcpw/json.h>

#include "../support/text.h"

enum { MOST_NAME = 128 /* bytes of a tool's name */ };

/* A request in the log. */
typedef struct entry {
    uint64_t begun;
    mcpw_str tool;
    const char *outcome; /* NULL: there was no response */
    int64_t code;
} entry;

static uint64_t time_of(const mcpw_access_log *log) { return log->now != NULL ? log->now(log->user) : 0; }

static mcpw_status before(mcpw_passage *passage, void *user) {
    entry *const e = mcpw_arena_alloc(mcpw_passage_arena(passage), sizeof *e);
    mcpw_json params = {NULL, 0, 0};
    if (e == NULL) {
        return MCPW_E_MEMORY;
    }
    *e = (entry){.begun = time_of(user)};
    if (mcpw_str_is(mcpw_passage_method(passage), "tools/call")) {
        params = mcpw_passage_params(passage);
    }
    if (params.ptr != NULL &&
        (mcpw_json_get_string(params, "name", mcpw_passage_arena(passage), &e->tool) != MCPW_OK ||
         e->tool.len > MOST_NAME)) {
        e->tool = (mcpw_str){NULL, 0};
    }
    *mcpw_passage_state(passage) = e;
    return MCPW_OK;
}

static mcpw_status after(mcpw_passage *passage, void *user) {
    entry *const e = *mcpw_passage_state(passage);
    const mcpw_rpc_error *const error = mcpw_passage_error(passage);
    const mcpw_json result = mcpw_passage_result(passage);
    mcpw_json found;
    bool is_error = false;
    (void)user;
    if (error == NULL && mcpw_json_get(result, "isError", &found) == MCPW_OK &&
        mcpw_json_bool(found, &is_error) != MCPW_OK) {
        is_error = false;
    }
    e->outcome = error != NULL ? "error" : is_error ? "tool_error" : "ok";
    e->code = error != NULL ? error->code : 0;
    return MCPW_OK;
}

static void ended(mcpw_passage *passage, void *user) {
    const mcpw_access_log *const log = user;
    const entry *const e = *mcpw_passage_state(passage);
    mcpw_text text = {mcpw_buffer_in(mcpw_passage_arena(passage)), MCPW_OK};
    if (e == NULL) {
        return; /* there was no memory for it */
    }
    const mcpw_str principal = mcpw_request_principal(mcpw_passage_request(passage));
    mcpw_text_object(&text);
    mcpw_text_member(&text, "method", mcpw_passage_method(passage));
    if (e->tool.ptr != NULL) {
        mcpw_text_member(&text, "tool", e->tool);
    }
    if (log->now != NULL) {
        mcpw_text_key(&text, "ms");
        mcpw_text_int(&text, (int64_t)(time_of(log) - e->begun));
    }
    mcpw_text_member(&text, "outcome", mcpw_str_from(e->outcome != NULL ? e->outcome : "cancelled"));
    if (e->code != 0) {
        mcpw_text_key(&text, "code");
        mcpw_text_int(&text, e->code);
    }
    if (principal.ptr != NULL) {
        mcpw_text_member(&text, "principal", principal);
    }
    mcpw_text_object_end(&text);
    const mcpw_json line = mcpw_text_get(&text);
    if (line.ptr != NULL) {
        log->write(log->user, (mcpw_str){line.ptr, line.len});
    }
}

mcpw_middleware mcpw_access_log_middleware(mcpw_access_log *log) {
    return (mcpw_middleware){.name = "access log",
                             .passes = MCPW_PASS_RECEIVED_REQUESTS,
                             .before = before,
                             .after = after,
                             .ended = ended,
                             .user = log};
}
