/* SPDX-License-Identifier: MIT */
/* Stand-in: see README.md. */
#pragma once
#include <freertos/FreeRTOS.h>
typedef struct queue_of_stand_in *QueueHandle_t;
BaseType_t xQueueReceive(QueueHandle_t queue, void *item, TickType_t wait);
