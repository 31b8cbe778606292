/* SPDX-License-Identifier: MIT */
/* Opens a URL in the user's browser. The URL comes from a server, and mcpw_login_may_open has looked at it:
 * it is http or https, so the system starts no other program for it. */
#include "login_internal.h"
#include "os_win.h"

#include <shellapi.h>
#include <stdlib.h>

enum { LEAST_SUCCESS = 33 /* of ShellExecuteW() */ };

/* The browser that the user has chosen in the system. */
static bool open_usual(const char *url) {
    wchar_t *const wide = mcpw_os_wide(url);
    const bool is_open = wide != NULL && (INT_PTR)ShellExecuteW(NULL, L"open", wide, NULL, NULL,
                                                                SW_SHOWNORMAL) >= LEAST_SUCCESS;
    free(wide);
    return is_open;
}

/* Starts a program with the URL as its argument, and without handles of this one. */
static bool start(const char *program, const char *url, mcpw_login_browser *browser) {
    const char *const argv[] = {program, url, NULL};
    wchar_t *const path = mcpw_os_find_command(program);
    wchar_t *const file = path != NULL ? mcpw_os_program(path) : NULL;
    wchar_t *const line = file != NULL ? mcpw_os_command_line(path, argv) : NULL;
    STARTUPINFOW how;
    PROCESS_INFORMATION made;
    memset(&how, 0, sizeof how);
    how.cb = sizeof how;
    const bool is_started = line != NULL && CreateProcessW(file, line, NULL, NULL, FALSE,
                                                           CREATE_NEW_PROCESS_GROUP | DETACHED_PROCESS, NULL,
                                                           NULL, &how, &made) != 0;
    if (is_started) {
        (void)CloseHandle(made.hThread);
        *browser = (mcpw_login_browser)made.hProcess;
    }
    free(line);
    free(file);
    free(path);
    return is_started;
}

mcpw_status mcpw_login_open_browser(const char *commands, const char *url, mcpw_login_browser *browser,
                                    mcpw_error *error) {
    const char *const given = commands != NULL ? commands : getenv("BROWSER");
    const bool is_open = given != NULL && given[0] != '\0' ? start(given, url, browser) : open_usual(url);
    return is_open ? MCPW_OK
                   : mcpw_error_set(error, MCPW_E_NOT_FOUND, 0,
                                    "no browser can be started: set BROWSER, or open the URL by hand");
}

void mcpw_login_reap(mcpw_login_browser *browser) {
    if (*browser != 0 && WaitForSingleObject((HANDLE)*browser, 0) == WAIT_OBJECT_0) {
        (void)CloseHandle((HANDLE)*browser);
        *browser = 0;
    }
}
