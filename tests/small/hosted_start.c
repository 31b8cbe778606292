/* SPDX-License-Identifier: MIT */
/* Runs the program of a device (bare.h) on a machine that has an operating system. */
#include <stdio.h>

#include "bare.h"

void say(const char *text) { (void)fputs(text, stdout); }

int main(void) { return read_messages(); }
