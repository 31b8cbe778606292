/* SPDX-License-Identifier: MIT */
/* A sensor of temperature as the tool `read`. */
#ifndef DEVICE_SENSOR_H
#define DEVICE_SENSOR_H

#include <mcpw/server.h>

typedef struct sensor {
    bool (*measure)(void *user, int32_t *milli_celsius); /* false: the sensor does not answer */
    void *user;
    int64_t readings; /* so far */
} sensor;

/* Adds the tool. The sensor must outlive the server. */
mcpw_status sensor_add(mcpw_server *server, sensor *s);

#endif
