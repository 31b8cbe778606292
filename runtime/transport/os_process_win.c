/* SPDX-License-Identifier: MIT */
/* Child processes. Each has a job, so that the processes that it starts end with it. */
#include "os_win.h"

#include <stdlib.h>

enum { STDIN_END, STDOUT_END, STDERR_END, ENDS };

/* Everything that starting a process needs, freed in one place. */
typedef struct launch {
    wchar_t *path;
    wchar_t *program;
    wchar_t *line;
    wchar_t *env;
    wchar_t *cwd;
    HANDLE ours[ENDS];
    HANDLE theirs[ENDS];
    HANDLE job;
    LPPROC_THREAD_ATTRIBUTE_LIST attributes;
    HANDLE listed[ENDS]; /* the attributes refer to it */
    DWORD listed_count;
} launch;

static void close_handle(HANDLE *handle) {
    if (*handle != NULL && *handle != INVALID_HANDLE_VALUE) {
        (void)CloseHandle(*handle);
    }
    *handle = NULL;
}

static void end_launch(launch *l) {
    if (l->attributes != NULL) {
        DeleteProcThreadAttributeList(l->attributes);
        free(l->attributes);
    }
    for (int i = 0; i < ENDS; i++) {
        close_handle(&l->ours[i]);
        close_handle(&l->theirs[i]);
    }
    close_handle(&l->job);
    free(l->path);
    free(l->program);
    free(l->line);
    free(l->env);
    free(l->cwd);
}

static bool make_texts(launch *l, const mcpw_spawn *spawn) {
    l->path = mcpw_os_find_command(spawn->argv[0]);
    l->program = l->path != NULL ? mcpw_os_program(l->path) : NULL;
    l->line = l->program != NULL ? mcpw_os_command_line(l->path, spawn->argv) : NULL;
    l->env = spawn->env != NULL ? mcpw_os_environment(spawn->env) : NULL;
    l->cwd = spawn->cwd != NULL ? mcpw_os_wide(spawn->cwd) : NULL;
    return l->line != NULL && (l->env != NULL || spawn->env == NULL) &&
           (l->cwd != NULL || spawn->cwd == NULL);
}

/* Our standard error for the child, as a handle that can be inherited; none if there is none. */
static void share_error(launch *l) {
    const HANDLE own = GetStdHandle(STD_ERROR_HANDLE);
    if (own == NULL || own == INVALID_HANDLE_VALUE ||
        !DuplicateHandle(GetCurrentProcess(), own, GetCurrentProcess(), &l->theirs[STDERR_END], 0, TRUE,
                         DUPLICATE_SAME_ACCESS)) {
        l->theirs[STDERR_END] = NULL;
    }
}

static bool make_pipes(launch *l, const mcpw_spawn *spawn) {
    if (!mcpw_os_pipe(true, &l->ours[STDIN_END], &l->theirs[STDIN_END]) ||
        !mcpw_os_pipe(false, &l->ours[STDOUT_END], &l->theirs[STDOUT_END])) {
        return false;
    }
    if (spawn->on_stderr != NULL) {
        return mcpw_os_pipe(false, &l->ours[STDERR_END], &l->theirs[STDERR_END]);
    }
    share_error(l);
    return true;
}

/* Other handles of this process that can be inherited are not for the child. */
static bool list_handles(launch *l) {
    SIZE_T size = 0;
    for (int i = 0; i < ENDS; i++) {
        if (l->theirs[i] != NULL) {
            l->listed[l->listed_count++] = l->theirs[i];
        }
    }
    (void)InitializeProcThreadAttributeList(NULL, 1, 0, &size);
    l->attributes = malloc(size);
    if (l->attributes == NULL || !InitializeProcThreadAttributeList(l->attributes, 1, 0, &size)) {
        free(l->attributes);
        l->attributes = NULL;
        return false;
    }
    return UpdateProcThreadAttribute(l->attributes, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, l->listed,
                                     l->listed_count * sizeof l->listed[0], NULL, NULL) != 0;
}

static bool make_job(launch *l) {
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits;
    memset(&limits, 0, sizeof limits);
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    l->job = CreateJobObjectW(NULL, NULL);
    return l->job != NULL &&
           SetInformationJobObject(l->job, JobObjectExtendedLimitInformation, &limits, sizeof limits) != 0;
}

/* The process begins to run when it is in its job. */
static bool run(launch *l, const mcpw_spawn *spawn, PROCESS_INFORMATION *made) {
    STARTUPINFOEXW startup;
    DWORD flags = EXTENDED_STARTUPINFO_PRESENT | CREATE_UNICODE_ENVIRONMENT | CREATE_SUSPENDED;
    flags |= spawn->own_group ? CREATE_NEW_PROCESS_GROUP : 0U;
    flags |= GetConsoleWindow() == NULL ? CREATE_NO_WINDOW : 0U; /* a program with windows gets no console */
    memset(&startup, 0, sizeof startup);
    startup.StartupInfo.cb = sizeof startup;
    startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    startup.StartupInfo.hStdInput = l->theirs[STDIN_END];
    startup.StartupInfo.hStdOutput = l->theirs[STDOUT_END];
    startup.StartupInfo.hStdError = l->theirs[STDERR_END];
    startup.lpAttributeList = l->attributes;
    if (!CreateProcessW(l->program, l->line, NULL, NULL, TRUE, flags, l->env, l->cwd, &startup.StartupInfo,
                        made)) {
        return false;
    }
    if (!AssignProcessToJobObject(l->job, made->hProcess)) {
        close_handle(&l->job); /* it is in a job already that forbids another: it ends alone */
    }
    (void)ResumeThread(made->hThread);
    close_handle(&made->hThread);
    return true;
}

static bool is_folder(const wchar_t *path) {
    const DWORD attributes = GetFileAttributesW(path);
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

bool mcpw_os_process_start(mcpw_os_process *process, const mcpw_spawn *spawn,
                           mcpw_handle ends[MCPW_OS_CHILD_PIPES], int *number, bool *in_cwd) {
    launch l;
    PROCESS_INFORMATION made;
    memset(&l, 0, sizeof l);
    const bool works = make_texts(&l, spawn) && make_pipes(&l, spawn) && list_handles(&l) && make_job(&l) &&
                       run(&l, spawn, &made);
    *number = works ? 0 : (int)GetLastError();
    *in_cwd = !works && l.cwd != NULL && l.path != NULL && !is_folder(l.cwd);
    if (works) {
        *process = (mcpw_os_process){(int64_t)made.dwProcessId, (mcpw_handle)made.hProcess,
                                     (mcpw_handle)l.job, spawn->own_group};
        ends[MCPW_OS_CHILD_STDIN] = (mcpw_handle)l.ours[STDIN_END];
        ends[MCPW_OS_CHILD_STDOUT] = (mcpw_handle)l.ours[STDOUT_END];
        ends[MCPW_OS_CHILD_STDERR] =
            l.ours[STDERR_END] != NULL ? (mcpw_handle)l.ours[STDERR_END] : MCPW_OS_NONE;
        memset(l.ours, 0, sizeof l.ours);
        l.job = NULL;
    }
    end_launch(&l);
    return works;
}

/* ---- The end ------------------------------------------------------------------------------------------- */

int64_t mcpw_os_process_id(const mcpw_os_process *process) { return process->pid; }

bool mcpw_os_process_exited(mcpw_os_process *process, int *status) {
    DWORD code = 0;
    if (WaitForSingleObject((HANDLE)process->process, 0) != WAIT_OBJECT_0) {
        return false;
    }
    *status = GetExitCodeProcess((HANDLE)process->process, &code) ? (int)code : -1;
    return true;
}

bool mcpw_os_process_ask(const mcpw_os_process *process) {
    return process->has_group && GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, (DWORD)process->pid) != 0;
}

int mcpw_os_process_kill(mcpw_os_process *process) {
    int status = -1;
    const HANDLE handle = (HANDLE)process->process;
    if (process->job == 0 || !TerminateJobObject((HANDLE)process->job, 1)) {
        (void)TerminateProcess(handle, 1);
    }
    (void)WaitForSingleObject(handle, INFINITE);
    (void)mcpw_os_process_exited(process, &status);
    return status;
}

void mcpw_os_process_end(mcpw_os_process *process) {
    mcpw_os_close(&process->process);
    mcpw_os_close(&process->job);
}

bool mcpw_os_was_signalled(int status, int *number) {
    *number = status;
    return false;
}
