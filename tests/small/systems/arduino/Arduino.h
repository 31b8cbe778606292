/* SPDX-License-Identifier: MIT */
/* Stand-in: see README.md. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#define A0 14
int analogRead(uint8_t pin);
void delay(unsigned long ms);
unsigned long millis(void);
class HardwareSerial {
  public:
    void begin(unsigned long baud);
    int available();
    int read();
    size_t write(const uint8_t *bytes, size_t len);
};
extern HardwareSerial Serial;
void setup();
void loop();
