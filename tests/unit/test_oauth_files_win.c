/* SPDX-License-Identifier: MIT */
/* The store of tokens in files of Windows. */
#include "../../runtime/transport/os_win.h"
#include "check.h"

#include <mcpw/oauth.h>

#include <wchar.h>

enum { A_WHILE = 700 /* ms that a file is held open */, ROOM = MAX_PATH + 16 };

static wchar_t folder[ROOM];

static void make_folder(char *path, size_t size) {
    (void)GetTempPathW(MAX_PATH, folder);
    (void)GetTempFileNameW(folder, L"mcp", 0, folder);
    CHECK(DeleteFileW(folder));
    CHECK(WideCharToMultiByte(CP_UTF8, 0, folder, -1, path, (int)size, NULL, NULL) > 0);
}

/* The path of the only value. */
static void find_value(wchar_t *path) {
    WIN32_FIND_DATAW found;
    CHECK(swprintf(path, ROOM, L"%ls\\*.json", folder) > 0);
    const HANDLE search = FindFirstFileW(path, &found);
    CHECK(search != INVALID_HANDLE_VALUE && FindClose(search));
    CHECK(swprintf(path, ROOM, L"%ls\\%ls", folder, found.cFileName) > 0);
}

static void close_later(void *user) {
    mcpw_os_sleep(A_WHILE);
    (void)CloseHandle(user);
}

/* A virus scanner opens a file that was written, and forbids others to replace it meanwhile. */
static void a_value_is_saved_while_another_program_reads_the_old_one(void) {
    char path[ROOM];
    wchar_t file[ROOM];
    mcpw_error error;
    mcpw_os_thread thread;
    mcpw_str value;
    mcpw_arena arena = MCPW_ARENA_INIT;
    const mcpw_str key = MCPW_STR("key");
    make_folder(path, sizeof path);
    mcpw_oauth_store *const store = mcpw_oauth_files_new(path, &error);
    CHECK(store != NULL && store->save(store->self, key, MCPW_STR_VALUE("old")) == MCPW_OK);
    find_value(file);
    const HANDLE held = CreateFileW(file, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
    CHECK(held != INVALID_HANDLE_VALUE && mcpw_os_thread_start(&thread, close_later, held) == 0);
    CHECK(store->save(store->self, key, MCPW_STR_VALUE("new")) == MCPW_OK);
    mcpw_os_thread_join(&thread);
    CHECK(store->load(store->self, key, &arena, &value) == MCPW_OK);
    CHECK_TEXT(value.ptr, value.len, "new");
    CHECK(store->save(store->self, key, (mcpw_str){NULL, 0}) == MCPW_OK);
    mcpw_oauth_files_free(store);
    mcpw_arena_free(&arena);
    CHECK(RemoveDirectoryW(folder));
}

int main(void) {
    RUN(a_value_is_saved_while_another_program_reads_the_old_one);
    return check_end();
}
