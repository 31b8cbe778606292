/* SPDX-License-Identifier: MIT */
/* A sensor that speaks MCP, on Zephyr: the sensor that the board calls die-temp0, or none. */
#include <zephyr/device.h>
#include <zephyr/drivers/sensor.h>
#include <zephyr/kernel.h>
#include <zephyr/logging/log.h>

#include "sample.h"

LOG_MODULE_REGISTER(mcpwire_sensor);

static const struct device *const thermometer = DEVICE_DT_GET_OR_NULL(DT_ALIAS(die_temp0));

bool sample_measure(void *user, int32_t *milli_celsius) {
    struct sensor_value value;
    (void)user;
    if (thermometer == NULL || !device_is_ready(thermometer) || sensor_sample_fetch(thermometer) != 0 ||
        sensor_channel_get(thermometer, SENSOR_CHAN_DIE_TEMP, &value) != 0) {
        return false;
    }
    *milli_celsius = (int32_t)sensor_value_to_milli(&value);
    return true;
}

void sample_log(const char *text) { LOG_INF("%s", text); }

uint64_t sample_now(void) { return (uint64_t)k_uptime_get(); }

int main(void) {
    sample_run();
    return 0;
}
