/* SPDX-License-Identifier: MIT */
/* Stand-in: see README.md. */
#pragma once
#include <stdint.h>
typedef struct {
    int64_t ticks;
} k_timeout_t;
struct k_sem {
    unsigned count, limit;
};
#define K_MSEC(ms) ((k_timeout_t){(ms)})
#define K_SEM_DEFINE(name, initial, most) struct k_sem name = {initial, most}
int k_sem_take(struct k_sem *sem, k_timeout_t timeout);
void k_sem_give(struct k_sem *sem);
int64_t k_uptime_get(void);
