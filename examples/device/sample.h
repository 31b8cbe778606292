/* SPDX-License-Identifier: MIT */
/* The sample's parts that systems share call these, which each system has in files of its own. */
#ifndef DEVICE_SAMPLE_H
#define DEVICE_SAMPLE_H

#include "wire.h"

/* Serves the sensor. Returns when that fails. */
void sample_run(void);

/* Serves the wire by the UART or the network, whichever the options of the sample choose. Returns when that
 * fails. */
void sample_serve(wire *w);

/* Reads the sensor, in thousandths of a degree. false: it does not answer. */
bool sample_measure(void *user, int32_t *milli_celsius);

/* Writes a line to the log. */
void sample_log(const char *text);

/* ms since the system started. */
uint64_t sample_now(void);

#endif
