/* SPDX-License-Identifier: MIT */
/* Parts of the port layer that only Windows has: command lines, endings of commands, jobs. The oracle of
 * quoting is the function by which Windows itself takes a command line apart. */
#include "../../runtime/transport/os_win.h"
#include "check.h"

#include <mcpw/system.h>

#include <shellapi.h>
#include <stdlib.h>
#include <wchar.h>
#include <winternl.h>

enum { LONGEST = 6, A_WHILE = 5000, A_LITTLE = 20 };

/* Whether a program gets these three arguments by a command line. */
static bool are_read(const wchar_t *line, const wchar_t *first, const char *second) {
    wchar_t *const wide = mcpw_os_wide(second);
    int count = 0;
    wchar_t **const read = CommandLineToArgvW(line, &count);
    const bool same = count == 3 && wcscmp(read[0], first) == 0 && wcscmp(read[1], wide) == 0 &&
                      wcscmp(read[2], L"last") == 0;
    (void)LocalFree(read);
    free(wide);
    return same;
}

/* Tries every argument of the characters, up to a length. */
static void try_arguments(const char *characters, void (*try)(const char *text)) {
    const size_t kinds = strlen(characters);
    char text[LONGEST + 1];
    size_t combinations = 1;
    for (size_t len = 0; len <= LONGEST; len++, combinations *= kinds) {
        for (size_t number = 0; number < combinations; number++) {
            size_t rest = number;
            for (size_t i = 0; i < len; i++, rest /= kinds) {
                text[i] = characters[rest % kinds];
            }
            text[len] = '\0';
            try(text);
        }
    }
}

static void try_program(const char *text) {
    const char *const argv[] = {"program", text, "last", NULL};
    wchar_t *const line = mcpw_os_command_line(L"C:\\a b\\program.exe", argv);
    CHECK(line != NULL && are_read(line, L"C:\\a b\\program.exe", text));
    free(line);
}

static void every_short_argument_is_read_back(void) { try_arguments("a \\\"", try_program); }

/* A batch file passes its arguments on as they stand: what follows its name, without the last quotation
 * mark, which cmd.exe has removed. */
static void try_batch(const char *text) {
    static const wchar_t name[] = L"run.cmd\"";
    const char *const argv[] = {"run", text, "last", NULL};
    wchar_t *const line = mcpw_os_command_line(L"C:\\a b\\run.cmd", argv);
    wchar_t *const passed = line != NULL ? wcsstr(line, name) : NULL;
    CHECK(passed != NULL);
    if (passed != NULL) {
        passed[wcslen(name) - 1] = L' ';
        passed[wcslen(passed) - 1] = L'\0';
        CHECK(are_read(passed, L"run.cmd", text));
    }
    free(line);
}

static void every_short_argument_is_read_back_behind_a_batch_file(void) { try_arguments("a \\&", try_batch); }

static void other_characters_stay_as_they_are(void) {
    static const char *const argv[] = {"p", "gr\xC3\xBC\xC3\x9F\x65 \xF0\x9F\x90\xA7", "%PATH%", NULL};
    wchar_t *const line = mcpw_os_command_line(L"p.exe", argv);
    CHECK(line != NULL && wcscmp(line, L"\"p.exe\" \"gr\u00fc\u00dfe \U0001F427\" %PATH%") == 0);
    free(line);
}

static void text_that_is_no_utf8_is_refused(void) {
    static const char *const argv[] = {"p", "\xFF", NULL};
    CHECK(mcpw_os_command_line(L"p.exe", argv) == NULL && GetLastError() == ERROR_NO_UNICODE_TRANSLATION);
}

static void a_batch_file_is_run_by_the_cmd_of_the_system(void) {
    static const char *const argv[] = {"run", "two words", "&calc", NULL};
    static const wchar_t rest[] =
        L"\\cmd.exe /d /e:on /v:off /s /c \" \"C:\\x y\\run.CMD\" \"two words\" \"&calc\"\"";
    wchar_t folder[MAX_PATH];
    const UINT len = GetSystemDirectoryW(folder, MAX_PATH);
    wchar_t *const line = mcpw_os_command_line(L"C:\\x y\\run.CMD", argv);
    wchar_t *const file = mcpw_os_program(L"C:\\x y\\run.CMD");
    CHECK(line != NULL && wcsncmp(line, folder, len) == 0 && wcscmp(line + len, rest) == 0);
    CHECK(file != NULL && wcsncmp(file, folder, len) == 0 && wcscmp(file + len, L"\\cmd.exe") == 0);
    free(file);
    free(line);
}

/* Windows starts the same files for these names, so their arguments are those of a batch file. */
static void a_batch_file_is_one_with_dots_and_blanks_at_its_end(void) {
    static const wchar_t *const names[] = {L"run.bat.", L"run.cmd ", L"C:\\a\\run.BAT. .. "};
    static const wchar_t *const others[] = {L"run.exe. ", L"run.cmd.exe", L"bat", L". .", L""};
    static const char *const argv[] = {"run", "a\" & calc", NULL};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        SetLastError(0);
        CHECK(mcpw_os_command_line(names[i], argv) == NULL && GetLastError() == ERROR_BAD_ARGUMENTS);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        wchar_t *const line = mcpw_os_command_line(others[i], argv);
        CHECK(line != NULL);
        free(line);
    }
}

/* cmd.exe would take them for commands and variables. */
static void arguments_that_a_batch_file_cannot_have_are_refused(void) {
    static const char *const bad[] = {"a\" & calc", "%PATH%", "!x!", "a\nb", "\r"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *const argv[] = {"run", bad[i], NULL};
        SetLastError(0);
        CHECK(mcpw_os_command_line(L"run.bat", argv) == NULL && GetLastError() == ERROR_BAD_ARGUMENTS);
    }
}

static void a_command_is_found_without_its_ending(void) {
    wchar_t *const path = mcpw_os_find_command("cmd");
    CHECK(path != NULL && wcslen(path) > 8 && _wcsicmp(path + wcslen(path) - 8, L"\\cmd.exe") == 0);
    free(path);
    CHECK(mcpw_os_find_command("no-such-command") == NULL && GetLastError() == ERROR_FILE_NOT_FOUND);
}

static void an_environment_is_a_block_of_texts(void) {
    static const char *const env[] = {"A=1", "B=\xC3\xBC", NULL};
    static const wchar_t want[] = L"A=1\0B=\u00fc\0";
    wchar_t *const block = mcpw_os_environment(env);
    CHECK(block != NULL && memcmp(block, want, sizeof want) == 0);
    free(block);
}

/* ---- Jobs ---------------------------------------------------------------------------------------------- */

static const char *program;

static void keep_pid(void *user, mcpw_str line) { *(DWORD *)user = (DWORD)strtoul(line.ptr, NULL, 10); }

/* Starts a child of its own, writes that one's process id to standard error, and hangs. */
static int have_child(void) {
    const char *const argv[] = {program, "hang", NULL};
    const mcpw_spawn spawn = {.argv = argv};
    mcpw_child child = MCPW_CHILD_INIT;
    if (mcpw_child_start(&child, &spawn, NULL) == MCPW_OK) {
        (void)fprintf(stderr, "%lld\n", (long long)child.pid);
        (void)fflush(stderr);
        Sleep(A_WHILE);
    }
    return 1;
}

static void processes_of_a_child_end_with_it(void) {
    DWORD pid = 0;
    const char *const argv[] = {program, "parent", NULL};
    const mcpw_spawn spawn = {.argv = argv, .on_stderr = keep_pid, .user = &pid};
    mcpw_child child = MCPW_CHILD_INIT;
    CHECK(mcpw_child_start(&child, &spawn, NULL) == MCPW_OK);
    for (int i = 0; i < A_WHILE / A_LITTLE && pid == 0; i++) {
        Sleep(A_LITTLE);
        mcpw_child_stderr(&child);
    }
    const HANDLE other = OpenProcess(SYNCHRONIZE, FALSE, pid);
    CHECK(pid != 0 && other != NULL && WaitForSingleObject(other, 0) == WAIT_TIMEOUT);
    mcpw_child_stop(&child, A_LITTLE);
    CHECK(WaitForSingleObject(other, A_WHILE) == WAIT_OBJECT_0);
    (void)CloseHandle(other);
}

/* A child inherits its three handles and no other. */
static void other_handles_are_not_inherited(void) {
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    const HANDLE event = CreateEventW(&inherited, TRUE, FALSE, NULL);
    char number[32];
    (void)snprintf(number, sizeof number, "%llu", (unsigned long long)(uintptr_t)event);
    const char *const argv[] = {program, "set", number, NULL};
    const mcpw_spawn spawn = {.argv = argv};
    mcpw_child child = MCPW_CHILD_INIT;
    CHECK(mcpw_child_start(&child, &spawn, NULL) == MCPW_OK);
    mcpw_child_stop(&child, A_WHILE);
    CHECK(WaitForSingleObject(event, 0) == WAIT_TIMEOUT);
    (void)CloseHandle(event);
}

static void write_batch(const char *text) {
    FILE *const file = fopen("run.bat", "wb");
    CHECK(file != NULL && fputs(text, file) >= 0);
    if (file != NULL) {
        (void)fclose(file);
    }
}

/* The cmd.exe of this folder is this program, which would return another status. */
static void a_batch_file_is_not_run_by_a_cmd_of_the_current_folder(void) {
    enum { STATUS = 7 };
    const char *const argv[] = {".\\run.bat", "argument", NULL};
    const mcpw_spawn spawn = {.argv = argv};
    mcpw_child child = MCPW_CHILD_INIT;
    wchar_t before[MAX_PATH];
    wchar_t folder[MAX_PATH];
    wchar_t self[MAX_PATH];
    (void)GetModuleFileNameW(NULL, self, MAX_PATH);
    (void)GetCurrentDirectoryW(MAX_PATH, before);
    (void)GetTempPathW(MAX_PATH, folder);
    (void)GetTempFileNameW(folder, L"mcp", 0, folder);
    CHECK(DeleteFileW(folder) && CreateDirectoryW(folder, NULL) && SetCurrentDirectoryW(folder));
    CHECK(CopyFileW(self, L"cmd.exe", TRUE));
    write_batch("@exit 7\r\n");
    CHECK(mcpw_child_start(&child, &spawn, NULL) == MCPW_OK);
    mcpw_child_stop(&child, A_WHILE);
    CHECK(child.exit_status == STATUS);
    CHECK(DeleteFileW(L"cmd.exe") && DeleteFileW(L"run.bat"));
    CHECK(SetCurrentDirectoryW(before) && RemoveDirectoryW(folder));
}

static void random_bytes_need_no_library(void) {
    unsigned char bytes[2][32];
    memset(bytes, 0, sizeof bytes);
    CHECK(mcpw_random(bytes[0], sizeof bytes[0]) == MCPW_OK &&
          mcpw_random(bytes[1], sizeof bytes[1]) == MCPW_OK);
    CHECK(memcmp(bytes[0], bytes[1], sizeof bytes[0]) != 0);
    CHECK(mcpw_random(bytes, 0) == MCPW_OK);
}

/* The rights of CreatePipe(), which runtimes of other languages rely on. */
static void a_child_may_change_the_modes_of_its_pipes(void) {
    for (int writes = 0; writes < 2; writes++) {
        HANDLE ours = NULL;
        HANDLE theirs = NULL;
        DWORD mode = PIPE_READMODE_BYTE | PIPE_WAIT;
        PUBLIC_OBJECT_BASIC_INFORMATION object = {0};
        CHECK(mcpw_os_pipe(writes != 0, &ours, &theirs));
        CHECK(SetNamedPipeHandleState(theirs, &mode, NULL, NULL) != 0);
        CHECK(NtQueryObject(theirs, ObjectBasicInformation, &object, sizeof object, NULL) == 0);
        CHECK((object.GrantedAccess & FILE_WRITE_ATTRIBUTES) != 0); /* Wine does not ask for it */
        (void)CloseHandle(theirs);
        (void)CloseHandle(ours);
    }
}

/* The system waits for no more, and says so. */
static void more_handles_than_the_system_waits_for_are_an_error(void) {
    mcpw_pollfd entries[MAXIMUM_WAIT_OBJECTS + 1];
    int number = 0;
    for (size_t i = 0; i <= MAXIMUM_WAIT_OBJECTS; i++) {
        entries[i] = (mcpw_pollfd){(mcpw_handle)CreateEventW(NULL, TRUE, i + 1 == MAXIMUM_WAIT_OBJECTS, NULL),
                                   MCPW_OS_IN, 0};
    }
    CHECK(mcpw_os_wait(entries, MAXIMUM_WAIT_OBJECTS, A_WHILE, &number) == 1);
    CHECK(entries[MAXIMUM_WAIT_OBJECTS - 1].revents != 0 && entries[0].revents == 0);
    CHECK(mcpw_os_wait(entries, MAXIMUM_WAIT_OBJECTS + 1, A_WHILE, &number) == MCPW_OS_FAILED);
    CHECK(number == ERROR_TOO_MANY_POSTS);
    for (size_t i = 0; i <= MAXIMUM_WAIT_OBJECTS; i++) {
        (void)CloseHandle((HANDLE)entries[i].fd);
    }
}

/* ---- Transfers ----------------------------------------------------------------------------------------- */

/* Reads a whole stream; returns the number of bytes. */
static size_t read_all(mcpw_os_stream *stream, char *bytes, size_t room) {
    size_t len = 0;
    int number = 0;
    ptrdiff_t got = 1;
    for (uint64_t until = mcpw_os_now() + A_WHILE;
         got != 0 && got != MCPW_OS_FAILED && mcpw_os_now() < until;) {
        got = mcpw_os_read(stream, bytes + len, room - len, &number);
        len += got > 0 ? (size_t)got : 0;
        if (got == MCPW_OS_AGAIN) {
            mcpw_os_sleep(1);
        }
    }
    CHECK(got == 0);
    return len;
}

static void write_all(mcpw_os_stream *stream, const char *text) {
    int number = 0;
    size_t left = strlen(text);
    for (uint64_t until = mcpw_os_now() + A_WHILE; left != 0 && mcpw_os_now() < until;) {
        const ptrdiff_t wrote = mcpw_os_write(stream, text, left, &number);
        CHECK(wrote >= 0 || wrote == MCPW_OS_AGAIN);
        text += wrote > 0 ? wrote : 0;
        left -= wrote > 0 ? (size_t)wrote : 0;
    }
    CHECK(left == 0);
}

static void an_overlapped_file_is_read_and_written_in_order(void) {
    wchar_t path[MAX_PATH];
    char bytes[16];
    int number = 0;
    mcpw_os_stream stream;
    (void)GetTempPathW(MAX_PATH, path);
    (void)GetTempFileNameW(path, L"mcp", 0, path);
    const HANDLE file = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING,
                                    FILE_FLAG_OVERLAPPED | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    CHECK(mcpw_os_output_begin(&stream, (mcpw_handle)file, &number));
    write_all(&stream, "first ");
    write_all(&stream, "second");
    mcpw_os_stream_end(&stream);
    CHECK(mcpw_os_input_begin(&stream, (mcpw_handle)file, &number));
    const size_t len = read_all(&stream, bytes, sizeof bytes);
    CHECK_TEXT(bytes, len, "first second");
    mcpw_os_stream_end(&stream);
    (void)CloseHandle(file);
}

/* More than a piece, which is there before it is asked for. */
static void a_long_message_of_a_pipe_is_read_whole(void) {
    enum { LEN = MCPW_OS_PIECE + MCPW_OS_PIECE / 2, PARTS = 2 };
    static char sent[LEN];
    static char bytes[PARTS * LEN];
    DWORD wrote = 0;
    int number = 0;
    mcpw_os_stream stream;
    const wchar_t *const name = L"\\\\.\\pipe\\mcpwire-test-of-messages";
    const HANDLE here =
        CreateNamedPipeW(name, PIPE_ACCESS_INBOUND | FILE_FLAG_OVERLAPPED,
                         PIPE_TYPE_MESSAGE | PIPE_READMODE_MESSAGE, 1, 0, PARTS * LEN, 0, NULL);
    const HANDLE there = CreateFileW(name, GENERIC_WRITE, 0, NULL, OPEN_EXISTING, 0, NULL);
    for (size_t i = 0; i < LEN; i++) {
        sent[i] = (char)(i % 'z');
    }
    CHECK(WriteFile(there, sent, LEN, &wrote, NULL) && wrote == LEN);
    CHECK(CloseHandle(there));
    CHECK(mcpw_os_input_begin(&stream, (mcpw_handle)here, &number));
    CHECK(read_all(&stream, bytes, sizeof bytes) == LEN && memcmp(bytes, sent, LEN) == 0);
    mcpw_os_stream_end(&stream);
    (void)CloseHandle(here);
}

static void read_none(void *user) {
    char byte;
    int number = 0;
    CHECK(mcpw_os_read(user, &byte, 1, &number) == MCPW_OS_AGAIN);
}

/* The system cancels what a thread has begun when it ends. */
static void a_read_goes_on_after_the_end_of_its_thread(void) {
    HANDLE ours = NULL;
    HANDLE theirs = NULL;
    DWORD wrote = 0;
    char bytes[8];
    int number = 0;
    mcpw_os_stream stream;
    mcpw_os_thread thread;
    CHECK(mcpw_os_pipe(false, &ours, &theirs));
    CHECK(mcpw_os_input_begin(&stream, (mcpw_handle)ours, &number));
    CHECK(mcpw_os_thread_start(&thread, read_none, &stream) == 0);
    mcpw_os_thread_join(&thread);
    const mcpw_pollfd waited = mcpw_os_wait_input(&stream);
    CHECK(WaitForSingleObject((HANDLE)waited.fd, A_LITTLE) == WAIT_TIMEOUT);
    CHECK(WriteFile(theirs, "text", 4, &wrote, NULL) && CloseHandle(theirs));
    const size_t len = read_all(&stream, bytes, sizeof bytes);
    CHECK_TEXT(bytes, len, "text");
    mcpw_os_stream_end(&stream);
    (void)CloseHandle(ours);
}

/* ---- Standard error ------------------------------------------------------------------------------------ */

enum { CAPACITY = 1 << 16 };

/* Writes more than a pipe takes, so it waits for the reader. */
static void write_too_much(void *user) {
    static const char zeros[2 * CAPACITY];
    DWORD wrote = 0;
    CHECK(WriteFile(user, zeros, sizeof zeros, &wrote, NULL) && wrote == sizeof zeros);
}

/* The other thread stands for a child that has the same handle. */
static void a_diagnostic_does_not_wait_for_who_writes_to_standard_error(void) {
    static char bytes[2 * CAPACITY + 16];
    const HANDLE before = GetStdHandle(STD_ERROR_HANDLE);
    HANDLE ours = NULL;
    HANDLE theirs = NULL;
    int number = 0;
    mcpw_os_thread thread;
    mcpw_os_stream error;
    mcpw_os_stream reader;
    CHECK(mcpw_os_pipe(false, &ours, &theirs) && SetStdHandle(STD_ERROR_HANDLE, theirs));
    mcpw_os_stream_init(&error);
    CHECK(mcpw_os_thread_start(&thread, write_too_much, theirs) == 0);
    mcpw_os_sleep(A_LITTLE);
    const uint64_t begun = mcpw_os_now();
    CHECK(mcpw_os_write_error(&error, "first\n", 6));   /* it waits, and is written later */
    CHECK(!mcpw_os_write_error(&error, "second\n", 7)); /* which would wait as well */
    CHECK(mcpw_os_now() - begun < A_WHILE);
    CHECK(mcpw_os_input_begin(&reader, (mcpw_handle)ours, &number));
    for (size_t len = 0; len < 2 * CAPACITY + 6 && mcpw_os_now() - begun < A_WHILE;) {
        const ptrdiff_t got = mcpw_os_read(&reader, bytes + len, sizeof bytes - len, &number);
        len += got > 0 ? (size_t)got : 0;
    }
    CHECK_TEXT(bytes + 2 * CAPACITY, 6, "first\n");
    mcpw_os_thread_join(&thread);
    CHECK(mcpw_os_write_error(&error, "third\n", 6));
    mcpw_os_stream_end(&error);
    mcpw_os_stream_end(&reader);
    CHECK(SetStdHandle(STD_ERROR_HANDLE, before));
    CHECK(CloseHandle(theirs) && CloseHandle(ours));
}

static void read_later(void *user) {
    static char zeros[2 * CAPACITY];
    DWORD got = 0;
    DWORD len = 0;
    mcpw_os_sleep(A_LITTLE);
    while (len < 2 * CAPACITY && ReadFile(user, zeros, 2 * CAPACITY - len, &got, NULL)) {
        len += got;
    }
}

/* A server says its address by a writer that it frees at once. */
static void the_last_diagnostic_has_a_moment_more(void) {
    char bytes[8] = "";
    const HANDLE before = GetStdHandle(STD_ERROR_HANDLE);
    HANDLE ours = NULL;
    HANDLE theirs = NULL;
    DWORD got = 0;
    mcpw_os_thread writer;
    mcpw_os_thread reader;
    mcpw_os_stream error;
    CHECK(mcpw_os_pipe(false, &ours, &theirs) && SetStdHandle(STD_ERROR_HANDLE, theirs));
    mcpw_os_stream_init(&error);
    CHECK(mcpw_os_thread_start(&writer, write_too_much, theirs) == 0);
    mcpw_os_sleep(A_LITTLE);
    CHECK(mcpw_os_thread_start(&reader, read_later, ours) == 0);
    CHECK(mcpw_os_write_error(&error, "last\n", 5));
    mcpw_os_stream_end(&error);
    mcpw_os_thread_join(&reader);
    mcpw_os_thread_join(&writer);
    CHECK(SetStdHandle(STD_ERROR_HANDLE, before) && CloseHandle(theirs));
    CHECK(ReadFile(ours, bytes, sizeof bytes, &got, NULL));
    CHECK_TEXT(bytes, got, "last\n");
    CHECK(CloseHandle(ours));
}

/* The same when the thread that writes has not run yet. */
static void bytes_given_to_a_thread_are_written_after_the_end_of_their_transfer(void) {
    enum { ROUNDS = 20, LEN = 5 };
    for (int i = 0; i < ROUNDS; i++) {
        HANDLE ours = NULL;
        HANDLE theirs = NULL;
        DWORD there = 0;
        int number = 0;
        CHECK(mcpw_os_pipe(false, &ours, &theirs));
        mcpw_os_transfer *const t = mcpw_os_transfer_by_thread((mcpw_handle)theirs, true, &number);
        CHECK(t != NULL);
        memcpy(mcpw_os_transfer_bytes(t), "last\n", LEN);
        mcpw_os_transfer_begin(t, LEN);
        mcpw_os_transfer_free(t);
        for (int waited = 0; there == 0 && waited < A_WHILE; waited += A_LITTLE) {
            CHECK(PeekNamedPipe(ours, NULL, 0, NULL, &there, NULL));
            mcpw_os_sleep(there == 0 ? A_LITTLE : 0);
        }
        CHECK(there == LEN);
        CHECK(CloseHandle(ours) && CloseHandle(theirs));
    }
}

static void measure_stack(void *user) {
    ULONG_PTR low = 0;
    ULONG_PTR high = 0;
    GetCurrentThreadStackLimits(&low, &high);
    *(size_t *)user = high - low;
}

/* This program is linked with 1 MiB (CMakeLists.txt), as those of Microsoft's linker are. */
static void a_thread_has_room_for_the_deepest_check(void) {
    enum { LEAST = 4 << 20 };
    mcpw_os_thread thread;
    size_t mine = 0;
    size_t its = 0;
    measure_stack(&mine);
    CHECK(mine < LEAST);
    CHECK(mcpw_os_thread_start(&thread, measure_stack, &its) == 0);
    mcpw_os_thread_join(&thread);
    CHECK(its >= LEAST);
}

int main(int argc, char **argv) {
    program = argv[0];
    if (argc > 2) {
        return SetEvent((HANDLE)(uintptr_t)strtoull(argv[2], NULL, 10)) ? 0 : 1;
    }
    if (argc > 1) {
        Sleep(strcmp(argv[1], "hang") == 0 ? A_WHILE * 2 : 0);
        return have_child();
    }
    RUN(every_short_argument_is_read_back);
    RUN(every_short_argument_is_read_back_behind_a_batch_file);
    RUN(other_characters_stay_as_they_are);
    RUN(text_that_is_no_utf8_is_refused);
    RUN(a_batch_file_is_run_by_the_cmd_of_the_system);
    RUN(a_batch_file_is_one_with_dots_and_blanks_at_its_end);
    RUN(arguments_that_a_batch_file_cannot_have_are_refused);
    RUN(a_command_is_found_without_its_ending);
    RUN(an_environment_is_a_block_of_texts);
    RUN(processes_of_a_child_end_with_it);
    RUN(other_handles_are_not_inherited);
    RUN(a_batch_file_is_not_run_by_a_cmd_of_the_current_folder);
    RUN(random_bytes_need_no_library);
    RUN(a_child_may_change_the_modes_of_its_pipes);
    RUN(more_handles_than_the_system_waits_for_are_an_error);
    RUN(an_overlapped_file_is_read_and_written_in_order);
    RUN(a_long_message_of_a_pipe_is_read_whole);
    RUN(a_read_goes_on_after_the_end_of_its_thread);
    RUN(a_diagnostic_does_not_wait_for_who_writes_to_standard_error);
    RUN(the_last_diagnostic_has_a_moment_more);
    RUN(a_thread_has_room_for_the_deepest_check);
    RUN(bytes_given_to_a_thread_are_written_after_the_end_of_their_transfer);
    return check_end();
}
