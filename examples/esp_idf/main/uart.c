/* SPDX-License-Identifier: MIT */
/* The session over UART 1. UART 0 has the log, and what the chip says when it starts. */
#include <driver/uart.h>
#include <freertos/FreeRTOS.h>
#include <freertos/queue.h>

#include "sample.h"
#include "sample_config.h"

enum { WAIT_MS = 100, PIECE = 128, EVENTS = 16, BAUD = 115200, RECEIVE_BUFFER = 2048 };

static bool open_uart(QueueHandle_t *events) {
    const uart_config_t config = {
        .baud_rate = BAUD,
        .data_bits = UART_DATA_8_BITS,
        .parity = UART_PARITY_DISABLE,
        .stop_bits = UART_STOP_BITS_1,
        .flow_ctrl = UART_HW_FLOWCTRL_DISABLE,
    };
    return uart_driver_install(UART_NUM_1, RECEIVE_BUFFER, 0, EVENTS, events, 0) == ESP_OK &&
           uart_param_config(UART_NUM_1, &config) == ESP_OK &&
           uart_set_pin(UART_NUM_1, CONFIG_SENSOR_TX_PIN, CONFIG_SENSOR_RX_PIN, UART_PIN_NO_CHANGE,
                        UART_PIN_NO_CHANGE) == ESP_OK;
}

static void send_output(wire *w) {
    const char *bytes;
    size_t len;
    while ((len = wire_output(w, &bytes)) != 0) {
        (void)uart_write_bytes(UART_NUM_1, bytes, len); /* waits until all of it is in the UART */
        wire_sent(w, len);
    }
}

static void take(wire *w, const char *bytes, size_t len) {
    size_t taken = 0;
    while (taken < len) {
        taken += wire_take(w, bytes + taken, len - taken, sample_now());
        send_output(w);
    }
}

static void take_all(wire *w) {
    char bytes[PIECE];
    int len;
    while ((len = uart_read_bytes(UART_NUM_1, bytes, sizeof bytes, 0)) > 0) {
        take(w, bytes, (size_t)len);
    }
}

static void take_event(wire *w, const uart_event_t *event) {
    const char mark = WIRE_LOST;
    switch (event->type) {
    case UART_DATA:
        take_all(w);
        break;
    case UART_FIFO_OVF:
    case UART_BUFFER_FULL:
    case UART_FRAME_ERR:
    case UART_PARITY_ERR:
        (void)uart_flush_input(UART_NUM_1); /* only this makes the driver receive again */
        take(w, &mark, 1);
        break;
    default:
        break;
    }
}

void sample_serve(wire *w) {
    QueueHandle_t events = NULL;
    if (!open_uart(&events)) {
        sample_log("the UART cannot be had");
        return;
    }
    sample_log("ready");
    for (;;) {
        uart_event_t event;
        if (xQueueReceive(events, &event, pdMS_TO_TICKS(WAIT_MS)) == pdTRUE) {
            take_event(w, &event);
        } else {
            wire_wait(w, sample_now());
            send_output(w);
        }
    }
}
