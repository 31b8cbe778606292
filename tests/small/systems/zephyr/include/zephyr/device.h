/* SPDX-License-Identifier: MIT */
/* Stand-in: see README.md. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
struct device {
    const char *name;
};
extern const struct device device_of_mcpwire_uart, device_of_die_temp0;
#define DT_CHOSEN(name) name
#define DT_ALIAS(name) name
#define DEVICE_OF(node) (&device_of_##node)
#define DEVICE_DT_GET(node) DEVICE_OF(node)
#define DEVICE_DT_GET_OR_NULL(node) DEVICE_OF(node)
bool device_is_ready(const struct device *dev);
