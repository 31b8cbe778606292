/* SPDX-License-Identifier: MIT */
/* Tasks as JSON, in both forms that the protocol has. */
#include "clock.h"
#include "keeper.h"

static const char *const status_names[MCPW_RECORD_STATUS_COUNT] = {"working", "input_required", "completed",
                                                                   "failed", "cancelled"};

static void put_text(mcpw_json_writer *w, const char *key, mcpw_str value) {
    mcpw_json_write_key(w, key);
    mcpw_json_write_string(w, value.ptr, value.len);
}

/* The times of a task. Many have never changed, so both are one. */
static void put_times(mcpw_json_writer *w, const mcpw_task_record *record) {
    char date[MCPW_TASK_DATE_SIZE];
    mcpw_tasks_date(record->created_at, date);
    put_text(w, "createdAt", (mcpw_str){date, sizeof date - 1});
    if (record->updated_at != record->created_at) {
        mcpw_tasks_date(record->updated_at, date);
    }
    put_text(w, "lastUpdatedAt", (mcpw_str){date, sizeof date - 1});
}

static void put_number(mcpw_json_writer *w, const char *key, uint64_t value) {
    mcpw_json_write_key(w, key);
    if (value > INT64_MAX) {
        mcpw_json_write_null(w);
    } else {
        mcpw_json_write_int(w, (int64_t)value);
    }
}

void mcpw_task_write(mcpw_json_writer *w, mcpw_str id, const mcpw_task_record *record, bool core) {
    /* In the core an error of the tool is a failure, in the extension it is a result. */
    const bool is_failed = core && record->status == MCPW_RECORD_COMPLETED && record->is_tool_error;
    const mcpw_record_status status = is_failed ? MCPW_RECORD_FAILED : record->status;
    put_text(w, "taskId", id);
    put_text(w, "status", mcpw_str_from(status_names[status]));
    if (record->parts[MCPW_TASK_MESSAGE].ptr != NULL) {
        put_text(w, "statusMessage", record->parts[MCPW_TASK_MESSAGE]);
    }
    put_times(w, record);
    put_number(w, core ? "ttl" : "ttlMs", record->ttl_ms);
    put_number(w, core ? "pollInterval" : "pollIntervalMs", record->poll_interval_ms);
}

void mcpw_task_write_detailed(mcpw_json_writer *w, mcpw_str id, const mcpw_task_record *record) {
    static const struct {
        mcpw_record_status status;
        mcpw_task_part part;
        const char *key;
    } details[] = {{MCPW_RECORD_INPUT_REQUIRED, MCPW_TASK_QUESTIONS, "inputRequests"},
                   {MCPW_RECORD_COMPLETED, MCPW_TASK_RESULT, "result"},
                   {MCPW_RECORD_FAILED, MCPW_TASK_ERROR, "error"}};
    mcpw_task_write(w, id, record, false);
    for (size_t i = 0; i < sizeof details / sizeof *details; i++) {
        if (record->status == details[i].status) {
            mcpw_json_write_key(w, details[i].key);
            mcpw_json_write_raw(w, mcpw_task_json(record, details[i].part));
        }
    }
}

void mcpw_task_write_related(mcpw_json_writer *w, mcpw_str id) {
    mcpw_json_write_object(w);
    mcpw_json_write_key(w, "io.modelcontextprotocol/related-task");
    mcpw_json_write_object(w);
    put_text(w, "taskId", id);
    mcpw_json_write_close(w);
    mcpw_json_write_close(w);
}
