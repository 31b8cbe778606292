/* SPDX-License-Identifier: MIT */
/* Starts a program on a device without an operating system. It speaks by system calls of Linux, which is what
 * qemu-arm plays; there is no C library's start-up code around it. */
#include <string.h>

#include "bare.h"

enum { SYS_EXIT = 1, SYS_WRITE = 4, STANDARD_OUTPUT = 1 };

static long system_call(long number, long first, const char *second, size_t third) {
    register long r7 __asm__("r7") = number;
    register long r0 __asm__("r0") = first;
    register const char *r1 __asm__("r1") = second;
    register size_t r2 __asm__("r2") = third;
    __asm__ volatile("svc 0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2) : "memory");
    return r0;
}

void say(const char *text) { (void)system_call(SYS_WRITE, STANDARD_OUTPUT, text, strlen(text)); }

void _start(void);

void _start(void) {
    const int status = read_messages();
    for (;;) {
        (void)system_call(SYS_EXIT, status, NULL, 0);
    }
}
