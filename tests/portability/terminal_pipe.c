/* SPDX-License-Identifier: MIT */
/*
 * terminal_pipe PROGRAM ARGUMENT...: runs a program whose standard output is a pipe with the name that MSYS2
 * gives to its terminals, writes what comes from it to standard output, and has the program's exit status.
 */
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <wchar.h>

enum { NOT_STARTED = 99, ROOM = 4096 };

static const wchar_t name[] = L"\\\\.\\pipe\\msys-1888ae32e00d56aa-pty0-to-master";

/* The command line after the first word, which has no quotation marks and blanks in it. */
static wchar_t *rest_of_line(void) {
    wchar_t *at = GetCommandLineW();
    if (*at == L'"') {
        at = wcschr(at + 1, L'"') + 1;
    } else {
        at += wcscspn(at, L" ");
    }
    return at + wcsspn(at, L" ");
}

static DWORD pass(HANDLE from, const PROCESS_INFORMATION *made) {
    char bytes[ROOM];
    DWORD status = NOT_STARTED;
    DWORD count = 0;
    DWORD written = 0;
    while (ReadFile(from, bytes, sizeof bytes, &count, NULL) && count != 0) {
        (void)WriteFile(GetStdHandle(STD_OUTPUT_HANDLE), bytes, count, &written, NULL);
    }
    (void)WaitForSingleObject(made->hProcess, INFINITE);
    (void)GetExitCodeProcess(made->hProcess, &status);
    return status;
}

int main(void) {
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    STARTUPINFOW how = {.cb = sizeof how, .dwFlags = STARTF_USESTDHANDLES};
    PROCESS_INFORMATION made;
    const HANDLE ours =
        CreateNamedPipeW(name, PIPE_ACCESS_INBOUND, PIPE_TYPE_BYTE | PIPE_WAIT, 1, ROOM, ROOM, 0, NULL);
    const HANDLE theirs = CreateFileW(name, GENERIC_WRITE, 0, &inherited, OPEN_EXISTING, 0, NULL);
    how.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
    how.hStdOutput = theirs;
    how.hStdError = GetStdHandle(STD_ERROR_HANDLE);
    if (ours == INVALID_HANDLE_VALUE || theirs == INVALID_HANDLE_VALUE ||
        !CreateProcessW(NULL, rest_of_line(), NULL, NULL, TRUE, 0, NULL, NULL, &how, &made)) {
        return NOT_STARTED;
    }
    (void)CloseHandle(theirs);
    return (int)pass(ours, &made);
}
