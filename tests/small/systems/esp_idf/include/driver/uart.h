/* SPDX-License-Identifier: MIT */
/* Stand-in: see README.md. */
#pragma once
#include <esp_err.h>
#include <freertos/FreeRTOS.h>
#include <freertos/queue.h>
#include <stddef.h>
#define UART_NUM_1 1
#define UART_PIN_NO_CHANGE (-1)
#define UART_DATA_8_BITS 3
#define UART_PARITY_DISABLE 0
#define UART_STOP_BITS_1 1
#define UART_HW_FLOWCTRL_DISABLE 0
typedef enum {
    UART_DATA,
    UART_BREAK,
    UART_BUFFER_FULL,
    UART_FIFO_OVF,
    UART_FRAME_ERR,
    UART_PARITY_ERR
} uart_event_type_t;
typedef struct {
    uart_event_type_t type;
    size_t size;
} uart_event_t;
typedef struct {
    int baud_rate, data_bits, parity, stop_bits, flow_ctrl;
} uart_config_t;
esp_err_t uart_driver_install(int uart, int rx_size, int tx_size, int queue_size, QueueHandle_t *queue,
                              int flags);
esp_err_t uart_param_config(int uart, const uart_config_t *config);
esp_err_t uart_set_pin(int uart, int tx, int rx, int rts, int cts);
int uart_read_bytes(int uart, void *buf, uint32_t length, TickType_t wait);
int uart_write_bytes(int uart, const void *src, size_t size);
esp_err_t uart_flush_input(int uart);
