/* SPDX-License-Identifier: MIT */
/* Stand-in: see README.md. */
#pragma once
#include <zephyr/device.h>
struct sensor_value {
    int32_t val1, val2;
};
enum sensor_channel { SENSOR_CHAN_DIE_TEMP = 12 };
int sensor_sample_fetch(const struct device *dev);
int sensor_channel_get(const struct device *dev, enum sensor_channel chan, struct sensor_value *val);
int64_t sensor_value_to_milli(const struct sensor_value *val);
