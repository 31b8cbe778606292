/* SPDX-License-Identifier: MIT */
/* The start of a Cortex-M3, its clock, and two UARTs of QEMU's mps2-an385 (ARM's CMSDK UART). Another board
 * needs another file like this one, and its own memory in board.ld. */
#include "board.h"

#include <string.h>

enum {
    SESSION_BASE = 0x40004000, /* UART 0, */
    LOG_BASE = 0x40005000,     /* UART 1 */
    SHORTEST_DIVIDER = 16,
    SENDING_IS_FULL = 1, /* of state */
    RECEIVED = 2,
    OVERRUN = 8,
    CAN_SEND = 1, /* of control */
    CAN_RECEIVE = 2,
    INTERRUPTS_ON_RECEIVED = 8,
    RECEIVED_INTERRUPT = 2, /* of interrupts */

    CLOCK_BASE = 0xe000e010, /* SysTick */
    CLOCK_RUNS = 7,          /* with interrupts, by the processor's clock */
    CLOCKS_PER_TICK = 250000,
    MS_PER_TICK = 10,

    PAINT = 0xa5,
    SLACK = 64,
    RING = 256 /* bytes; a power of two */
};

typedef struct uart {
    volatile uint32_t data;
    volatile uint32_t state;
    volatile uint32_t control;
    volatile uint32_t interrupts;
    volatile uint32_t divider;
} uart;

typedef struct clock {
    volatile uint32_t control;
    volatile uint32_t reload;
    volatile uint32_t value;
} clock;

/* Bytes that have come and that nobody has taken. Only interrupts move `in`, and only the program moves
 * `out`. */
static struct {
    volatile size_t in;
    volatile size_t out;
    volatile bool has_lost; /* BOARD_LOST has to follow */
    char bytes[RING];
} ring;
static volatile uint32_t ticks;

/* board.ld says where these are. */
extern unsigned char data_image[], data_begin[], data_end[], bss_begin[], bss_end[], stack_begin[],
    stack_end[];

static uart *uart_at(uint32_t base) { return (uart *)base; } /* NOLINT: an address of the board */

static void hold_interrupts(void) { __asm volatile("cpsid i" ::: "memory"); }

static void allow_interrupts(void) { __asm volatile("cpsie i" ::: "memory"); }

static bool has_room(void) { return ring.in - ring.out < RING; }

static void put(char byte) {
    ring.bytes[ring.in % RING] = byte;
    ring.in++;
}

/* Takes bytes out of the UART, with interrupts held. A full ring leaves them there: the UART then says
 * whether it has lost any. */
static void drain(void) {
    uart *const serial = uart_at(SESSION_BASE);
    if ((serial->state & OVERRUN) != 0) {
        serial->state = OVERRUN; /* which clears it */
        ring.has_lost = true;
    }
    if (ring.has_lost && has_room()) {
        put(BOARD_LOST);
        ring.has_lost = false;
    }
    while ((serial->state & RECEIVED) != 0 && has_room()) {
        put((char)serial->data);
    }
}

static void on_received(void) {
    uart_at(SESSION_BASE)->interrupts = RECEIVED_INTERRUPT; /* which clears it */
    drain();
}

static void on_tick(void) { ticks++; }

size_t board_receive(char *bytes, size_t capacity) {
    size_t len = 0;
    hold_interrupts();
    if (ring.in == ring.out) {
        __asm volatile("wfi" ::: "memory"); /* an interrupt ends this, held or not */
    }
    allow_interrupts();
    while (len < capacity && ring.out != ring.in) {
        bytes[len++] = ring.bytes[ring.out % RING];
        ring.out++;
    }
    hold_interrupts(); /* there is room again for what the UART had to keep */
    drain();
    allow_interrupts();
    return len;
}

char board_read(void) {
    char byte;
    while (board_receive(&byte, 1) == 0) {
    }
    return byte;
}

static void send(uart *to, const char *bytes, size_t len) {
    for (size_t i = 0; i < len; i++) {
        while ((to->state & SENDING_IS_FULL) != 0) {
        }
        to->data = (unsigned char)bytes[i];
    }
}

void board_write(const char *bytes, size_t len) { send(uart_at(SESSION_BASE), bytes, len); }

void board_log(const char *text) {
    send(uart_at(LOG_BASE), text, strlen(text));
    send(uart_at(LOG_BASE), "\n", 1);
}

uint64_t board_now(void) { return (uint64_t)ticks * MS_PER_TICK; } /* goes back after 497 days */

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

static void start_devices(void) {
    enum { INTERRUPTS_BASE = 0xe000e100, OF_SESSION = 1 }; /* the NVIC, and UART 0 there */
    clock *const systick = (clock *)CLOCK_BASE;
    uart_at(SESSION_BASE)->divider = SHORTEST_DIVIDER;
    uart_at(SESSION_BASE)->control = CAN_SEND | CAN_RECEIVE | INTERRUPTS_ON_RECEIVED;
    uart_at(LOG_BASE)->divider = SHORTEST_DIVIDER;
    uart_at(LOG_BASE)->control = CAN_SEND;
    *(volatile uint32_t *)INTERRUPTS_BASE = OF_SESSION;
    systick->reload = CLOCKS_PER_TICK - 1;
    systick->value = 0;
    systick->control = CLOCK_RUNS;
}

void start(void);
void fault(void);

void start(void) {
    memcpy(data_begin, data_image, (size_t)(data_end - data_begin));
    memset(bss_begin, 0, (size_t)(bss_end - bss_begin));
    paint_stack();
    start_devices();
    firmware_run();
    fault();
}

/* Whatever goes wrong ends here; a debugger shows where. */
void fault(void) {
    for (;;) {
    }
}

/* The beginning of the vector table: the stack, the start, faults, the clock, and the first UART. */
typedef void (*vector)(void);
__attribute__((section(".vectors"), used)) static const struct {
    void *stack;
    vector handlers[16];
} vectors = {
    stack_end,
    {start, fault, fault, fault, fault, fault, 0, 0, 0, 0, fault, fault, 0, fault, on_tick, on_received}};
