/* SPDX-License-Identifier: MIT */
/* Files that only their owner can use, by access control lists. */
#include "os_win.h"

#include <mcpw/detail/private_file.h>

#include <aclapi.h>
#include <sddl.h>
#include <stdlib.h>
#include <wchar.h>

enum { SDDL_ROOM = 512 };

/* ---- The user ------------------------------------------------------------------------------------------ */

/* A fact of the process's token, which the caller frees; NULL: the system does not tell it. */
static void *fact_of_token(TOKEN_INFORMATION_CLASS which) {
    HANDLE token = NULL;
    DWORD size = 0;
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token)) {
        return NULL;
    }
    (void)GetTokenInformation(token, which, NULL, 0, &size);
    void *fact = size != 0 ? malloc(size) : NULL;
    if (fact != NULL && !GetTokenInformation(token, which, fact, size, &size)) {
        free(fact);
        fact = NULL;
    }
    (void)CloseHandle(token);
    return fact;
}

/* The descriptor of a thing that is the user's alone, which LocalFree() frees. NULL: it cannot be made. */
static PSECURITY_DESCRIPTOR descriptor_new(void) {
    TOKEN_USER *const user = fact_of_token(TokenUser);
    wchar_t *sid = NULL;
    wchar_t text[SDDL_ROOM];
    PSECURITY_DESCRIPTOR made = NULL;
    if (user != NULL && ConvertSidToStringSidW(user->User.Sid, &sid)) {
        /* P: nothing is inherited from the folder above. OICI: what is made in a folder has the same list. */
        const int len = swprintf(text, SDDL_ROOM, L"O:%lsD:P(A;OICI;FA;;;%ls)", sid, sid);
        if (len > 0) {
            (void)ConvertStringSecurityDescriptorToSecurityDescriptorW(text, SDDL_REVISION_1, &made, NULL);
        }
        (void)LocalFree(sid);
    }
    free(user);
    return made;
}

/* ---- Making -------------------------------------------------------------------------------------------- */

/* Opens what is no file, such as NUL, whose access control list a normal user may not change. */
static HANDLE open_device(const wchar_t *path, DWORD access, DWORD share) {
    const HANDLE file =
        CreateFileW(path, access, share, NULL, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    if (file != INVALID_HANDLE_VALUE && GetFileType(file) == FILE_TYPE_DISK) {
        (void)CloseHandle(file);
        SetLastError(ERROR_ACCESS_DENIED);
        return INVALID_HANDLE_VALUE;
    }
    return file;
}

static HANDLE open_wide(const wchar_t *path, unsigned how, SECURITY_ATTRIBUTES *attributes) {
    DWORD access = GENERIC_READ | READ_CONTROL;
    DWORD flags = FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT | FILE_FLAG_BACKUP_SEMANTICS;
    DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    DWORD disposition = OPEN_EXISTING;
    if ((how & MCPW_PRIVATE_WRITE) != 0) {
        access |= GENERIC_WRITE | WRITE_DAC;
    }
    if ((how & MCPW_PRIVATE_MAKE) != 0) {
        disposition = (how & MCPW_PRIVATE_NEW) != 0 ? CREATE_NEW : OPEN_ALWAYS;
    }
    if ((how & MCPW_PRIVATE_ALONE) != 0) {
        share = 0;
    }
    if ((how & MCPW_PRIVATE_REMOVE) != 0) {
        access |= DELETE;
        flags |= FILE_FLAG_DELETE_ON_CLOSE;
    }
    HANDLE file = CreateFileW(path, access, share, attributes, disposition, flags, NULL);
    if (file == INVALID_HANDLE_VALUE && GetLastError() == ERROR_ACCESS_DENIED) {
        file = open_device(path, access & ~(DWORD)(WRITE_DAC | READ_CONTROL), share);
    }
    return file;
}

intptr_t mcpw_private_open(const char *path, unsigned how) {
    wchar_t *const wide = mcpw_os_wide(path);
    SECURITY_ATTRIBUTES attributes = {sizeof attributes, NULL, FALSE};
    HANDLE file = INVALID_HANDLE_VALUE;
    attributes.lpSecurityDescriptor = wide != NULL ? descriptor_new() : NULL;
    if (attributes.lpSecurityDescriptor != NULL) {
        file = open_wide(wide, how, &attributes);
    }
    const DWORD number = GetLastError();
    (void)LocalFree(attributes.lpSecurityDescriptor);
    free(wide);
    SetLastError(number);
    return (intptr_t)file;
}

bool mcpw_private_folder(const char *path) {
    wchar_t *const wide = mcpw_os_wide(path);
    SECURITY_ATTRIBUTES attributes = {sizeof attributes, NULL, FALSE};
    attributes.lpSecurityDescriptor = wide != NULL ? descriptor_new() : NULL;
    const bool is_there =
        attributes.lpSecurityDescriptor != NULL &&
        (CreateDirectoryW(wide, &attributes) != 0 || GetLastError() == ERROR_ALREADY_EXISTS);
    const DWORD number = GetLastError();
    (void)LocalFree(attributes.lpSecurityDescriptor);
    free(wide);
    SetLastError(number);
    return is_there;
}

/* ---- Checks -------------------------------------------------------------------------------------------- */

/* Whether an owner is the user, or the group that owns what an administrator makes. */
static bool is_owned(PSID owner) {
    TOKEN_USER *const user = fact_of_token(TokenUser);
    TOKEN_OWNER *const usual = fact_of_token(TokenOwner);
    const bool is = owner != NULL && ((user != NULL && EqualSid(owner, user->User.Sid)) ||
                                      (usual != NULL && EqualSid(owner, usual->Owner)));
    free(user);
    free(usual);
    return is;
}

/* Whether an entry of a list lets only those use the file who may use it anyway. */
static bool is_harmless(const ACE_HEADER *entry, PSID user) {
    if (entry->AceType != ACCESS_ALLOWED_ACE_TYPE) {
        return entry->AceType == ACCESS_DENIED_ACE_TYPE; /* other types are not looked into */
    }
    const PSID sid = (PSID) & ((ACCESS_ALLOWED_ACE *)(uintptr_t)entry)->SidStart;
    return EqualSid(sid, user) || IsWellKnownSid(sid, WinLocalSystemSid) ||
           IsWellKnownSid(sid, WinBuiltinAdministratorsSid) || IsWellKnownSid(sid, WinCreatorOwnerRightsSid);
}

/* Without a list, everybody may use the file. */
static bool lets_nobody_in(PACL list) {
    TOKEN_USER *const user = fact_of_token(TokenUser);
    bool is = user != NULL && list != NULL;
    for (DWORD i = 0; is && i < list->AceCount; i++) {
        void *entry = NULL;
        is = GetAce(list, i, &entry) && is_harmless(entry, user->User.Sid);
    }
    free(user);
    return is;
}

static bool is_link(HANDLE file) {
    BY_HANDLE_FILE_INFORMATION about;
    return !GetFileInformationByHandle(file, &about) ||
           (about.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
}

bool mcpw_private_is_mine(intptr_t file) {
    PSECURITY_DESCRIPTOR descriptor = NULL;
    PSID owner = NULL;
    const DWORD number = GetSecurityInfo((HANDLE)file, SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION, &owner,
                                         NULL, NULL, NULL, &descriptor);
    const bool is = number == ERROR_SUCCESS && is_owned(owner);
    (void)LocalFree(descriptor);
    return is;
}

bool mcpw_private_is(intptr_t file) {
    PSECURITY_DESCRIPTOR descriptor = NULL;
    PSID owner = NULL;
    PACL list = NULL;
    const DWORD number =
        GetSecurityInfo((HANDLE)file, SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION,
                        &owner, NULL, &list, NULL, &descriptor);
    const bool is =
        number == ERROR_SUCCESS && !is_link((HANDLE)file) && is_owned(owner) && lets_nobody_in(list);
    (void)LocalFree(descriptor);
    return is;
}

bool mcpw_private_close_to_others(intptr_t file) {
    PSECURITY_DESCRIPTOR const descriptor = descriptor_new();
    PACL list = NULL;
    BOOL has_list = FALSE;
    BOOL is_usual = FALSE;
    DWORD number = GetLastError();
    if (descriptor != NULL && GetSecurityDescriptorDacl(descriptor, &has_list, &list, &is_usual)) {
        number = SetSecurityInfo((HANDLE)file, SE_FILE_OBJECT,
                                 DACL_SECURITY_INFORMATION | PROTECTED_DACL_SECURITY_INFORMATION, NULL, NULL,
                                 list, NULL);
    }
    (void)LocalFree(descriptor);
    SetLastError(number);
    return descriptor != NULL && number == ERROR_SUCCESS;
}
