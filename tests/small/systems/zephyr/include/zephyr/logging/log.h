/* SPDX-License-Identifier: MIT */
/* Stand-in: see README.md. */
#pragma once
void log_of_stand_in(const char *format, ...);
#define LOG_MODULE_REGISTER(name) extern int log_module_##name
#define LOG_INF(...) log_of_stand_in(__VA_ARGS__)
