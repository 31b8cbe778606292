/* SPDX-License-Identifier: MIT */
/* The loop of a session over two descriptors: <mcpw/io.h>. */
#include <mcpw/detail/session.h>

#include "../session/attach.h"
#include "transport_internal.h"

#include <limits.h>
#include <stdlib.h>

enum {
    BUFFER_SIZE = 1 << 16, /* what a pipe holds */
    MOST_READS = 16,       /* reads in one step */
    MOST_LAST_READS = 1024 /* reads once output has failed */
};

/* mcpw_io.state */
enum {
    OUT_FULL = 1, /* there is no use in writing before the wait says so */
    STEPPING = 2  /* a callback is being called */
};

/* How to find out whether there is input. */
typedef enum in_way {
    IN_POLL,  /* wait for it */
    IN_BLOCK, /* where nothing else can happen: read and wait in it, which saves a system call for each
                 message */
    IN_TRY    /* where reading cannot wait: just read */
} in_way;

/* ---- Begin and end ------------------------------------------------------------------------------------- */

/* Opens both streams. Output first, because the two may share their mode, which that changes. */
static mcpw_status open_streams(mcpw_os_stream *in, mcpw_handle in_handle, mcpw_os_stream *out,
                                mcpw_handle out_handle, mcpw_error *error) {
    int number = 0;
    if (!mcpw_os_output_begin(out, out_handle, &number)) {
        return mcpw_io_failed(error, number, "the descriptor for output cannot be used");
    }
    if (!mcpw_os_input_begin(in, in_handle, &number)) {
        mcpw_os_stream_end(out);
        return mcpw_io_failed(error, number, "the descriptor for input cannot be used");
    }
    return MCPW_OK;
}

/* Puts a session on two streams, which are ended if that fails. */
static mcpw_status begin(mcpw_io *io, mcpw_session *session, mcpw_os_stream *in, mcpw_os_stream *out,
                         mcpw_error *error) {
    mcpw_error local;
    io->buffer = malloc(BUFFER_SIZE);
    io->beside = io->buffer != NULL ? mcpw_beside_new(session, &local) : NULL;
    if (io->beside == NULL) {
        const mcpw_status status = io->buffer != NULL ? local.code : MCPW_E_MEMORY;
        if (io->buffer == NULL) {
            mcpw_error_set(&local, MCPW_E_MEMORY, 0, "no memory for input");
        }
        mcpw_os_stream_end(in);
        mcpw_os_stream_end(out);
        mcpw_io_end(io);
        if (error != NULL) {
            *error = local;
        }
        return status;
    }
    io->beside->in = *in;
    io->beside->out = *out;
    io->buffer_size = BUFFER_SIZE;
    io->session = session;
    io->in = in->handle;
    io->out = out->handle;
    io->state = 0;
    mcpw_session_advance(session, mcpw_io_now());
    return MCPW_OK;
}

/* True if the struct can be used for that session. */
static mcpw_status check_begin(const mcpw_io *io, const mcpw_session *session, mcpw_handle in,
                               mcpw_handle out, mcpw_error *error) {
    if (io == NULL || !MCPW_HAS_ALL(io, transport) || session == NULL || in < 0 || out < 0) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "mcpw_io_begin needs a session and two open descriptors");
    }
    if (io->buffer != NULL) {
        return mcpw_error_set(error, MCPW_E_STATE, 0, "this mcpw_io is in use: call mcpw_io_end first");
    }
    return MCPW_OK;
}

mcpw_status mcpw_io_begin(mcpw_io *io, mcpw_session *session, mcpw_handle in, mcpw_handle out,
                          mcpw_error *error) {
    mcpw_os_stream input;
    mcpw_os_stream output;
    mcpw_status status = check_begin(io, session, in, out, error);
    /* Before other descriptors are opened, which could have the numbers of closed ones. */
    status = status == MCPW_OK ? open_streams(&input, in, &output, out, error) : status;
    return status == MCPW_OK ? begin(io, session, &input, &output, error) : status;
}

mcpw_status mcpw_io_carry(mcpw_io *io, mcpw_session *session, const mcpw_transport *transport,
                          mcpw_error *error) {
    mcpw_os_stream input;
    mcpw_os_stream output;
    if (transport == NULL || transport->work == NULL || transport->due == NULL || transport->end == NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0,
                              "mcpw_io_carry needs a transport with its functions");
    }
    mcpw_os_signal_begin(&input, transport->fd);
    mcpw_os_stream_init(&output);
    mcpw_status status = check_begin(io, session, transport->fd, transport->fd, error);
    status = status == MCPW_OK ? begin(io, session, &input, &output, error) : status;
    if (status != MCPW_OK) {
        transport->end(transport->self);
        return status;
    }
    io->transport = *transport;
    return MCPW_OK;
}

static void leave_output(mcpw_io *io) {
    if (io->beside != NULL) {
        mcpw_os_stream_end(&io->beside->out);
    }
    io->out = MCPW_OS_NONE;
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
    if (io->beside != NULL) {
        mcpw_os_stream_end(&io->beside->in);
    }
    mcpw_beside_free(io->beside);
    io->beside = NULL;
    free(io->buffer);
    io->buffer = NULL;
    io->buffer_size = 0;
    io->session = NULL;
    io->in = MCPW_OS_NONE;
}

/* ---- Reading ------------------------------------------------------------------------------------------- */

static void end_input(mcpw_io *io) {
    const mcpw_status status = mcpw_session_end_input(io->session);
    io->in = MCPW_OS_NONE;
    (void)status; /* the session reports the fault of its last line */
}

/* Reads once; *more says whether to read again. MCPW_OK also when there was nothing. */
static mcpw_status read_once(mcpw_io *io, bool *more, mcpw_error *error) {
    int number = 0;
    const ptrdiff_t got = mcpw_os_read(&io->beside->in, io->buffer, io->buffer_size, &number);
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
    if (got == MCPW_OS_INTERRUPTED || got == MCPW_OS_AGAIN) {
        return MCPW_OK;
    }
    end_input(io);
    return got == 0 ? MCPW_OK : mcpw_io_failed(error, number, "cannot read");
}

/* True if reading never waits. */
static bool reads_at_once(const mcpw_io *io) { return mcpw_os_reads_at_once(&io->beside->in); }

static bool can_read(const mcpw_io *io) { return io->in >= 0 && mcpw_session_wants_input(io->session); }

/* A transport of messages takes and delivers them itself. */
static mcpw_status carry(mcpw_io *io, mcpw_error *error) {
    mcpw_error why;
    mcpw_session_advance(io->session, mcpw_io_now());
    const mcpw_status status = io->transport.work(io->transport.self, &why);
    if (status != MCPW_OK) {
        io->in = MCPW_OS_NONE;
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
        more = more && reads_at_once(io);
    }
    return status;
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

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
static mcpw_status fail_output(mcpw_io *io, ptrdiff_t why, int number, mcpw_error *error) {
    bool more = true;
    int ignored = 0;
    leave_output(io);
    drop_output(io);
    for (int i = 0; i < MOST_LAST_READS && can_read(io); i++) {
        mcpw_pollfd in = mcpw_os_wait_input(&io->beside->in);
        if (mcpw_os_wait(&in, 1, 0, &ignored) <= 0) {
            break;
        }
        (void)read_once(io, &more, NULL); /* the failure of output is reported, and not this one */
        drop_output(io);
    }
    mcpw_session_close(io->session);
    drop_output(io);
    if (why == MCPW_OS_CLOSED) {
        return mcpw_error_set(error, MCPW_E_CLOSED, 0, "the peer reads no more");
    }
    return mcpw_io_failed(error, number, "cannot write");
}

/* Writes what can be written. *wrote is set when that was anything. */
static mcpw_status flush(mcpw_io *io, bool *wrote, mcpw_error *error) {
    const char *bytes = NULL;
    size_t len = 0;
    int number = 0;
    while ((io->state & OUT_FULL) == 0 && io->out >= 0 &&
           (len = mcpw_session_output(io->session, &bytes)) != 0) {
        const ptrdiff_t sent = mcpw_os_write(&io->beside->out, bytes, len, &number);
        if (sent > 0) {
            mcpw_session_sent(io->session, (size_t)sent);
            *wrote = true;
            io->state |= (size_t)sent < len ? OUT_FULL : 0U;
        } else if (sent == MCPW_OS_AGAIN) {
            io->state |= OUT_FULL;
        } else {
            return fail_output(io, sent, number, error);
        }
    }
    return MCPW_OK;
}

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

short mcpw_io_in_events(const mcpw_io *io) { return can_read(io) ? MCPW_OS_IN : 0; }

short mcpw_io_out_events(const mcpw_io *io) { return output_waits(io) != 0 ? MCPW_OS_OUT : 0; }

bool mcpw_io_was_read(const mcpw_io *io) {
    return io->out >= 0 && output_waits(io) == 0 && mcpw_os_unread(io->out) == 0;
}

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

/* The results of the wait for the descriptors. */
typedef struct seen {
    bool in;
    bool out_failed;
} seen;

static mcpw_status wait_for(mcpw_io *io, int timeout, mcpw_pollfd *beside, seen *what, mcpw_error *error) {
    enum { FOR_INPUT, FOR_OUTPUT, FOR_BESIDE, COUNT };
    static const mcpw_pollfd nothing = {MCPW_OS_NONE, 0, 0};
    const int due = mcpw_io_timeout(io);
    const short out_events = mcpw_io_out_events(io);
    /* A descriptor of no interest is left out, because a hang-up would be reported again and again. Output is
     * waited for if nothing else can show that the peer has gone. */
    size_t count = 0;
    int number = 0;
    mcpw_pollfd *const fds = mcpw_beside_fds(io->beside, COUNT, &count);
    if (fds == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory for descriptors");
    }
    fds[FOR_INPUT] = can_read(io) ? mcpw_os_wait_input(&io->beside->in) : nothing;
    fds[FOR_OUTPUT] =
        out_events != 0 || io->in < 0 ? mcpw_os_wait_output(&io->beside->out, out_events) : nothing;
    fds[FOR_BESIDE] = beside != NULL ? *beside : nothing;
    if (due >= 0 && (timeout < 0 || due < timeout)) {
        timeout = due;
    }
    const int ready = mcpw_os_wait(fds, count, timeout, &number);
    if (ready < 0) {
        return ready == MCPW_OS_INTERRUPTED ? MCPW_OK : mcpw_io_failed(error, number, "cannot wait");
    }
    if (beside != NULL) {
        beside->revents = fds[FOR_BESIDE].revents;
    }
    mcpw_beside_look(io->beside, COUNT, true);
    what->in = fds[FOR_INPUT].revents != 0;
    what->out_failed = out_events == 0 && fds[FOR_OUTPUT].revents != 0;
    if (fds[FOR_OUTPUT].revents != 0) {
        io->state &= ~(unsigned)OUT_FULL;
    }
    return MCPW_OK;
}

/* Whether nothing can come from other threads, descriptors and timers. */
static bool nobody_else_can_call(const mcpw_io *io) {
    return mcpw_session_detached(io->session) == 0 && mcpw_beside_is_quiet(io->beside);
}

/* Whether waiting in a read is as good as waiting for several objects. Another thread may report a change at
 * any time.
 */
static bool only_input_can_come(const mcpw_io *io) {
    return !reads_at_once(io) && can_read(io) && output_waits(io) == 0 &&
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

static mcpw_status take_step(mcpw_io *io, in_way way, int timeout, mcpw_pollfd *beside, mcpw_error *error) {
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
        status = fail_output(io, MCPW_OS_CLOSED, 0, error);
    }
    return status == MCPW_OK ? flush(io, &wrote, error) : status;
}

static mcpw_status step(mcpw_io *io, in_way way, int timeout, mcpw_pollfd *beside, mcpw_error *error) {
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

mcpw_status mcpw_io_step_beside(mcpw_io *io, int timeout, mcpw_pollfd *beside, mcpw_error *error) {
    return step(io, IN_POLL, timeout, beside, error);
}

mcpw_status mcpw_io_work(mcpw_io *io, mcpw_error *error) {
    const bool tries = io != NULL && io->beside != NULL && reads_at_once(io);
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
