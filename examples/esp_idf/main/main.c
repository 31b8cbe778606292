/* SPDX-License-Identifier: MIT */
/* A sensor that speaks MCP, on ESP-IDF: the thermometer inside the chip, which most targets but the ESP32
 * have. */
#include <driver/temperature_sensor.h>
#include <esp_log.h>
#include <esp_timer.h>

#include "sample.h"

enum { COLDEST = -10, HOTTEST = 80, US_PER_MS = 1000 };

static temperature_sensor_handle_t thermometer;

bool sample_measure(void *user, int32_t *milli_celsius) {
    float celsius = 0;
    (void)user;
    if (thermometer == NULL || temperature_sensor_get_celsius(thermometer, &celsius) != ESP_OK) {
        return false;
    }
    *milli_celsius = (int32_t)(celsius * 1000);
    return true;
}

void sample_log(const char *text) { ESP_LOGI("sensor", "%s", text); }

uint64_t sample_now(void) { return (uint64_t)esp_timer_get_time() / US_PER_MS; }

void app_main(void) {
    const temperature_sensor_config_t config = TEMPERATURE_SENSOR_CONFIG_DEFAULT(COLDEST, HOTTEST);
    if (temperature_sensor_install(&config, &thermometer) != ESP_OK ||
        temperature_sensor_enable(thermometer) != ESP_OK) {
        thermometer = NULL; /* calls of the tool say that it does not answer */
    }
    sample_run();
}
