/* SPDX-License-Identifier: MIT */
/* Stand-in: see README.md. */
#pragma once
void log_of_stand_in(const char *tag, const char *format, ...);
#define ESP_LOGI(tag, ...) log_of_stand_in(tag, __VA_ARGS__)
