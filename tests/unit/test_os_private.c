/* SPDX-License-Identifier: MIT */
/* Files and folders of Windows that only their owner can use. The lists are read back by the system's own
 * functions. */
#include "../../runtime/transport/os_win.h"
#include "check.h"

#include <mcpw/detail/private_file.h>

#include <aclapi.h>
#include <sddl.h>
#include <stdlib.h>

enum { MAKE = MCPW_PRIVATE_WRITE | MCPW_PRIVATE_MAKE };

static char folder[MAX_PATH + 16];

static const char *path_of(const char *name) {
    static char path[MAX_PATH + 64];
    (void)snprintf(path, sizeof path, "%s\\%s", folder, name);
    return path;
}

/* Whether the list of a file has an entry for anybody but the process's user, the system and administrators.
 */
static bool has_others(intptr_t file) {
    PSECURITY_DESCRIPTOR descriptor = NULL;
    PACL list = NULL;
    bool has = false;
    CHECK(GetSecurityInfo((HANDLE)file, SE_FILE_OBJECT, DACL_SECURITY_INFORMATION, NULL, NULL, &list, NULL,
                          &descriptor) == ERROR_SUCCESS);
    CHECK(list != NULL && list->AceCount != 0);
    for (DWORD i = 0; list != NULL && i < list->AceCount; i++) {
        ACCESS_ALLOWED_ACE *entry = NULL;
        char *sid = NULL;
        CHECK(GetAce(list, i, (void **)&entry) && ConvertSidToStringSidA(&entry->SidStart, &sid));
        /* Everyone, users who are logged in, users of this machine */
        has = has || strcmp(sid, "S-1-1-0") == 0 || strcmp(sid, "S-1-5-11") == 0 ||
              strcmp(sid, "S-1-5-32-545") == 0;
        (void)LocalFree(sid);
    }
    (void)LocalFree(descriptor);
    return has;
}

/* Lets everybody use a file. */
static void open_to_all(intptr_t file) {
    PSECURITY_DESCRIPTOR descriptor = NULL;
    PACL list = NULL;
    BOOL has_list = FALSE;
    BOOL is_usual = FALSE;
    CHECK(ConvertStringSecurityDescriptorToSecurityDescriptorA("D:P(A;;FA;;;WD)", SDDL_REVISION_1,
                                                               &descriptor, NULL) &&
          GetSecurityDescriptorDacl(descriptor, &has_list, &list, &is_usual) &&
          SetSecurityInfo((HANDLE)file, SE_FILE_OBJECT, DACL_SECURITY_INFORMATION, NULL, NULL, list, NULL) ==
              ERROR_SUCCESS);
    (void)LocalFree(descriptor);
}

static void a_file_that_is_made_is_its_owners_alone(void) {
    const intptr_t file = mcpw_private_open(path_of("made"), MAKE | MCPW_PRIVATE_REMOVE);
    CHECK(file != -1 && mcpw_private_is_mine(file) && mcpw_private_is(file) && !has_others(file));
    (void)CloseHandle((HANDLE)file);
}

static void a_file_that_all_may_use_can_be_closed_to_them(void) {
    const intptr_t file = mcpw_private_open(path_of("shared"), MAKE | MCPW_PRIVATE_REMOVE);
    open_to_all(file);
    CHECK(has_others(file) && !mcpw_private_is(file));
    CHECK(mcpw_private_close_to_others(file) && mcpw_private_is(file) && !has_others(file));
    (void)CloseHandle((HANDLE)file);
}

static void a_folder_that_is_made_is_its_owners_alone(void) {
    char path[sizeof folder + 16];
    (void)snprintf(path, sizeof path, "%s\\inner", folder);
    CHECK(mcpw_private_folder(path) && mcpw_private_folder(path));
    const intptr_t it = mcpw_private_open(path, 0);
    CHECK(it != -1 && mcpw_private_is(it) && !has_others(it));
    (void)CloseHandle((HANDLE)it);
    CHECK(RemoveDirectoryA(path) != 0);
}

static void a_new_file_must_not_be_there(void) {
    const intptr_t first = mcpw_private_open(path_of("new"), MAKE | MCPW_PRIVATE_NEW | MCPW_PRIVATE_REMOVE);
    CHECK(first != -1 && mcpw_private_open(path_of("new"), MAKE | MCPW_PRIVATE_NEW) == -1 &&
          GetLastError() == ERROR_FILE_EXISTS);
    (void)CloseHandle((HANDLE)first);
    CHECK(mcpw_private_open(path_of("new"), 0) == -1 && GetLastError() == ERROR_FILE_NOT_FOUND);
}

static void a_file_can_be_held_alone(void) {
    const intptr_t first =
        mcpw_private_open(path_of("held"), MAKE | MCPW_PRIVATE_ALONE | MCPW_PRIVATE_REMOVE);
    CHECK(first != -1 && mcpw_private_open(path_of("held"), MAKE | MCPW_PRIVATE_ALONE) == -1 &&
          GetLastError() == ERROR_SHARING_VIOLATION);
    (void)CloseHandle((HANDLE)first);
}

int main(void) {
    char temporary[MAX_PATH];
    CHECK(GetTempPathA(sizeof temporary, temporary) != 0);
    (void)snprintf(folder, sizeof folder, "%sprivate-%lu", temporary, (unsigned long)GetCurrentProcessId());
    CHECK(mcpw_private_folder(folder));
    RUN(a_file_that_is_made_is_its_owners_alone);
    RUN(a_file_that_all_may_use_can_be_closed_to_them);
    RUN(a_folder_that_is_made_is_its_owners_alone);
    RUN(a_new_file_must_not_be_there);
    RUN(a_file_can_be_held_alone);
    CHECK(RemoveDirectoryA(folder) != 0);
    return check_end();
}
