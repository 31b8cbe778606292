/* SPDX-License-Identifier: MIT */
/* The session over a UART: interrupts put bytes into a ring, and the thread takes them out. */
#include <zephyr/device.h>
#include <zephyr/drivers/uart.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/ring_buffer.h>

#include "sample.h"

enum { WAIT_MS = 100, PIECE = 32, RING = 512 };

static const struct device *const uart = DEVICE_DT_GET(DT_CHOSEN(mcpwire_uart));
RING_BUF_DECLARE(ring, RING);
static K_SEM_DEFINE(came, 0, 1);

/* Puts bytes into the ring, after a mark where some were lost before them. */
static void put(const uint8_t *bytes, uint32_t len, bool *has_lost) {
    const uint8_t mark = (uint8_t)WIRE_LOST;
    if (*has_lost && ring_buf_put(&ring, &mark, 1) == 1) {
        *has_lost = false;
    }
    if (*has_lost || ring_buf_put(&ring, bytes, len) < len) {
        *has_lost = true;
    }
}

static void on_uart(const struct device *from, void *user) {
    bool *const has_lost = user;
    while (uart_irq_update(from) != 0 && uart_irq_rx_ready(from) > 0) {
        uint8_t bytes[PIECE];
        const int len = uart_fifo_read(from, bytes, sizeof bytes);
        if ((uart_err_check(from) & UART_ERROR_OVERRUN) != 0) {
            *has_lost = true;
        }
        if (len <= 0) {
            break;
        }
        put(bytes, (uint32_t)len, has_lost);
        k_sem_give(&came);
    }
}

static void send_output(wire *w) {
    const char *bytes;
    size_t len;
    while ((len = wire_output(w, &bytes)) != 0) {
        for (size_t i = 0; i < len; i++) {
            uart_poll_out(uart, (unsigned char)bytes[i]);
        }
        wire_sent(w, len);
    }
}

void sample_serve(wire *w) {
    static bool has_lost; /* the interrupt's own */
    if (!device_is_ready(uart) || uart_irq_callback_user_data_set(uart, on_uart, &has_lost) != 0) {
        sample_log("the UART is not ready, or has no interrupts");
        return;
    }
    uart_irq_rx_enable(uart);
    sample_log("ready");
    for (;;) {
        uint8_t bytes[PIECE];
        const uint32_t len = ring_buf_get(&ring, bytes, sizeof bytes);
        for (uint32_t taken = 0; taken < len;) {
            taken += (uint32_t)wire_take(w, (const char *)bytes + taken, len - taken, sample_now());
            send_output(w);
        }
        if (len == 0 && k_sem_take(&came, K_MSEC(WAIT_MS)) != 0) {
            wire_wait(w, sample_now());
            send_output(w);
        }
    }
}
