/* SPDX-License-Identifier: MIT */
/* Child processes, with cat and sh as children. */
#define _GNU_SOURCE
#include <mcpw/io.h>

#include "check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATIENCE = 5000, SHORT_PATIENCE = 150, STDERR_LINE = 1 << 16 };

/* The text of standard error, lines joined by '|'. */
typedef struct lines {
    char text[4096];
    size_t len;
    size_t count;
} lines;

static void take_line(void *user, mcpw_str line) {
    lines *const l = user;
    l->count++;
    if (l->len + line.len + 1 < sizeof l->text) {
        memcpy(l->text + l->len, line.ptr, line.len);
        l->len += line.len;
        l->text[l->len++] = '|';
    }
}

/* The longest line. */
typedef struct longest {
    size_t len;
    size_t count;
} longest;

static void take_length(void *user, mcpw_str line) {
    longest *const seen = user;
    seen->len = line.len > seen->len ? line.len : seen->len;
    seen->count++;
}

static mcpw_spawn shell(const char *const *argv, lines *l) {
    const mcpw_spawn spawn = {.argv = argv, .on_stderr = l != NULL ? take_line : NULL, .user = l};
    return spawn;
}

/* Starts sh -c script. */
static bool start_shell(mcpw_child *child, const char *script, lines *l) {
    const char *const argv[] = {"sh", "-c", script, NULL};
    const mcpw_spawn spawn = shell(argv, l);
    mcpw_error error = {0};
    const bool started = mcpw_child_start(child, &spawn, &error) == MCPW_OK;
    if (!started) {
        (void)fprintf(stderr, "%s\n", error.message);
    }
    CHECK(started);
    return started;
}

/* The output of the child until it ends or a line is complete; its length. */
static size_t read_line(int fd, char *text, size_t size) {
    size_t len = 0;
    while (len < size - 1) {
        const ssize_t got = read(fd, text + len, 1);
        if (got <= 0 || text[len] == '\n') {
            break;
        }
        len++;
    }
    text[len] = '\0';
    return len;
}

static void say(int fd, const char *text) { CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text)); }

static int open_descriptors(void) {
    DIR *const folder = opendir("/proc/self/fd");
    int count = 0;
    if (folder == NULL) {
        return 0;
    }
    while (readdir(folder) != NULL) {
        count++;
    }
    (void)closedir(folder);
    return count;
}

/* Whether a process is gone, zombies not counted as gone. */
static bool is_gone(int64_t pid) { return kill((pid_t)pid, 0) != 0 && errno == ESRCH; }

static void a_child_answers_over_its_pipes(void) {
    const char *const argv[] = {"cat", NULL};
    const mcpw_spawn spawn = shell(argv, NULL);
    mcpw_child child = MCPW_CHILD_INIT;
    mcpw_error error;
    char text[64];
    CHECK(mcpw_child_start(&child, &spawn, &error) == MCPW_OK);
    CHECK(child.pid > 0 && child.err == -1);
    say(child.out, "there and back\n");
    (void)read_line(child.in, text, sizeof text);
    CHECK_STRING(text, "there and back");
    mcpw_child_stop(&child, PATIENCE);
    CHECK(WIFEXITED(child.exit_status) && WEXITSTATUS(child.exit_status) == 0);
    CHECK(child.pid == 0 && child.in == -1 && child.out == -1);
}

static void a_command_that_is_missing_is_named(void) {
    const char *const argv[] = {"mcpw-no-such-command", NULL};
    const mcpw_spawn spawn = shell(argv, NULL);
    mcpw_child child = MCPW_CHILD_INIT;
    mcpw_error error = {0};
    CHECK(mcpw_child_start(&child, &spawn, &error) == MCPW_E_IO && error.code == MCPW_E_IO);
    CHECK_STRING(error.message, "cannot start 'mcpw-no-such-command': No such file or directory");
    CHECK(child.pid == 0 && child.in == -1 && child.out == -1 && child.err == -1);
    mcpw_child_stop(&child, PATIENCE);
}

static void a_file_that_cannot_be_run_is_named(void) {
    const char *const argv[] = {"/", NULL};
    const mcpw_spawn spawn = shell(argv, NULL);
    mcpw_child child = MCPW_CHILD_INIT;
    mcpw_error error = {0};
    CHECK(mcpw_child_start(&child, &spawn, &error) == MCPW_E_IO);
    CHECK_STRING(error.message, "cannot start '/': Permission denied");
    CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
}

static void a_missing_folder_is_told_from_a_missing_command(void) {
    const char *const argv[] = {"cat", NULL};
    mcpw_spawn spawn = shell(argv, NULL);
    mcpw_child child = MCPW_CHILD_INIT;
    mcpw_error error = {0};
    spawn.cwd = "/no/such/folder";
    CHECK(mcpw_child_start(&child, &spawn, &error) == MCPW_E_IO);
    CHECK_STRING(error.message, "cannot start 'cat' in '/no/such/folder': No such file or directory");
}

static void no_command_is_refused(void) {
    const char *const argv[] = {NULL};
    const mcpw_spawn spawn = shell(argv, NULL);
    mcpw_child child = MCPW_CHILD_INIT;
    mcpw_error error = {0};
    CHECK(mcpw_child_start(&child, &spawn, &error) == MCPW_E_ARGUMENT);
    CHECK_STRING(error.message, "mcpw_child_start needs a command in argv[0]");
}

static void a_child_that_runs_is_not_started_over(void) {
    mcpw_child child = MCPW_CHILD_INIT;
    const char *const argv[] = {"cat", NULL};
    const mcpw_spawn spawn = shell(argv, NULL);
    if (start_shell(&child, "cat", NULL)) {
        CHECK(mcpw_child_start(&child, &spawn, NULL) == MCPW_E_STATE);
    }
    mcpw_child_stop(&child, PATIENCE);
    CHECK(mcpw_child_start(&child, &spawn, NULL) == MCPW_OK);
    mcpw_child_stop(&child, PATIENCE);
}

static void the_folder_of_the_child_is_set(void) {
    const char *const argv[] = {"sh", "-c", "pwd", NULL};
    mcpw_spawn spawn = shell(argv, NULL);
    mcpw_child child = MCPW_CHILD_INIT;
    char text[PATH_MAX];
    spawn.cwd = "/";
    CHECK(mcpw_child_start(&child, &spawn, NULL) == MCPW_OK);
    (void)read_line(child.in, text, sizeof text);
    CHECK_STRING(text, "/");
    mcpw_child_stop(&child, PATIENCE);
}

static void the_environment_of_the_child_is_set(void) {
    const char *const argv[] = {"sh", "-c", "echo \"$ONE,$HOME\"", NULL};
    const char *const env[] = {"ONE=1", NULL};
    mcpw_spawn spawn = shell(argv, NULL);
    mcpw_child child = MCPW_CHILD_INIT;
    char text[64];
    spawn.env = env;
    CHECK(mcpw_child_start(&child, &spawn, NULL) == MCPW_OK);
    (void)read_line(child.in, text, sizeof text);
    CHECK_STRING(text, "1,");
    mcpw_child_stop(&child, PATIENCE);
}

static void the_environment_is_inherited_otherwise(void) {
    mcpw_child child = MCPW_CHILD_INIT;
    char text[64];
    CHECK(setenv("MCPW_TEST_WORD", "inherited", 1) == 0);
    if (start_shell(&child, "echo $MCPW_TEST_WORD", NULL)) {
        (void)read_line(child.in, text, sizeof text);
        CHECK_STRING(text, "inherited");
    }
    mcpw_child_stop(&child, PATIENCE);
}

static void standard_error_comes_by_line(void) {
    mcpw_child child = MCPW_CHILD_INIT;
    lines l = {{0}, 0, 0};
    char text[8];
    if (start_shell(&child, "printf 'one\\ntwo\\n\\nthr' >&2; echo; read x; printf 'ee' >&2", &l)) {
        (void)read_line(child.in, text, sizeof text);
        mcpw_child_stderr(&child);
        CHECK_TEXT(l.text, l.len, "one|two|");
    }
    mcpw_child_stop(&child, PATIENCE);
    CHECK_TEXT(l.text, l.len, "one|two|three|");
    CHECK(child.err == -1);
}

static void reading_standard_error_does_not_wait(void) {
    mcpw_child child = MCPW_CHILD_INIT;
    lines l = {{0}, 0, 0};
    if (start_shell(&child, "cat", &l)) {
        mcpw_child_stderr(&child);
        CHECK(l.count == 0 && child.err >= 0);
    }
    mcpw_child_stop(&child, PATIENCE);
}

static void a_line_of_standard_error_that_is_too_long_is_told(void) {
    mcpw_child child = MCPW_CHILD_INIT;
    lines l = {{0}, 0, 0};
    if (start_shell(&child, "head -c 70000 /dev/zero >&2; printf '\\nshort\\n' >&2", &l)) {
        mcpw_child_stop(&child, PATIENCE);
        CHECK_TEXT(l.text, l.len, "(a line that is too long was left out)|short|");
    }
}

/* A line of so many bytes, and what is given of it. */
static void check_stderr_limit(size_t bytes, bool given) {
    mcpw_child child = MCPW_CHILD_INIT;
    longest seen = {0, 0};
    char script[64];
    (void)snprintf(script, sizeof script, "head -c %zu /dev/zero | tr '\\0' x >&2; echo >&2", bytes);
    const char *const argv[] = {"sh", "-c", script, NULL};
    const mcpw_spawn spawn = {.argv = argv, .on_stderr = take_length, .user = &seen};
    mcpw_error error = {0};
    CHECK(mcpw_child_start(&child, &spawn, &error) == MCPW_OK);
    mcpw_child_stop(&child, PATIENCE);
    CHECK(seen.count == 1);
    CHECK(given ? seen.len == bytes : seen.len < STDERR_LINE / 2);
}

static void a_line_of_standard_error_has_64_kib_at_most(void) {
    check_stderr_limit(STDERR_LINE - 1, true);
    check_stderr_limit(STDERR_LINE, true);
    check_stderr_limit(STDERR_LINE + 1, false);
}

static void much_on_standard_error_is_read_while_the_child_ends(void) {
    mcpw_child child = MCPW_CHILD_INIT;
    lines l = {{0}, 0, 0};
    const uint64_t begin = mcpw_io_now();
    if (start_shell(&child, "cat; i=0; while [ $i -lt 20000 ]; do echo 0123456789 >&2; i=$((i+1)); done",
                    &l)) {
        mcpw_child_stop(&child, PATIENCE);
        CHECK(l.count == 20000);
        CHECK(WIFEXITED(child.exit_status) && mcpw_io_now() - begin < PATIENCE);
    }
}

static void a_child_that_still_writes_can_end(void) {
    mcpw_child child = MCPW_CHILD_INIT;
    if (start_shell(&child, "cat; head -c 1000000 /dev/zero; exit 7", NULL)) {
        mcpw_child_stop(&child, PATIENCE);
        CHECK(WIFEXITED(child.exit_status) && WEXITSTATUS(child.exit_status) == 7);
    }
}

static void a_child_that_stays_is_asked_to_end(void) {
    mcpw_child child = MCPW_CHILD_INIT;
    char text[8];
    if (start_shell(&child, "trap 'exit 3' TERM; echo; while :; do sleep 0.01; done", NULL)) {
        (void)read_line(child.in, text, sizeof text);
        mcpw_child_stop(&child, SHORT_PATIENCE);
        CHECK(WIFEXITED(child.exit_status) && WEXITSTATUS(child.exit_status) == 3);
    }
}

static void a_child_that_will_not_end_is_killed(void) {
    mcpw_child child = MCPW_CHILD_INIT;
    const uint64_t begin = mcpw_io_now();
    char text[8];
    if (start_shell(&child, "trap '' TERM; echo; while :; do sleep 0.01; done", NULL)) {
        const int64_t pid = child.pid;
        (void)read_line(child.in, text, sizeof text);
        mcpw_child_stop(&child, SHORT_PATIENCE);
        CHECK(WIFSIGNALED(child.exit_status) && WTERMSIG(child.exit_status) == SIGKILL);
        CHECK(mcpw_io_now() - begin >= 2 * SHORT_PATIENCE);
        CHECK(is_gone(pid));
    }
}

static void a_child_that_has_ended_is_reaped(void) {
    mcpw_child child = MCPW_CHILD_INIT;
    lines l = {{0}, 0, 0};
    char text[8];
    if (start_shell(&child, "echo last words >&2; exit 5", &l)) {
        const int64_t pid = child.pid;
        CHECK(read_line(child.in, text, sizeof text) == 0);
        mcpw_child_stop(&child, PATIENCE);
        CHECK(WIFEXITED(child.exit_status) && WEXITSTATUS(child.exit_status) == 5);
        CHECK_TEXT(l.text, l.len, "last words|");
        CHECK(is_gone(pid));
    }
}

static void a_grandchild_that_holds_the_pipes_is_not_waited_for(void) {
    mcpw_child child = MCPW_CHILD_INIT;
    lines l = {{0}, 0, 0};
    const uint64_t begin = mcpw_io_now();
    char text[16];
    if (start_shell(&child, "sleep 5 & echo $!; echo gone >&2", &l)) {
        (void)read_line(child.in, text, sizeof text);
        mcpw_child_stop(&child, PATIENCE);
        CHECK(mcpw_io_now() - begin < 2000);
        CHECK(WIFEXITED(child.exit_status) && WEXITSTATUS(child.exit_status) == 0);
        CHECK_TEXT(l.text, l.len, "gone|");
        (void)kill((pid_t)strtol(text, NULL, 10), SIGKILL);
    }
}

static void a_child_that_someone_else_reaped_is_over(void) {
    mcpw_child child = MCPW_CHILD_INIT;
    if (start_shell(&child, "exit 0", NULL)) {
        CHECK(waitpid((pid_t)child.pid, NULL, 0) == (pid_t)child.pid);
        mcpw_child_stop(&child, PATIENCE);
        CHECK(child.pid == 0 && child.exit_status == -1);
    }
}

static void stopping_twice_does_no_harm(void) {
    mcpw_child child = MCPW_CHILD_INIT;
    mcpw_child_stop(&child, PATIENCE);
    mcpw_child_stop(NULL, PATIENCE);
    if (start_shell(&child, "exit 4", NULL)) {
        mcpw_child_stop(&child, PATIENCE);
        mcpw_child_stop(&child, PATIENCE);
        CHECK(WEXITSTATUS(child.exit_status) == 4);
    }
}

static void no_descriptor_is_left_open(void) {
    const int before = open_descriptors();
    const char *const argv[] = {"mcpw-no-such-command", NULL};
    const mcpw_spawn missing = shell(argv, NULL);
    lines l = {{0}, 0, 0};
    for (int i = 0; i < 3; i++) {
        mcpw_child child = MCPW_CHILD_INIT;
        CHECK(mcpw_child_start(&child, &missing, NULL) == MCPW_E_IO);
        if (start_shell(&child, "cat", &l)) {
            mcpw_child_stop(&child, PATIENCE);
        }
    }
    CHECK(open_descriptors() == before);
}

/* How many descriptors a child that is started now finds open. */
static size_t descriptors_of_a_child(void) {
    mcpw_child child = MCPW_CHILD_INIT;
    lines l = {{0}, 0, 0};
    size_t count = 0;
    char text[16];
    if (start_shell(&child, "exec ls /proc/self/fd", &l)) {
        while (read_line(child.in, text, sizeof text) != 0) {
            count++;
        }
    }
    mcpw_child_stop(&child, PATIENCE);
    return count;
}

static void descriptors_are_not_inherited_by_a_sibling(void) {
    mcpw_child sibling = MCPW_CHILD_INIT;
    const size_t alone = descriptors_of_a_child();
    lines l = {{0}, 0, 0};
    if (start_shell(&sibling, "cat", &l)) {
        CHECK(descriptors_of_a_child() == alone);
    }
    mcpw_child_stop(&sibling, PATIENCE);
}

static void signals_are_back_to_their_defaults_in_the_child(void) {
    mcpw_child child = MCPW_CHILD_INIT;
    struct sigaction ignore;
    struct sigaction before;
    sigset_t blocked;
    sigset_t mask;
    char text[64] = "";
    memset(&ignore, 0, sizeof ignore);
    ignore.sa_handler = SIG_IGN;
    (void)sigaction(SIGPIPE, &ignore, &before);
    (void)sigemptyset(&blocked);
    (void)sigaddset(&blocked, SIGTERM);
    (void)sigprocmask(SIG_BLOCK, &blocked, &mask);
    if (start_shell(&child, "kill -TERM $$; echo survived", NULL)) {
        CHECK(read_line(child.in, text, sizeof text) == 0);
        mcpw_child_stop(&child, PATIENCE);
        CHECK(WIFSIGNALED(child.exit_status) && WTERMSIG(child.exit_status) == SIGTERM);
    }
    if (start_shell(&child, "kill -PIPE $$; echo survived", NULL)) {
        CHECK(read_line(child.in, text, sizeof text) == 0);
        mcpw_child_stop(&child, PATIENCE);
        CHECK(WIFSIGNALED(child.exit_status) && WTERMSIG(child.exit_status) == SIGPIPE);
    }
    (void)sigprocmask(SIG_SETMASK, &mask, NULL);
    (void)sigaction(SIGPIPE, &before, NULL);
}

/* In a process of its own, whose status tells: 0 when the child worked. */
static int without_standard_descriptors(void) {
    mcpw_child child = MCPW_CHILD_INIT;
    const char *const argv[] = {"sh", "-c", "echo on stderr >&2; cat", NULL};
    lines l = {{0}, 0, 0};
    const mcpw_spawn spawn = shell(argv, &l);
    char text[64];
    (void)close(0);
    (void)close(1);
    (void)close(2);
    if (mcpw_child_start(&child, &spawn, NULL) != MCPW_OK) {
        return 1;
    }
    if (write(child.out, "word\n", 5) != 5) {
        return 2;
    }
    (void)read_line(child.in, text, sizeof text);
    mcpw_child_stop(&child, PATIENCE);
    if (strcmp(text, "word") != 0) {
        return 3;
    }
    return l.len == 10 && memcmp(l.text, "on stderr|", 10) == 0 ? 0 : 4;
}

/* As above: 0 when the child has a standard error that leads nowhere, so that no file of its can become it.
 */
static int without_standard_error(void) {
    mcpw_child child = MCPW_CHILD_INIT;
    const char *const argv[] = {"sh", "-c", "readlink /proc/$$/fd/2", NULL};
    const mcpw_spawn spawn = shell(argv, NULL);
    char text[64];
    (void)close(2);
    if (mcpw_child_start(&child, &spawn, NULL) != MCPW_OK) {
        return 1;
    }
    (void)read_line(child.in, text, sizeof text);
    mcpw_child_stop(&child, PATIENCE);
    return strcmp(text, "/dev/null") == 0 || access("/proc/self/fd", R_OK) != 0 ? 0 : 2;
}

static int in_a_process_of_its_own(int (*what)(void)) {
    const pid_t pid = fork();
    int status = -1;
    if (pid == 0) {
        exit(what());
    }
    CHECK(waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The child signals all of its group: this process is in another, or it would end here. */
static void a_group_of_its_own_keeps_signals_apart(void) {
    const char *const argv[] = {"sh", "-c", "kill -TERM 0; sleep 60", NULL};
    mcpw_child child = MCPW_CHILD_INIT;
    mcpw_spawn spawn = shell(argv, NULL);
    mcpw_error error = {0};
    spawn.own_group = true;
    CHECK(mcpw_child_start(&child, &spawn, &error) == MCPW_OK);
    mcpw_child_stop(&child, 10000);
    CHECK(WIFSIGNALED(child.exit_status) && WTERMSIG(child.exit_status) == SIGTERM);
}

static void closed_standard_descriptors_do_not_matter(void) {
    CHECK(in_a_process_of_its_own(without_standard_descriptors) == 0);
    CHECK(in_a_process_of_its_own(without_standard_error) == 0);
}

/* ---- Where the system has nothing left ---- */

/* The pipes, and what forking needs, at each descriptor that is one too many. */
static void a_process_without_descriptors_says_so(void) {
    enum { MOST = 16 };
    const char *const argv[] = {"/bin/cat", NULL};
    lines l = {{0}, 0, 0};
    const mcpw_spawn spawn = shell(argv, &l);
    struct rlimit before;
    int failed = 0;
    bool started = false;
    CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0);
    for (int more = 0; more < MOST && !started; more++) {
        const int open_before = open_descriptors();
        const int next = dup(STDERR_FILENO);
        struct rlimit few = before;
        mcpw_child child = MCPW_CHILD_INIT;
        mcpw_error error = {0};
        (void)close(next);
        few.rlim_cur = (rlim_t)(next + more);
        CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
        started = mcpw_child_start(&child, &spawn, &error) == MCPW_OK;
        CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
        if (!started) {
            failed++;
            CHECK(error.code == MCPW_E_IO);
            char wanted[MCPW_ERROR_MESSAGE_SIZE]; /* C libraries have words of their own */
            (void)snprintf(wanted, sizeof wanted, "cannot start '/bin/cat': %s", strerror(EMFILE));
            CHECK_STRING(error.message, wanted);
            CHECK(child.pid == 0 && open_descriptors() == open_before);
        }
        mcpw_child_stop(&child, PATIENCE);
    }
    CHECK(started && failed >= 8); /* two for each pipe */
}

/* ---- Where commands are found ---- */

static void set_path(const char *path) {
    CHECK((path != NULL ? setenv("PATH", path, 1) : unsetenv("PATH")) == 0);
}

static void without_a_path_the_usual_folders_are_searched(void) {
    const char *const path = getenv("PATH");
    char *const before = path != NULL ? strdup(path) : NULL;
    mcpw_child child = MCPW_CHILD_INIT;
    set_path(NULL);
    if (start_shell(&child, "exit 3", NULL)) {
        mcpw_child_stop(&child, PATIENCE);
        CHECK(WIFEXITED(child.exit_status) && WEXITSTATUS(child.exit_status) == 3);
    }
    set_path(before);
    free(before);
}

/* A folder of that name, and a file that may not be run, are no command; an empty entry is where we are. */
static void a_command_is_a_file_that_can_be_run(void) {
    static const char script[] = "#!/bin/sh\nexit 5\n";
    const char *const argv[] = {"mcpw-command", NULL};
    const mcpw_spawn spawn = shell(argv, NULL);
    const char *const path = getenv("PATH");
    char *const before = path != NULL ? strdup(path) : NULL;
    char folder[] = "/tmp/mcpw-test-XXXXXX";
    char list[128];
    const int here = open(".", O_RDONLY | O_CLOEXEC);
    mcpw_child child = MCPW_CHILD_INIT;
    mcpw_error error = {0};
    CHECK(mkdtemp(folder) != NULL && chdir(folder) == 0 && mkdir("sub", 0755) == 0);
    CHECK(mkdir("sub/mcpw-command", 0755) == 0);
    (void)snprintf(list, sizeof list, "%s/sub:%s/missing", folder, folder);
    set_path(list);
    CHECK(mcpw_child_start(&child, &spawn, &error) == MCPW_E_IO);
    CHECK_STRING(error.message, "cannot start 'mcpw-command': No such file or directory");
    const int file = open("mcpw-command", O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
    CHECK(write(file, script, sizeof script - 1) == (ssize_t)sizeof script - 1 && close(file) == 0);
    (void)snprintf(list, sizeof list, "%s/sub:", folder);
    set_path(list);
    CHECK(mcpw_child_start(&child, &spawn, &error) == MCPW_OK);
    mcpw_child_stop(&child, PATIENCE);
    CHECK(WIFEXITED(child.exit_status) && WEXITSTATUS(child.exit_status) == 5);
    CHECK(unlink("mcpw-command") == 0 && rmdir("sub/mcpw-command") == 0 && rmdir("sub") == 0);
    CHECK(fchdir(here) == 0 && close(here) == 0 && rmdir(folder) == 0);
    set_path(before);
    free(before);
}

static void arguments_have_to_be_there(void) {
    const char *const empty[] = {NULL};
    const mcpw_spawn nothing = shell(empty, NULL);
    const mcpw_spawn none = shell(NULL, NULL);
    mcpw_child child = MCPW_CHILD_INIT;
    CHECK(mcpw_child_start(NULL, &nothing, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_child_start(&child, NULL, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_child_start(&child, &none, NULL) == MCPW_E_ARGUMENT);
    CHECK(mcpw_child_start(&child, &nothing, NULL) == MCPW_E_ARGUMENT);
    mcpw_child_stderr(NULL);
    mcpw_child_stderr(&child);
}

int main(void) {
    if (access("/bin/sh", X_OK) != 0) {
        (void)fprintf(stderr, "skipped: no /bin/sh\n");
        return CHECK_SKIPPED;
    }
    RUN(a_child_answers_over_its_pipes);
    RUN(a_command_that_is_missing_is_named);
    RUN(a_file_that_cannot_be_run_is_named);
    RUN(a_missing_folder_is_told_from_a_missing_command);
    RUN(no_command_is_refused);
    RUN(a_child_that_runs_is_not_started_over);
    RUN(the_folder_of_the_child_is_set);
    RUN(the_environment_of_the_child_is_set);
    RUN(the_environment_is_inherited_otherwise);
    RUN(standard_error_comes_by_line);
    RUN(reading_standard_error_does_not_wait);
    RUN(a_line_of_standard_error_that_is_too_long_is_told);
    RUN(a_line_of_standard_error_has_64_kib_at_most);
    RUN(much_on_standard_error_is_read_while_the_child_ends);
    RUN(a_child_that_still_writes_can_end);
    RUN(a_child_that_stays_is_asked_to_end);
    RUN(a_child_that_will_not_end_is_killed);
    RUN(a_child_that_has_ended_is_reaped);
    RUN(a_grandchild_that_holds_the_pipes_is_not_waited_for);
    RUN(a_child_that_someone_else_reaped_is_over);
    RUN(stopping_twice_does_no_harm);
    RUN(no_descriptor_is_left_open);
    RUN(descriptors_are_not_inherited_by_a_sibling);
    RUN(signals_are_back_to_their_defaults_in_the_child);
    RUN(a_group_of_its_own_keeps_signals_apart);
    RUN(closed_standard_descriptors_do_not_matter);
    RUN(a_process_without_descriptors_says_so);
    RUN(without_a_path_the_usual_folders_are_searched);
    RUN(a_command_is_a_file_that_can_be_run);
    RUN(arguments_have_to_be_there);
    return check_end();
}
