/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE         /* getentropy */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#define _DARWIN_C_SOURCE 1      /* getentropy on macOS */

#include "tap_system.h"

#include "tap_net.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__APPLE__) /* getentropy is declared there */
#include <sys/random.h>
#endif

enum { MS = 1000, NS_PER_MS = 1000000, NS = 1000000000 };

void tap_fill_standard(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF) {
            const int opened = open("/dev/null", O_RDWR);
            (void)opened; /* the lowest free one: fd */
        }
    }
}

bool tap_guards_error(void) { return isatty(STDERR_FILENO) != 0; }

uint64_t tap_process_id(void) { return (uint64_t)getpid(); }

void tap_sleep(unsigned ms) {
    const struct timespec pause = {(time_t)(ms / MS), (long)(ms % MS) * NS_PER_MS};
    (void)nanosleep(&pause, NULL);
}

void tap_explain_socket(char *text, size_t size) { (void)snprintf(text, size, "%s", strerror(errno)); }

bool tap_random(void *bytes, size_t len) { return getentropy(bytes, len) == 0; }

ptrdiff_t tap_write_at(FILE *file, const void *bytes, size_t len, uint64_t at) {
    return pwrite(fileno(file), bytes, len, (off_t)at);
}

ptrdiff_t tap_read_at(FILE *file, void *to, size_t room, uint64_t at) {
    return pread(fileno(file), to, room, (off_t)at);
}

/* ---- Threads ------------------------------------------------------------------------------------------- */

struct tap_lock {
    pthread_mutex_t mutex;
    pthread_cond_t news;
};

tap_lock *tap_lock_new(void) {
    tap_lock *const lock = calloc(1, sizeof *lock);
    if (lock != NULL) {
        (void)pthread_mutex_init(&lock->mutex, NULL);
        (void)pthread_cond_init(&lock->news, NULL);
    }
    return lock;
}

void tap_lock_free(tap_lock *lock) {
    if (lock != NULL) {
        (void)pthread_cond_destroy(&lock->news);
        (void)pthread_mutex_destroy(&lock->mutex);
        free(lock);
    }
}

void tap_lock_take(tap_lock *lock) { (void)pthread_mutex_lock(&lock->mutex); }

void tap_lock_give(tap_lock *lock) { (void)pthread_mutex_unlock(&lock->mutex); }

void tap_lock_tell(tap_lock *lock) { (void)pthread_cond_broadcast(&lock->news); }

bool tap_lock_wait(tap_lock *lock, unsigned ms) {
    struct timespec until = {0, 0};
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)(ms / MS);
    until.tv_nsec += (long)(ms % MS) * NS_PER_MS;
    until.tv_sec += until.tv_nsec / NS;
    until.tv_nsec %= NS;
    return pthread_cond_timedwait(&lock->news, &lock->mutex, &until) != ETIMEDOUT;
}

void tap_start_threads(void (*run)(void *user), void *user) {
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    run(user);
    const int error = errno;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
}

/* ---- Sockets ------------------------------------------------------------------------------------------- */

bool tap_is_connected(int client, bool *has_bytes) {
    char byte;
    const ssize_t n = recv(client, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    *has_bytes = n > 0;
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
}

/* ---- The end ------------------------------------------------------------------------------------------- */

static sigset_t ending(void) {
    sigset_t signals;
    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, SIGINT);
    (void)sigaddset(&signals, SIGTERM);
    (void)sigaddset(&signals, SIGHUP);
    return signals;
}

void tap_keep_end(void) {
    const sigset_t signals = ending();
    (void)pthread_sigmask(SIG_BLOCK, &signals, NULL); /* new threads inherit the mask */
}

/* macOS has no sigtimedwait(), so the signals that wait are looked at, a few times a second. */
bool tap_has_end_come(unsigned ms) {
    enum { STEP_MS = 25 };
    const sigset_t signals = ending();
    sigset_t waiting;
    int number = 0;
    for (unsigned waited = 0;; waited += STEP_MS) {
        (void)sigemptyset(&waiting);
        if (sigpending(&waiting) == 0 &&
            (sigismember(&waiting, SIGINT) == 1 || sigismember(&waiting, SIGTERM) == 1 ||
             sigismember(&waiting, SIGHUP) == 1)) {
            return sigwait(&signals, &number) == 0;
        }
        if (waited >= ms) {
            return false;
        }
        tap_sleep(STEP_MS);
    }
}
