/* SPDX-License-Identifier: MIT */
/* The loop of a session over two descriptors: <mcpw/io.h>. */
#define _POSIX_C_SOURCE 200809L
#include <mcpw/detail/session.h>

#include "../base/sized.h"
#include "../session/attach.h"
#include "transport_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BUFFER_SIZE = 1 << 16, /* what a pipe holds */
    MOST_READS = 16,       /* reads in one step */
    MOST_LAST_READS = 1024 /* reads once output has failed */
};

/* mcpw_io.state */
enum {
    IN_NONBLOCKING = 1,
    OUT_SOCKET = 2,
    OUT_RESTORE = 4, /* O_NONBLOCK was set here, and is to be taken back */
    OUT_FULL = 8,    /* there is no use in writing before poll says so */
    SIGPIPE_IS_IGNORED = 16,
    STEPPING = 32 /* a callback is being called */
};

/* How to find out whether there is input. */
typedef enum in_way {
    IN_POLL,  /* ask poll */
    IN_BLOCK, /* where nothing else can happen: read and wait in it, which saves a system call for each
                 message */
    IN_TRY    /* where reading cannot wait: just read */
} in_way;

/* ---- Begin and end ------------------------------------------------------------------------------------- */

/* Learns what the descriptors are. Input stays as it is, because it is read only when there is something to
 * read. Output must not wait. But a terminal shares its flags with standard error and with the shell, so it
 * stays as it is, too. */
static mcpw_status learn(mcpw_io *io, mcpw_error *error) {
    struct sigaction action;
    struct stat status;
    const int flags = fcntl(io->out, F_GETFL);
    int in_flags = flags;
    if (flags >= 0 && (flags & O_NONBLOCK) == 0 && isatty(io->out) == 0) {
        io->state |= OUT_RESTORE;
        in_flags = fcntl(io->out, F_SETFL, flags | O_NONBLOCK);
    }
    if (in_flags < 0) {
        return mcpw_io_failed(error, errno, "the descriptor for output cannot be used");
    }
    in_flags = fcntl(io->in, F_GETFL); /* after that: the two may share their flags */
    if (in_flags < 0) {
        return mcpw_io_failed(error, errno, "the descriptor for input cannot be used");
    }
    io->state |= (in_flags & O_NONBLOCK) != 0 ? IN_NONBLOCKING : 0U;
    io->state |= fstat(io->out, &status) == 0 && S_ISSOCK(status.st_mode) ? OUT_SOCKET : 0U;
    if (sigaction(SIGPIPE, NULL, &action) == 0 && action.sa_handler == SIG_IGN) {
        io->state |= SIGPIPE_IS_IGNORED;
    }
    return MCPW_OK;
}

mcpw_status mcpw_io_begin(mcpw_io *io, mcpw_session *session, int in, int out, mcpw_error *error) {
    mcpw_error local;
    mcpw_status status;
    if (io == NULL || !MCPW_HAS_ALL(io, transport) || session == NULL || in < 0 || out < 0) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "mcpw_io_begin needs a session and two open descriptors");
    }
    if (io->buffer != NULL) {
        return mcpw_error_set(error, MCPW_E_STATE, 0, "this mcpw_io is in use: call mcpw_io_end first");
    }
    io->buffer = malloc(BUFFER_SIZE);
    if (io->buffer == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory for input");
    }
    io->buffer_size = BUFFER_SIZE;
    io->session = session;
    io->in = in;
    io->out = out;
    io->state = 0;
    status =
        learn(io, &local); /* now, before descriptors are opened that could have the numbers of closed ones */
    if (status == MCPW_OK) {
        io->beside = mcpw_beside_new(session, &local);
        status = io->beside != NULL ? MCPW_OK : local.code;
    }
    if (status != MCPW_OK) {
        mcpw_io_end(io);
        if (error != NULL) {
            *error = local;
        }
        return status;
    }
    mcpw_session_advance(session, mcpw_io_now());
    return MCPW_OK;
}

mcpw_status mcpw_io_carry(mcpw_io *io, mcpw_session *session, const mcpw_transport *transport,
                          mcpw_error *error) {
    if (transport == NULL || transport->work == NULL || transport->due == NULL || transport->end == NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "mcpw_io_carry needs a transport with its functions");
    }
    const mcpw_status status = mcpw_io_begin(io, session, transport->fd, transport->fd, error);
    if (status != MCPW_OK) {
        transport->end(transport->self);
        return status;
    }
    io->transport = *transport;
    io->out = -1;
    io->state = IN_NONBLOCKING;
    return MCPW_OK;
}

static void leave_output(mcpw_io *io) {
    if (io->out >= 0 && (io->state & OUT_RESTORE) != 0) {
        const int flags = fcntl(io->out, F_GETFL);
        if (flags >= 0) {
            (void)fcntl(io->out, F_SETFL, flags & ~O_NONBLOCK);
        }
    }
    io->out = -1;
}

void mcpw_io_end(mcpw_io *io) {
    if (io == NULL) {
        return;
    }
    leave_output(io);
    if (io->transport.work != NULL) {
        io->transport.end(io->transport.self);
        io->transport.work = NULL;
    }
    mcpw_beside_free(io->beside);
    io->beside = NULL;
    free(io->buffer);
    io->buffer = NULL;
    io->buffer_size = 0;
    io->session = NULL;
    io->in = -1;
}

/* ---- Reading ------------------------------------------------------------------------------------------- */

static void end_input(mcpw_io *io) {
    const mcpw_status status = mcpw_session_end_input(io->session);
    io->in = -1;
    (void)status; /* the session reports the fault of its last line */
}

/* Reads once; *more says whether to read again. MCPW_OK also when there was nothing. */
static mcpw_status read_once(mcpw_io *io, bool *more, mcpw_error *error) {
    const ssize_t got = read(io->in, io->buffer, io->buffer_size);
    *more = false;
    if (got > 0) {
        mcpw_status fed;
        mcpw_session_advance(io->session, mcpw_io_now());
        fed = mcpw_session_feed(io->session, io->buffer, (size_t)got);
        (void)fed; /* it is closed, or a message was lost for want of memory: the session reports it, and
                    * reading is not at fault */
        *more = (size_t)got == io->buffer_size;
        return MCPW_OK;
    }
    if (got < 0 && errno == EINTR) {
        return MCPW_OK;
    }
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
        io->state |= IN_NONBLOCKING;
        return MCPW_OK;
    }
    /* A terminal that was hung up says EIO. */
    if (got < 0 && errno != ECONNRESET && !(errno == EIO && isatty(io->in) != 0)) {
        const int number = errno;
        end_input(io);
        return mcpw_io_failed(error, number, "cannot read");
    }
    end_input(io);
    return MCPW_OK;
}

static bool can_read(const mcpw_io *io) { return io->in >= 0 && mcpw_session_wants_input(io->session); }

/* A transport of messages takes and delivers them itself. */
static mcpw_status carry(mcpw_io *io, mcpw_error *error) {
    mcpw_error why;
    mcpw_session_advance(io->session, mcpw_io_now());
    const mcpw_status status = io->transport.work(io->transport.self, &why);
    if (status != MCPW_OK) {
        io->in = -1;
        mcpw_session_close(io->session); /* whose callbacks may write to error, too */
        if (error != NULL) {
            *error = why;
        }
    }
    return status;
}

static mcpw_status read_some(mcpw_io *io, mcpw_error *error) {
    mcpw_status status = MCPW_OK;
    bool more = true;
    if (io->transport.work != NULL) {
        return carry(io, error);
    }
    for (int i = 0; i < MOST_READS && more && status == MCPW_OK && can_read(io); i++) {
        status = read_once(io, &more, error);
        more = more && (io->state & IN_NONBLOCKING) != 0;
    }
    return status;
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

ssize_t mcpw_io_write_guarded(int fd, const char *bytes, size_t len) {
    sigset_t pipe_signal;
    sigset_t before;
    sigset_t pending;
    ssize_t wrote;
    bool was_pending = false;
    int number;
    (void)sigemptyset(&pipe_signal);
    (void)sigaddset(&pipe_signal, SIGPIPE);
    if (pthread_sigmask(SIG_BLOCK, &pipe_signal, &before) != 0) {
        return -1;
    }
    if (sigismember(&before, SIGPIPE) == 1 && sigpending(&pending) == 0) {
        was_pending = sigismember(&pending, SIGPIPE) == 1;
    }
    wrote = write(fd, bytes, len);
    number = errno;
    if (wrote < 0 && number == EPIPE && !was_pending && sigpending(&pending) == 0 &&
        sigismember(&pending, SIGPIPE) == 1) {
        int taken;
        (void)sigwait(&pipe_signal, &taken);
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = number;
    return wrote;
}

#ifdef MSG_NOSIGNAL
/* Writes to a socket whose peer may be gone, without that signal. */
static ssize_t write_socket(int fd, const char *bytes, size_t len) {
    return send(fd, bytes, len, MSG_NOSIGNAL);
}
#else
/* The same where send has no flag for that. */
static ssize_t write_socket(int fd, const char *bytes, size_t len) {
    return mcpw_io_write_guarded(fd, bytes, len);
}
#endif

static ssize_t write_some(const mcpw_io *io, const char *bytes, size_t len) {
    if ((io->state & OUT_SOCKET) != 0) {
        return write_socket(io->out, bytes, len);
    }
    if ((io->state & SIGPIPE_IS_IGNORED) != 0) {
        return write(io->out, bytes, len);
    }
    return mcpw_io_write_guarded(io->out, bytes, len);
}

static size_t output_waits(const mcpw_io *io) {
    const char *bytes;
    return io->out >= 0 ? mcpw_session_output(io->session, &bytes) : 0;
}

static void drop_output(mcpw_io *io) {
    const char *bytes;
    size_t len = mcpw_session_output(io->session, &bytes);
    while (len != 0) {
        mcpw_session_sent(io->session, len);
        len = mcpw_session_output(io->session, &bytes);
    }
}

/* Nothing can be sent any more. Messages that the peer sent before it went are still read: its last
 * responses. */
static mcpw_status fail_output(mcpw_io *io, int number, mcpw_error *error) {
    bool more = true;
    leave_output(io);
    drop_output(io);
    for (int i = 0; i < MOST_LAST_READS && can_read(io); i++) {
        struct pollfd in = {io->in, POLLIN, 0};
        if (poll(&in, 1, 0) <= 0) {
            break;
        }
        (void)read_once(io, &more, NULL); /* the failure of output is reported, and not this one */
        drop_output(io);
    }
    mcpw_session_close(io->session);
    drop_output(io);
    if (number == EPIPE || number == ECONNRESET) {
        return mcpw_error_set(error, MCPW_E_CLOSED, 0, "the peer reads no more");
    }
    return mcpw_io_failed(error, number, "cannot write");
}

/* Writes what can be written. *wrote is set when that was anything. */
static mcpw_status flush(mcpw_io *io, bool *wrote, mcpw_error *error) {
    const char *bytes = NULL;
    size_t len = 0;
    while ((io->state & OUT_FULL) == 0 && io->out >= 0 &&
           (len = mcpw_session_output(io->session, &bytes)) != 0) {
        const ssize_t sent = write_some(io, bytes, len);
        if (sent > 0) {
            mcpw_session_sent(io->session, (size_t)sent);
            *wrote = true;
            io->state |= (size_t)sent < len ? OUT_FULL : 0U;
        } else if (sent == 0 || errno == EAGAIN || errno == EWOULDBLOCK) {
            io->state |= OUT_FULL;
        } else if (errno != EINTR) {
            return fail_output(io, errno, error);
        }
    }
    return MCPW_OK;
}

/* ---- Waiting ------------------------------------------------------------------------------------------- */

/* Whether there is nothing left to do. Then the session is closed. */
static bool is_over(mcpw_io *io) {
    if (output_waits(io) != 0) {
        return false;
    }
    if (!mcpw_session_is_closed(io->session)) {
        if (io->in >= 0 || mcpw_session_is_busy(io->session)) {
            return false;
        }
        mcpw_session_close(io->session);
    }
    return output_waits(io) == 0;
}

short mcpw_io_in_events(const mcpw_io *io) { return can_read(io) ? POLLIN : 0; }

short mcpw_io_out_events(const mcpw_io *io) { return output_waits(io) != 0 ? POLLOUT : 0; }

int mcpw_io_timeout(const mcpw_io *io) {
    const uint64_t timer = mcpw_beside_due(io->beside);
    uint64_t due = mcpw_session_deadline(io->session);
    uint64_t now;
    const bool is_ending =
        mcpw_session_is_closed(io->session) || (io->in < 0 && !mcpw_session_is_busy(io->session));
    if (is_ending && output_waits(io) == 0) {
        return 0; /* to learn that it is over */
    }
    due = is_ending ? timer : timer < due ? timer : due;
    if (!is_ending && io->transport.work != NULL) {
        const uint64_t carried = io->transport.due(io->transport.self);
        due = carried < due ? carried : due;
    }
    if (due == UINT64_MAX) {
        return -1;
    }
    now = mcpw_io_now();
    if (due <= now) {
        return 0;
    }
    return due - now < INT_MAX ? (int)(due - now) : INT_MAX;
}

/* The results of poll for the descriptors. */
typedef struct seen {
    bool in;
    bool out_failed;
} seen;

static mcpw_status wait_for(mcpw_io *io, int timeout, struct pollfd *beside, seen *what, mcpw_error *error) {
    enum { IN, OUT, BESIDE, COUNT };
    const int due = mcpw_io_timeout(io);
    const short out_events = mcpw_io_out_events(io);
    /* A descriptor of no interest is left out, because a hang-up would be reported again and again. Output is
     * polled if nothing else can show that the peer has gone. */
    size_t count = 0;
    struct pollfd *const fds = mcpw_beside_fds(io->beside, COUNT, &count);
    if (fds == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory for descriptors");
    }
    fds[IN] = (struct pollfd){can_read(io) ? io->in : -1, POLLIN, 0};
    fds[OUT] = (struct pollfd){out_events != 0 || io->in < 0 ? io->out : -1, out_events, 0};
    fds[BESIDE] = (struct pollfd){beside != NULL ? beside->fd : -1, POLLIN, 0};
    if (due >= 0 && (timeout < 0 || due < timeout)) {
        timeout = due;
    }
    if (poll(fds, (nfds_t)count, timeout) < 0) {
        return errno == EINTR || errno == EAGAIN ? MCPW_OK : mcpw_io_failed(error, errno, "cannot wait");
    }
    if (beside != NULL) {
        beside->revents = fds[BESIDE].revents;
    }
    mcpw_beside_look(io->beside, COUNT, true);
    what->in = fds[IN].revents != 0;
    what->out_failed = out_events == 0 && fds[OUT].revents != 0;
    if (fds[OUT].revents != 0) {
        io->state &= ~(unsigned)OUT_FULL;
    }
    return MCPW_OK;
}

/* Whether nothing can come from other threads, descriptors and timers. */
static bool nobody_else_can_call(const mcpw_io *io) {
    return mcpw_session_detached(io->session) == 0 && mcpw_beside_is_quiet(io->beside);
}

/* Whether waiting in read() is as good as waiting in poll(). Another thread may report a change at any time.
 */
static bool only_input_can_come(const mcpw_io *io) {
    return (io->state & IN_NONBLOCKING) == 0 && can_read(io) && output_waits(io) == 0 &&
           mcpw_session_deadline(io->session) == UINT64_MAX && nobody_else_can_call(io) && mcpw_is_alone() &&
           !mcpw_queue_is_woken(mcpw_beside_queue(io->beside));
}

/* Takes input. While nothing else can come, there is nothing else to look at between two messages. */
static mcpw_status take_input(mcpw_io *io, mcpw_error *error) {
    mcpw_status status = MCPW_OK;
    while (status == MCPW_OK && only_input_can_come(io)) {
        bool more = false;
        bool wrote = false;
        status = read_once(io, &more, error);
        status = status == MCPW_OK ? flush(io, &wrote, error) : status;
    }
    return status;
}

static mcpw_status take_step(mcpw_io *io, in_way way, int timeout, struct pollfd *beside, mcpw_error *error) {
    seen what = {true, false};
    bool wrote = false;
    mcpw_status status;
    status = flush(io, &wrote, error);
    if (status == MCPW_OK && is_over(io)) {
        return mcpw_error_set(error, MCPW_E_CLOSED, 0, "the session has ended");
    }
    if (status != MCPW_OK || (wrote && timeout != 0)) {
        return status;
    }
    if (way == IN_BLOCK && only_input_can_come(io)) {
        return take_input(io, error);
    }
    if (way != IN_TRY) {
        what.in = false;
        status = wait_for(io, timeout, beside, &what, error);
    }
    if (!what.in || way == IN_TRY) { /* in the other ways reading finds it out */
        mcpw_session_advance(io->session, mcpw_io_now());
    }
    if (way == IN_TRY) {
        mcpw_beside_look(io->beside, 0, false);
    }
    if (status == MCPW_OK) {
        mcpw_beside_run(io->beside, io);
    }
    if (status == MCPW_OK && (what.in || io->transport.work != NULL)) {
        status = read_some(io, error);
    }
    if (status == MCPW_OK && what.out_failed) {
        status = fail_output(io, EPIPE, error);
    }
    return status == MCPW_OK ? flush(io, &wrote, error) : status;
}

static mcpw_status step(mcpw_io *io, in_way way, int timeout, struct pollfd *beside, mcpw_error *error) {
    mcpw_queue *queue;
    mcpw_status status;
    bool was_held;
    if (io == NULL || io->buffer == NULL || (io->state & STEPPING) != 0) {
        return mcpw_error_set(error, MCPW_E_STATE, 0,
                              io == NULL || io->buffer == NULL
                                  ? "call mcpw_io_begin first"
                                  : "a callback cannot step the loop that calls it: return to it");
    }
    queue = mcpw_beside_queue(io->beside);
    io->state |= STEPPING;
    was_held = mcpw_queue_enter(queue);
    status = take_step(io, way, timeout, beside, error);
    mcpw_queue_leave(queue, was_held);
    io->state &= ~(unsigned)STEPPING;
    return status;
}

mcpw_status mcpw_io_step(mcpw_io *io, int timeout_ms, mcpw_error *error) {
    return step(io, IN_POLL, timeout_ms, NULL, error);
}

mcpw_status mcpw_io_step_beside(mcpw_io *io, int timeout, struct pollfd *beside, mcpw_error *error) {
    return step(io, IN_POLL, timeout, beside, error);
}

mcpw_status mcpw_io_work(mcpw_io *io, mcpw_error *error) {
    const bool tries = io != NULL && (io->state & IN_NONBLOCKING) != 0;
    if (tries) {
        io->state &= ~(unsigned)OUT_FULL;
    }
    return step(io, tries ? IN_TRY : IN_POLL, 0, NULL, error);
}

/* Whether input has ended, and nothing is under way that could give the responses that are still due. */
static bool waits_for_nothing(const mcpw_io *io) {
    return io->session != NULL && io->in < 0 && output_waits(io) == 0 && nobody_else_can_call(io) &&
           mcpw_session_is_stalled(io->session);
}

mcpw_status mcpw_io_run(mcpw_io *io, bool (*done)(void *user), void *user, mcpw_error *error) {
    mcpw_status status = MCPW_OK;
    while (status == MCPW_OK && (done == NULL || !done(user))) {
        if (io != NULL && waits_for_nothing(io)) {
            mcpw_session_close(io->session);
        }
        status = step(io, done == NULL ? IN_BLOCK : IN_POLL, -1, NULL, error);
    }
    return status == MCPW_E_CLOSED && done != NULL && done(user) ? MCPW_OK : status;
}
