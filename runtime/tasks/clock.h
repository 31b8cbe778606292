/* SPDX-License-Identifier: MIT */
/* Times and ids of tasks. */
#ifndef MCPW_TASKS_CLOCK_H
#define MCPW_TASKS_CLOCK_H

#include <mcpw/tasks.h>

/* Room for a date: "2026-07-28T12:00:00.000Z" with its NUL. */
enum { MCPW_TASK_DATE_SIZE = 25 };

/* The time in ms since 1970, by the program's clock or by that of the system. */
uint64_t mcpw_tasks_now(uint64_t (*clock)(void *user), void *user);

/* Writes a time as a date of ISO 8601, in UTC. Times after the year 9999 are written as its last one. */
void mcpw_tasks_date(uint64_t time, char out[MCPW_TASK_DATE_SIZE]);

/* Writes a new id of 128 random bits, with a NUL. The status is that of the random numbers. */
MCPW_NODISCARD mcpw_status mcpw_tasks_new_id(char out[MCPW_TASK_ID_LEN + 1]);

#endif
