/* SPDX-License-Identifier: MIT */
/* Stand-in: see README.md. */
#pragma once
#include <stdint.h>
struct ring_buf {
    uint8_t *buffer;
    uint32_t size;
};
#define RING_BUF_DECLARE(name, bytes)                                                                        \
    static uint8_t name##_data[bytes];                                                                       \
    struct ring_buf name = {name##_data, bytes}
uint32_t ring_buf_put(struct ring_buf *buf, const uint8_t *data, uint32_t size);
uint32_t ring_buf_get(struct ring_buf *buf, uint8_t *data, uint32_t size);
