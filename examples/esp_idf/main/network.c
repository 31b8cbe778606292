/* SPDX-License-Identifier: MIT */
/* The session over TCP, by the Wi-Fi or the Ethernet that the options of protocol_examples_common name. */
#include <esp_event.h>
#include <esp_netif.h>
#include <nvs_flash.h>
#include <protocol_examples_common.h>

#include "sample.h"
#include "sample_config.h"
#include "tcp.h"

void sample_serve(wire *w) {
    if (nvs_flash_init() != ESP_OK || esp_netif_init() != ESP_OK ||
        esp_event_loop_create_default() != ESP_OK || example_connect() != ESP_OK) {
        sample_log("there is no network");
        return;
    }
    tcp_serve(w, CONFIG_SENSOR_PORT, sample_now);
}
