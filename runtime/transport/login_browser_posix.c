/* SPDX-License-Identifier: MIT */
/* Opens a URL in the user's browser. The URL comes from a server. It is one argument of a command, and no
 * shell reads it. */
#define _POSIX_C_SOURCE 200809L
#include "login_internal.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum {
    MOST_WORDS = 16,    /* of a command, its NULL included */
    COMMAND_SIZE = 1024 /* bytes of a command, its NUL included */
};

/* Splits a command at blanks. Its words lie in `text`. False: it has none, or too many. */
static bool split(char *text, const char *url, char *words[MOST_WORDS]) {
    size_t count = 0;
    bool has_url = false;
    char *rest = NULL;
    for (char *word = strtok_r(text, " \t", &rest); word != NULL; word = strtok_r(NULL, " \t", &rest)) {
        if (count + 2 >= MOST_WORDS) {
            return false;
        }
        const bool is_url = strcmp(word, "%s") == 0 || strcmp(word, "%u") == 0 || strcmp(word, "%U") == 0;
        words[count++] = is_url ? (char *)(uintptr_t)url : word;
        has_url = has_url || is_url;
    }
    if (count == 0) {
        return false;
    }
    if (!has_url) {
        words[count++] = (char *)(uintptr_t)url;
    }
    words[count] = NULL;
    return true;
}

/* Closes every descriptor in the child but the standard ones. Some of those that libcurl opens would stay
 * open otherwise, and a browser may run for days. */
static bool close_rest(posix_spawn_file_actions_t *files) {
    enum { MOST_FILES = 1 << 16 };
    const long limit = sysconf(_SC_OPEN_MAX);
    const int end = limit > 0 && limit < MOST_FILES ? (int)limit : MOST_FILES;
    bool is_done = true;
    for (int fd = STDERR_FILENO + 1; is_done && fd < end; fd++) {
        const int flags = fcntl(fd, F_GETFD);
        is_done = flags < 0 || (flags & FD_CLOEXEC) != 0 || posix_spawn_file_actions_addclose(files, fd) == 0;
    }
    return is_done;
}

/* Starts a command without standard input and output, which may carry messages of this program. */
static bool spawn(char *const words[], pid_t *pid) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none;
    bool is_started = false;
    (void)sigemptyset(&none);
    if (posix_spawn_file_actions_init(&files) != 0) {
        return false;
    }
    if (posix_spawnattr_init(&how) == 0) {
        is_started = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDWR, 0) == 0 &&
                     posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, STDOUT_FILENO) == 0 &&
                     posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, STDERR_FILENO) == 0 &&
                     close_rest(&files) && posix_spawnattr_setsigmask(&how, &none) == 0 &&
                     posix_spawnattr_setpgroup(&how, 0) == 0 &&
                     posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP) == 0 &&
                     posix_spawnp(pid, words[0], &files, &how, words, environ) == 0;
        (void)posix_spawnattr_destroy(&how);
    }
    (void)posix_spawn_file_actions_destroy(&files);
    return is_started;
}

mcpw_status mcpw_login_open_browser(const char *commands, const char *url, mcpw_login_browser *browser,
                                    mcpw_error *error) {
    const char *given = commands != NULL ? commands : getenv("BROWSER");
    const char *const last = commands != NULL ? "" : mcpw_login_opener();
    const char *at = given != NULL ? given : "";
    char command[COMMAND_SIZE];
    char *words[MOST_WORDS];
    pid_t pid = 0;
    while (at != NULL) {
        const size_t len = *at != '\0' ? strcspn(at, ":") : strlen(last);
        const char *const from = *at != '\0' ? at : last;
        if (len < sizeof command) {
            memcpy(command, from, len);
            command[len] = '\0';
            if (split(command, url, words) && spawn(words, &pid)) {
                *browser = pid;
                return MCPW_OK;
            }
        }
        at = *at == '\0' ? NULL : at[len] == ':' ? at + len + 1 : at + len;
    }
    return mcpw_error_set(error, MCPW_E_NOT_FOUND, 0,
                          "no browser can be started: set BROWSER, or open the URL by hand");
}

void mcpw_login_reap(mcpw_login_browser *browser) {
    if (*browser > 0 && waitpid((pid_t)*browser, NULL, WNOHANG) != 0) {
        *browser = 0;
    }
}
