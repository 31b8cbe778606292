/* SPDX-License-Identifier: MIT */
/* The words of a server about a task. It may be anybody's server, so nothing is taken as given. */
#include "task.h"

static const char *const status_words[] = {"unknown",   "working", "input_required",
                                           "completed", "failed",  "cancelled"};

enum { STATUSES = sizeof status_words / sizeof *status_words };

const char *mcpw_task_status_text(mcpw_task_status status) {
    return (unsigned)status < STATUSES ? status_words[status] : status_words[MCPW_TASK_UNKNOWN];
}

bool mcpw_task_is_final(mcpw_task_status status) { return status >= MCPW_TASK_COMPLETED; }

/* The first bytes of a text, up to a whole character. */
static size_t cut(mcpw_str text, size_t size) {
    size_t len = text.len < size ? text.len : size;
    while (len < text.len && len > 0 && ((unsigned char)text.ptr[len] & 0xC0U) == 0x80U) {
        len--;
    }
    return len;
}

/* A text of the server, of which at most `size` bytes are kept. */
static mcpw_str text_of(mcpw_json said, const char *name, size_t size, mcpw_arena *arena) {
    mcpw_str text;
    if (mcpw_json_get_string(said, name, arena, &text) != MCPW_OK) {
        return mcpw_task_no_str;
    }
    return mcpw_arena_str(arena, text.ptr, cut(text, size));
}

/* A number of ms. A fraction is cut, and what is too great for any clock is the greatest. Else `other`. */
static int64_t number_of(mcpw_json said, const char *name, int64_t other) {
    static const double greatest = 9007199254740991;
    int64_t number = 0;
    double any = 0;
    if (mcpw_json_get_int(said, name, &number) == MCPW_OK) {
        return number;
    }
    if (mcpw_json_get_double(said, name, &any) != MCPW_OK) {
        return other;
    }
    return any > greatest ? INT64_MAX : any < -greatest ? INT64_MIN : (int64_t)any;
}

static mcpw_status read_id(const mcpw_task *task, mcpw_json said, bool created, mcpw_arena *arena,
                           mcpw_str *out, mcpw_error *error) {
    if (mcpw_json_get_string(said, "taskId", arena, out) != MCPW_OK || out->len == 0) {
        return mcpw_error_set(error, MCPW_E_MISSING, 0, "the server's task has no taskId");
    }
    if (out->len > MCPW_MAX_TASK_ID) {
        return mcpw_error_set(error, MCPW_E_SIZE, 0, "the server's taskId has more than %d bytes",
                              MCPW_MAX_TASK_ID);
    }
    if (!created && !mcpw_str_equal(*out, task->last.id)) {
        return mcpw_error_set(error, MCPW_E_VALUE, 0, "the server answered about another task");
    }
    return MCPW_OK;
}

static mcpw_status read_status(mcpw_json said, mcpw_arena *arena, mcpw_task_status *out, mcpw_error *error) {
    mcpw_str word = mcpw_task_no_str;
    *out = MCPW_TASK_UNKNOWN;
    if (mcpw_json_get_string(said, "status", arena, &word) == MCPW_OK) {
        for (int i = MCPW_TASK_WORKING; i < STATUSES; i++) {
            *out = mcpw_str_is(word, status_words[i]) ? (mcpw_task_status)i : *out;
        }
    }
    return *out != MCPW_TASK_UNKNOWN
               ? MCPW_OK
               : mcpw_error_set(error, word.ptr != NULL ? MCPW_E_VALUE : MCPW_E_MISSING, 0,
                                word.ptr != NULL ? "the server's task has an unknown status"
                                                 : "the server's task has no status");
}

/* A final status stays. */
static mcpw_status check_step(const mcpw_task *task, mcpw_task_status next, mcpw_error *error) {
    return !mcpw_task_is_final(task->last.status) || task->last.status == next
               ? MCPW_OK
               : mcpw_error_set(error, MCPW_E_MESSAGE, 0,
                                "the server's task was %s, which is final, and now it is %s",
                                mcpw_task_status_text(task->last.status), mcpw_task_status_text(next));
}

static bool differs(const mcpw_task_state *a, const mcpw_task_state *b) {
    return a->status != b->status || !mcpw_str_equal(a->message, b->message) ||
           !mcpw_str_equal(a->updated_at, b->updated_at);
}

/* Reads all of it into `fresh`, whose texts are in the arena. */
static mcpw_status read_state(const mcpw_task *task, mcpw_json said, bool created, mcpw_arena *arena,
                              mcpw_task_state *fresh, mcpw_error *error) {
    mcpw_status status = read_id(task, said, created, arena, &fresh->id, error);
    status = status == MCPW_OK ? read_status(said, arena, &fresh->status, error) : status;
    status = status == MCPW_OK ? check_step(task, fresh->status, error) : status;
    if (status == MCPW_OK) {
        fresh->message = text_of(said, "statusMessage", MCPW_TASK_MESSAGE_SIZE, arena);
        fresh->created_at = text_of(said, "createdAt", MCPW_TASK_TIME_SIZE, arena);
        fresh->updated_at = text_of(said, "lastUpdatedAt", MCPW_TASK_TIME_SIZE, arena);
        const int64_t ttl = number_of(said, task->is_core ? "ttl" : "ttlMs", -1);
        fresh->ttl_ms = ttl < -1 ? 0 : ttl;
        fresh->interval_ms = number_of(said, task->is_core ? "pollInterval" : "pollIntervalMs", 0);
        status = arena->status == MCPW_OK ? MCPW_OK : mcpw_task_failed(error, MCPW_E_MEMORY);
    }
    return status;
}

mcpw_status mcpw_task_read(mcpw_task *task, mcpw_json said, bool created, bool *changed, mcpw_error *error) {
    mcpw_task_state fresh = {.ttl_ms = -1};
    mcpw_arena arena = MCPW_ARENA_INIT;
    arena.allocator = *mcpw_session_allocator(task->session);
    *changed = false;
    if (created && task->is_core && mcpw_json_get(said, "task", &said) != MCPW_OK) {
        return mcpw_error_set(error, MCPW_E_MISSING, 0, "the server's answer has no task");
    }
    if (mcpw_json_kind_of(said) != MCPW_JSON_OBJECT) {
        return mcpw_error_set(error, MCPW_E_TYPE, 0, "the server's task is no object");
    }
    const mcpw_status status = read_state(task, said, created, &arena, &fresh, error);
    if (status == MCPW_OK && created) {
        task->last.id = mcpw_arena_str(&task->memory, fresh.id.ptr, fresh.id.len);
    }
    if (status != MCPW_OK || task->last.id.ptr == NULL) {
        mcpw_arena_free(&arena);
        return status != MCPW_OK ? status : mcpw_task_failed(error, MCPW_E_MEMORY);
    }
    fresh.id = task->last.id;
    *changed = differs(&task->last, &fresh);
    mcpw_arena_free(&task->said);
    task->said = arena;
    task->last = fresh;
    return MCPW_OK;
}
