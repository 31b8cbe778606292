/* SPDX-License-Identifier: MIT */
/* The start of a Cortex-M3, and the UART of QEMU's mps2-an385 (ARM's CMSDK UART). Another board needs another
 * file like this one, and its own memory in board.ld. */
#include "board.h"

#include <stdint.h>
#include <string.h>

enum { UART_BASE = 0x40004000, SENDING_IS_FULL = 1, RECEIVED = 2, ENABLE_BOTH = 3, PAINT = 0xa5, SLACK = 64 };

typedef struct uart {
    volatile uint32_t data;
    volatile uint32_t state;
    volatile uint32_t control;
    volatile uint32_t interrupts;
    volatile uint32_t divider;
} uart;

/* board.ld says where these are. */
extern unsigned char data_image[], data_begin[], data_end[], bss_begin[], bss_end[], stack_begin[],
    stack_end[];

static uart *serial(void) { return (uart *)UART_BASE; }

char board_read(void) {
    while ((serial()->state & RECEIVED) == 0) {
    }
    return (char)serial()->data;
}

void board_write(const char *bytes, size_t len) {
    for (size_t i = 0; i < len; i++) {
        while ((serial()->state & SENDING_IS_FULL) != 0) {
        }
        serial()->data = (unsigned char)bytes[i];
    }
}

/* The stack grows down: what still has the paint was never used. */
static void paint_stack(void) {
    unsigned char *const here = __builtin_frame_address(0);
    memset(stack_begin, PAINT, (size_t)(here - SLACK - stack_begin));
}

size_t board_stack_used(void) {
    const unsigned char *p = stack_begin;
    while (p < stack_end && *p == PAINT) {
        p++;
    }
    return (size_t)(stack_end - p);
}

void start(void);
void fault(void);

void start(void) {
    enum { SHORTEST_DIVIDER = 16 };
    memcpy(data_begin, data_image, (size_t)(data_end - data_begin));
    memset(bss_begin, 0, (size_t)(bss_end - bss_begin));
    paint_stack();
    serial()->divider = SHORTEST_DIVIDER;
    serial()->control = ENABLE_BOTH;
    firmware_run();
    fault();
}

/* Whatever goes wrong ends here; a debugger shows where. */
void fault(void) {
    for (;;) {
    }
}

/* The beginning of the vector table: the stack, the start, and what becomes of faults. */
typedef void (*vector)(void);
__attribute__((section(".vectors"), used)) static const struct {
    void *stack;
    vector handlers[15];
} vectors = {stack_end,
             {start, fault, fault, fault, fault, fault, 0, 0, 0, 0, fault, fault, 0, fault, fault}};
