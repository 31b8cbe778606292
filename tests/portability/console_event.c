/* SPDX-License-Identifier: MIT */
/*
 * console_event MS PROGRAM ARGUMENT...: runs a program, sends Ctrl-C to all programs of the console after so
 * many ms, and has its exit status. 99: the event could not be sent, 98: the program did not end. (Wine knows
 * no Ctrl-Break, which a group of its own could get.)
 */
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <stdlib.h>
#include <wchar.h>

enum { MOST_MS = 20000, NOT_STARTED = 97, NOT_ENDED = 98, NOT_SENT = 99, LEAST_ARGUMENTS = 3 };

/* The command line after the first two words, which have no quotation marks and blanks in them. */
static wchar_t *rest_of_line(void) {
    wchar_t *at = GetCommandLineW();
    if (*at == L'"') {
        at = wcschr(at + 1, L'"') + 1;
    } else {
        at += wcscspn(at, L" ");
    }
    at += wcsspn(at, L" ");
    at += wcscspn(at, L" ");
    return at + wcsspn(at, L" ");
}

/* It is for the other program. */
static BOOL WINAPI ignore(DWORD event) {
    (void)event;
    return TRUE;
}

static int end_it(const PROCESS_INFORMATION *made) {
    DWORD status = NOT_ENDED;
    if (!GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0)) {
        status = NOT_SENT;
    } else if (WaitForSingleObject(made->hProcess, MOST_MS) == WAIT_OBJECT_0) {
        (void)GetExitCodeProcess(made->hProcess, &status);
    }
    (void)TerminateProcess(made->hProcess, status);
    return (int)status;
}

int main(int argc, char **argv) {
    STARTUPINFOW how = {.cb = sizeof how};
    PROCESS_INFORMATION made;
    if (argc < LEAST_ARGUMENTS) {
        return NOT_STARTED;
    }
    (void)SetConsoleCtrlHandler(ignore, TRUE);
    if (!CreateProcessW(NULL, rest_of_line(), NULL, NULL, TRUE, 0, NULL, NULL, &how, &made)) {
        return NOT_STARTED;
    }
    Sleep((DWORD)strtoul(argv[1], NULL, 10));
    return end_it(&made);
}
