/* SPDX-License-Identifier: MIT */
#include "sample.h"
#include "tcp.h"

void sample_serve(wire *w) { tcp_serve(w, CONFIG_SENSOR_PORT, sample_now); }
