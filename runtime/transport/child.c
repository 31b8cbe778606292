/* SPDX-License-Identifier: MIT */
/* Child processes: starting them, their standard error, and their end. */
#include "transport_internal.h"

#include <mcpw/detail/framer.h>
#include <mcpw/error.h>
#include <mcpw/frame.h>

#include <stdio.h>
#include <stdlib.h>

enum {
    STDERR_LINE = 1 << 16, /* maximum bytes of a line of standard error */
    STDERR_READ = 1 << 12,
    STDERR_MOST = 1 << 20, /* maximum bytes of one read: the capacity of a pipe */
    LONGEST_PAUSE = 16     /* ms between two checks of a child */
};

struct mcpw_stderr {
    mcpw_os_process process;
    mcpw_os_stream in; /* the child's standard output, once its loop has ended */
    mcpw_os_stream err;
    mcpw_framer framer; /* the unfinished line of standard error */
};

/* ---- Starting ------------------------------------------------------------------------------------------ */

static mcpw_status cannot_start(mcpw_error *error, int number, const mcpw_spawn *spawn, bool in_cwd) {
    char what[MCPW_ERROR_MESSAGE_SIZE];
    char command[MCPW_EXCERPT_SIZE];
    char cwd[MCPW_EXCERPT_SIZE];
    (void)mcpw_excerpt(command, spawn->argv[0], strlen(spawn->argv[0]));
    if (in_cwd) {
        (void)mcpw_excerpt(cwd, spawn->cwd, strlen(spawn->cwd));
        (void)snprintf(what, sizeof what, "cannot start '%s' in '%s'", command, cwd);
    } else {
        (void)snprintf(what, sizeof what, "cannot start '%s'", command);
    }
    return mcpw_io_failed(error, number, what);
}

/* Gives the child its descriptors. */
static void take_ends(mcpw_child *child, const mcpw_spawn *spawn,
                      const mcpw_handle ends[MCPW_OS_CHILD_PIPES]) {
    int ignored = 0;
    child->pid = mcpw_os_process_id(&child->lines->process);
    child->in = ends[MCPW_OS_CHILD_STDOUT];
    child->out = ends[MCPW_OS_CHILD_STDIN];
    child->err = ends[MCPW_OS_CHILD_STDERR];
    child->exit_status = 0;
    child->on_stderr = spawn->on_stderr;
    child->user = spawn->user;
    if (child->err >= 0 && !mcpw_os_input_begin(&child->lines->err, child->err, &ignored)) {
        mcpw_os_close(&child->err); /* without memory for reading it */
    }
}

static mcpw_status start(mcpw_child *child, const mcpw_spawn *spawn, mcpw_error *error) {
    mcpw_handle ends[MCPW_OS_CHILD_PIPES] = {MCPW_OS_NONE, MCPW_OS_NONE, MCPW_OS_NONE};
    int number = 0;
    bool in_cwd = false;
    struct mcpw_stderr *const lines = calloc(1, sizeof *lines);
    if (lines == NULL) {
        return mcpw_error_set(error, MCPW_E_MEMORY, 0, "no memory for a child process");
    }
    mcpw_os_stream_init(&lines->in);
    mcpw_os_stream_init(&lines->err);
    lines->framer = (mcpw_framer)MCPW_FRAMER_INIT;
    lines->framer.limit = STDERR_LINE;
    if (!mcpw_os_process_start(&lines->process, spawn, ends, &number, &in_cwd)) {
        free(lines);
        return cannot_start(error, number, spawn, in_cwd);
    }
    child->lines = lines;
    take_ends(child, spawn, ends);
    return MCPW_OK;
}

mcpw_status mcpw_child_start(mcpw_child *child, const mcpw_spawn *given, mcpw_error *error) {
    mcpw_spawn own = {0};
    if (child == NULL || !MCPW_HAS_ALL(child, lines) || !MCPW_TAKE(&own, own_group, given) ||
        own.argv == NULL || own.argv[0] == NULL) {
        return mcpw_error_set(error, MCPW_E_ARGUMENT, 0, "mcpw_child_start needs a command in argv[0]");
    }
    if (child->pid != 0 || child->in >= 0) {
        return mcpw_error_set(error, MCPW_E_STATE, 0, "this child is in use: call mcpw_child_stop first");
    }
    return start(child, &own, error);
}

/* ---- Standard error ------------------------------------------------------------------------------------ */

static void give_line(const mcpw_child *child, mcpw_status status, mcpw_str line) {
    static const mcpw_str lost = MCPW_STR("(a line that is too long was left out)");
    if (status == MCPW_OK || status == MCPW_E_SIZE) {
        child->on_stderr(child->user, status == MCPW_OK ? line : lost);
    }
}

/* Ends standard error, and passes on a last line without line end. */
static void end_stderr(mcpw_child *child) {
    mcpw_str line = {NULL, 0};
    if (child->err >= 0) {
        give_line(child, mcpw_framer_end(&child->lines->framer, &line), line);
        mcpw_os_stream_end(&child->lines->err);
    }
    mcpw_os_close(&child->err);
}

mcpw_pollfd mcpw_child_wait_stderr(const mcpw_child *child) {
    static const mcpw_pollfd nothing = {MCPW_OS_NONE, 0, 0};
    return child->err >= 0 ? mcpw_os_wait_input(&child->lines->err) : nothing;
}

void mcpw_child_stderr(mcpw_child *child) {
    char bytes[STDERR_READ];
    size_t total = 0;
    int ignored = 0;
    while (child != NULL && child->err >= 0 && total < STDERR_MOST) {
        const ptrdiff_t got = mcpw_os_read(&child->lines->err, bytes, sizeof bytes, &ignored);
        const char *at = bytes;
        size_t len = got > 0 ? (size_t)got : 0;
        mcpw_status status = got > 0 ? MCPW_OK : MCPW_PENDING;
        mcpw_str line = {NULL, 0};
        if (got == MCPW_OS_AGAIN) {
            return;
        }
        total += len;
        while (status != MCPW_PENDING) {
            status = mcpw_framer_next(&child->lines->framer, &at, &len, &line);
            give_line(child, status, line);
        }
        if (got == 0 || got == MCPW_OS_FAILED) {
            end_stderr(child);
        }
    }
}

/* ---- Stopping ------------------------------------------------------------------------------------------ */

bool mcpw_child_exited(mcpw_child *child) {
    if (child->pid != 0 && mcpw_os_process_exited(&child->lines->process, &child->exit_status)) {
        child->pid = 0;
    }
    return child->pid == 0;
}

/* Reads the child's remaining output, so that the child need not wait for this process. */
static void discard_output(mcpw_child *child, int nap) {
    char bytes[STDERR_READ];
    int ignored = 0;
    mcpw_pollfd fds[] = {mcpw_os_wait_input(&child->lines->in), mcpw_child_wait_stderr(child)};
    if (mcpw_os_wait(fds, sizeof fds / sizeof *fds, nap, &ignored) <= 0) {
        return;
    }
    if (fds[0].revents != 0) {
        const ptrdiff_t got = mcpw_os_read(&child->lines->in, bytes, sizeof bytes, &ignored);
        if (got == 0 || got == MCPW_OS_FAILED) {
            mcpw_os_stream_end(&child->lines->in);
        }
    }
    mcpw_child_stderr(child);
}

static bool ended_within(mcpw_child *child, unsigned patience) {
    const uint64_t due = mcpw_io_now() + patience;
    uint64_t now = 0;
    int nap = 0;
    while (!mcpw_child_exited(child)) {
        now = mcpw_io_now();
        if (now >= due) {
            return false;
        }
        nap = nap == 0 ? 1 : nap < LONGEST_PAUSE ? 2 * nap : LONGEST_PAUSE;
        discard_output(child, due - now < (uint64_t)nap ? (int)(due - now) : nap);
    }
    return true;
}

void mcpw_child_stop(mcpw_child *child, unsigned patience_ms) {
    int ignored = 0;
    if (child == NULL) {
        return;
    }
    mcpw_os_close(&child->out);
    if (child->lines == NULL) { /* it was never started */
        return;
    }
    if (child->in >= 0 && !mcpw_os_input_begin(&child->lines->in, child->in, &ignored)) {
        mcpw_os_stream_init(&child->lines->in);
    }
    if (!ended_within(child, patience_ms) &&
        (!mcpw_os_process_ask(&child->lines->process) || !ended_within(child, patience_ms))) {
        child->exit_status = mcpw_os_process_kill(&child->lines->process);
        child->pid = 0;
    }
    mcpw_child_stderr(child);
    end_stderr(child);
    mcpw_os_stream_end(&child->lines->in);
    mcpw_os_close(&child->in);
    mcpw_os_process_end(&child->lines->process);
    mcpw_framer_free(&child->lines->framer);
    free(child->lines);
    child->lines = NULL;
}
