/* SPDX-License-Identifier: MIT */
/* A terminal keeps 1,024 bytes of a line on macOS and 4,096 on Linux, and a redirect may be longer. So it
 * gives each byte at once meanwhile. */
#define _XOPEN_SOURCE 700

#include "login_paste.h"

#include "tool.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <termios.h>
#include <unistd.h>

static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

enum { ENDING = sizeof ending / sizeof ending[0] };

/* The terminal's modes; a global, because a signal handler can reach nothing else. */
static struct termios before;

/* The handler is reset when it is called, so the signal ends the process when it returns. */
static void on_signal(int number) {
    const int saved = errno;
    (void)tcsetattr(STDIN_FILENO, TCSANOW, &before);
    (void)raise(number);
    errno = saved;
}

/* A signal that is ignored, as under nohup, stays ignored. */
static void catch_signals(struct sigaction earlier[ENDING]) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    (void)sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < ENDING; i++) {
        if (sigaction(ending[i], NULL, &earlier[i]) == 0 && earlier[i].sa_handler != SIG_IGN) {
            (void)sigaction(ending[i], &action, NULL);
        }
    }
}

static bool is_key(char byte, int which) {
    const cc_t key = before.c_cc[which];
    return key != (cc_t)_POSIX_VDISABLE && (cc_t)byte == key;
}

/* Reads a line from a terminal that gives each byte at once, with the keys that erase and end. */
static bool read_line(char *line, size_t size) {
    size_t len = 0;
    bool goes_on = true;
    char byte = '\0';
    while (goes_on) {
        const ssize_t n = read(STDIN_FILENO, &byte, 1);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n != 1 || byte == '\n' || is_key(byte, VEOF)) {
            goes_on = false;
        } else if (is_key(byte, VERASE)) {
            len -= len != 0;
        } else if (is_key(byte, VKILL)) {
            len = 0;
        } else if (len < size) {
            line[len++] = byte;
        }
    }
    if (len == size) {
        tool_complain("a line of at most %zu bytes is expected", size - 1);
        len = 0;
        byte = '\n';
    }
    line[len] = '\0';
    return len != 0 || byte == '\n';
}

bool login_paste(char *line, size_t size) {
    struct sigaction earlier[ENDING];
    if (tcgetattr(STDIN_FILENO, &before) != 0) { /* no terminal */
        return fgets(line, (int)size, stdin) != NULL;
    }
    struct termios meanwhile = before;
    meanwhile.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    meanwhile.c_cc[VMIN] = 1;
    meanwhile.c_cc[VTIME] = 0;
    catch_signals(earlier);
    (void)tcsetattr(STDIN_FILENO, TCSANOW, &meanwhile);
    const bool is_read = read_line(line, size);
    (void)tcsetattr(STDIN_FILENO, TCSANOW, &before);
    for (size_t i = 0; i < ENDING; i++) {
        (void)sigaction(ending[i], &earlier[i], NULL);
    }
    return is_read;
}
