/* SPDX-License-Identifier: MIT */
/* Stand-in: see README.md. */
#pragma once
#include <stdint.h>
typedef uint32_t TickType_t;
typedef int BaseType_t;
#define pdTRUE 1
#define pdMS_TO_TICKS(ms) ((TickType_t)(ms) / 10)
