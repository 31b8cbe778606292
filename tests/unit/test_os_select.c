/* SPDX-License-Identifier: MIT */
/* The waits of macOS: with a terminal among the descriptors they are made by select(), which works here as
 * well. The file of these waits takes the place of the library's in this program. */
#define _XOPEN_SOURCE 700
#include "../../runtime/transport/os.h"
#include "check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/select.h>
#include <termios.h>
#include <unistd.h>

enum { SOON = 10000 };

/* A terminal, and the end at which its user sits. */
typedef struct terminal {
    int user;
    int program;
} terminal;

static terminal open_terminal(void) {
    const terminal t = {posix_openpt(O_RDWR | O_NOCTTY), -1};
    if (t.user < 0 || grantpt(t.user) != 0 || unlockpt(t.user) != 0) {
        return t;
    }
    return (terminal){t.user, open(ptsname(t.user), O_RDWR | O_NOCTTY)};
}

static void close_terminal(const terminal *t) {
    (void)close(t->user);
    (void)close(t->program);
}

static void a_line_of_a_terminal_is_input(void) {
    const terminal t = open_terminal();
    int number = 0;
    mcpw_pollfd entry = {t.program, MCPW_OS_IN, 0};
    CHECK(mcpw_os_wait(&entry, 1, 0, &number) == 0 && entry.revents == 0);
    CHECK(write(t.user, "hello\n", 6) == 6);
    CHECK(mcpw_os_wait(&entry, 1, SOON, &number) == 1 && entry.revents == MCPW_OS_IN);
    close_terminal(&t);
}

static void a_terminal_takes_output(void) {
    const terminal t = open_terminal();
    int number = 0;
    mcpw_pollfd entry = {t.program, MCPW_OS_IN | MCPW_OS_OUT, 0};
    CHECK(mcpw_os_wait(&entry, 1, SOON, &number) == 1 && entry.revents == MCPW_OS_OUT);
    close_terminal(&t);
}

static void a_wakeup_beside_a_terminal_is_seen(void) {
    const terminal t = open_terminal();
    mcpw_os_wakeup wakeup;
    int number = 0;
    CHECK(mcpw_os_wakeup_begin(&wakeup, &number));
    mcpw_os_wakeup_set(&wakeup);
    mcpw_pollfd entries[] = {{t.program, MCPW_OS_IN, 0},
                             {MCPW_OS_NONE, MCPW_OS_IN, 0},
                             {mcpw_os_wakeup_handle(&wakeup), MCPW_OS_IN, 0}};
    CHECK(mcpw_os_wait(entries, 3, SOON, &number) == 1);
    CHECK(entries[0].revents == 0 && entries[1].revents == 0 && entries[2].revents == MCPW_OS_IN);
    mcpw_os_wakeup_end(&wakeup);
    close_terminal(&t);
}

static void the_hangup_of_a_terminal_is_input(void) {
    const terminal t = open_terminal();
    int number = 0;
    mcpw_pollfd entry = {t.program, MCPW_OS_IN, 0};
    (void)close(t.user);
    CHECK(mcpw_os_wait(&entry, 1, SOON, &number) == 1);
    (void)close(t.program);
}

static void an_entry_without_events_is_left_out(void) {
    const terminal t = open_terminal();
    int number = 0;
    mcpw_pollfd entry = {t.program, 0, 0};
    CHECK(write(t.user, "hello\n", 6) == 6);
    CHECK(mcpw_os_wait(&entry, 1, 0, &number) == 0 && entry.revents == 0);
    close_terminal(&t);
}

static void a_descriptor_beyond_select_is_an_error(void) {
    const terminal t = open_terminal();
    int number = 0;
    mcpw_pollfd entries[] = {{t.program, MCPW_OS_IN, 0}, {FD_SETSIZE, MCPW_OS_IN, 0}};
    CHECK(mcpw_os_wait(entries, 2, 0, &number) == MCPW_OS_FAILED && number != 0);
    close_terminal(&t);
}

static void without_a_terminal_poll_waits(void) {
    mcpw_os_wakeup wakeup;
    int number = 0;
    CHECK(mcpw_os_wakeup_begin(&wakeup, &number));
    mcpw_pollfd entries[] = {{mcpw_os_wakeup_handle(&wakeup), MCPW_OS_IN, 0}, {FD_SETSIZE, MCPW_OS_IN, 0}};
    CHECK(mcpw_os_wait(entries, 1, 0, &number) == 0);
    CHECK(mcpw_os_wait(entries, 2, SOON, &number) == 1 && entries[1].revents == POLLNVAL);
    mcpw_os_wakeup_end(&wakeup);
}

int main(void) {
    const terminal t = open_terminal();
    if (t.program < 0) {
        (void)fprintf(stderr, "skipped: no terminals\n");
        return CHECK_SKIPPED;
    }
    close_terminal(&t);
    RUN(a_line_of_a_terminal_is_input);
    RUN(a_terminal_takes_output);
    RUN(a_wakeup_beside_a_terminal_is_seen);
    RUN(the_hangup_of_a_terminal_is_input);
    RUN(an_entry_without_events_is_left_out);
    RUN(a_descriptor_beyond_select_is_an_error);
    RUN(without_a_terminal_poll_waits);
    return check_end();
}
