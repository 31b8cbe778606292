/* SPDX-License-Identifier: MIT */
/* The defaults of examples/device/Kconfig, with memory for pointers of 64 bits. */
#define CONFIG_SENSOR_MEMORY 65536
#define CONFIG_SENSOR_LINE 1024
#define CONFIG_SENSOR_QUIET_MS 500
