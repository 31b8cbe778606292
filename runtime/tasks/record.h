/* SPDX-License-Identifier: MIT */
/*
 * The record of a task, and its text in a store. The text is lines:
 *
 *     mcpw-task 1
 *     w0 1785240000000 1785240000000 3600000 1000
 *     p42:{"name":"report","arguments":{"year":2026}}
 *     q...
 *
 * The first line has the version of the form. The second has the status (w i c f x), whether the tool has
 * failed, the times of creation and of the last change, the time to live and the polling interval, all in ms.
 * Each further line is a part: a letter, the length of its bytes, a colon and the bytes. A part stands at
 * most once. A text that somebody else has written is read safely: a broken one is refused, and the JSON of a
 * part is checked when it is used.
 */
#ifndef MCPW_TASKS_RECORD_H
#define MCPW_TASKS_RECORD_H

#include <mcpw/arena.h>

typedef enum mcpw_record_status {
    MCPW_RECORD_WORKING,
    MCPW_RECORD_INPUT_REQUIRED,
    MCPW_RECORD_COMPLETED,
    MCPW_RECORD_FAILED,
    MCPW_RECORD_CANCELLED,
    MCPW_RECORD_STATUS_COUNT
} mcpw_record_status;

/* The parts of a record. All but the message are JSON. */
typedef enum mcpw_task_part {
    MCPW_TASK_PARAMS,       /* of the call, an object; without _meta, task, inputResponses, requestState */
    MCPW_TASK_CAPABILITIES, /* of the client, an object */
    MCPW_TASK_INFO,         /* of the client, an object */
    MCPW_TASK_ANSWERS,      /* to input requests so far, an object by key */
    MCPW_TASK_QUESTIONS,    /* input requests without an answer, an object by key */
    MCPW_TASK_STATE,        /* of the handler when the call became a task, any value */
    MCPW_TASK_RESULT,       /* an object */
    MCPW_TASK_ERROR,        /* an object with code and message */
    MCPW_TASK_META,         /* of the client, an object: what is not of the protocol */
    MCPW_TASK_SEALED,       /* requestState of the last run, a string */
    MCPW_TASK_MESSAGE,      /* the state in words, a text */
    MCPW_TASK_PART_COUNT
} mcpw_task_part;

/* No end of the time to live. */
#define MCPW_TASK_FOR_EVER UINT64_MAX

typedef struct mcpw_task_record {
    mcpw_record_status status;
    bool is_tool_error; /* the result has isError */
    uint64_t created_at;
    uint64_t updated_at;
    uint64_t ttl_ms;
    uint64_t poll_interval_ms;
    mcpw_str parts[MCPW_TASK_PART_COUNT]; /* absent: there is none */
} mcpw_task_record;

static inline bool mcpw_record_is_final(mcpw_record_status status) { return status >= MCPW_RECORD_COMPLETED; }

static inline mcpw_json mcpw_task_json(const mcpw_task_record *record, mcpw_task_part part) {
    return mcpw_json_of(record->parts[part].ptr, record->parts[part].len);
}

/* Reads a text. The parts point into it. MCPW_E_VERSION: a newer version has written it. MCPW_E_FORMAT: it is
 * broken. */
MCPW_NODISCARD mcpw_status mcpw_task_record_read(mcpw_str text, mcpw_task_record *record);

/* Appends the text of a record. MCPW_E_MEMORY. */
MCPW_NODISCARD mcpw_status mcpw_task_record_write(const mcpw_task_record *record, mcpw_buffer *out);

/* When the store forgets the task, in ms since 1970. */
uint64_t mcpw_task_record_expires_at(const mcpw_task_record *record);

#endif
