/* SPDX-License-Identifier: MIT */
/* Stand-in: see README.md. */
#pragma once
#include <esp_err.h>
typedef struct temperature_sensor_obj_t *temperature_sensor_handle_t;
typedef struct {
    int range_min, range_max;
} temperature_sensor_config_t;
#define TEMPERATURE_SENSOR_CONFIG_DEFAULT(min, max)                                                          \
    { .range_min = (min), .range_max = (max) }
esp_err_t temperature_sensor_install(const temperature_sensor_config_t *config,
                                     temperature_sensor_handle_t *ret);
esp_err_t temperature_sensor_enable(temperature_sensor_handle_t tsens);
esp_err_t temperature_sensor_get_celsius(temperature_sensor_handle_t tsens, float *out_celsius);
